// Which orders match which desired levels, and what a target still lacks.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Level } from '../../../src/bot/domain/book.ts';
import type { Quote, Target } from '../../../src/bot/domain/intent.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Order, OrderStatus } from '../../../src/bot/domain/order.ts';
import type { Exposure } from '../../../src/bot/world/exposure.ts';
import { type Approved, type MatchedQuote, match, matchAgain, matchQuote, shortfall, stands } from '../../../src/bot/world/orders/match.ts';
import { BTC, marketOf } from '../world-builder.ts';

const level = (price: number, size = 100): Level => ({ price: ticks(price), size: lots(size) });
interface Part {
  readonly size?: number;
  readonly remaining?: number;
  readonly status?: OrderStatus;
}
const order = (id: string, price: number, { size = 100, remaining = size, status = 'open' }: Part = {}): Order => ({
  clientOrderId: id,
  market: 0,
  side: 'bid',
  price: ticks(price),
  size: lots(size),
  remaining: lots(remaining),
  fillMode: 'LIMIT',
  status,
  sentAt: 0,
  touchedAt: 0,
});

/** `100=a 99=- | b`: the order of each level, and the surplus orders. */
function matched(wanted: readonly Level[], orders: readonly Order[], slack = 0): string {
  const { wanted: pairs, surplus } = match({ side: 'bid', wanted, orders, slack: ticks(slack) });
  const left = pairs.map(({ level: { price }, order: found }) => `${price}=${found?.clientOrderId ?? '-'}`);
  return `${left.join(' ')} | ${surplus.map(({ clientOrderId }) => clientOrderId).join(' ')}`.trim();
}

const quoteOf = (...prices: readonly number[]): Quote => ({
  kind: 'quote',
  market: 0,
  bids: prices.map((price) => level(price)),
  asks: [],
  slack: ticks(0),
  fillMode: 'LIMIT',
});
const among = (...orders: readonly Order[]) => ({ orders: () => orders, exposure: () => NOTHING_HELD, market: () => BTC });
const NOTHING_HELD: Exposure = { low: lots(0), high: lots(0), bids: lots(0), asks: lots(0) };

describe('a quote that is matched again', () => {
  const orders = [order('a', 100), { ...order('b', 110), side: 'ask' } as const];
  const first = matchQuote(quoteOf(100), orders);

  test('gives the same match while no order has changed', () => {
    expect(matchAgain(first, { ...among(), orders: () => orders })).toBe(first);
  });

  test('keeps the match of a side whose orders have not changed', () => {
    const then = matchAgain(first, among(orders[0]!)) as MatchedQuote;
    expect(then.bid).toBe(first.bid);
    expect([first.ask.surplus.length, then.ask.surplus.length]).toEqual([1, 0]);
  });

  test('is no longer approved', () => {
    // @ts-expect-error the types refuse it: only the review approves
    const again: Approved = matchAgain(first, among());
    expect(stands(again)).toBe(false);
  });

  test('is matched with the current orders', () => {
    expect([stands(first), stands(matchAgain(first, among(order('c', 100)))), stands(matchAgain(first, among(order('c', 99))))]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe('a desired level', () => {
  test('matches the order at its price', () => {
    expect(matched([level(100), level(99)], [order('a', 99), order('b', 100)])).toBe('100=b 99=a |');
  });

  test('matches none if none is near enough', () => {
    expect(matched([level(100)], [order('a', 97)], 2)).toBe('100=- | a');
    expect(matched([level(100)], [order('a', 98)], 2)).toBe('100=a |');
  });

  test('matches the nearest within the slack', () => {
    expect(matched([level(100)], [order('a', 98), order('b', 99), order('c', 102)], 5)).toBe('100=b | a c');
  });

  test('shares no order with another level', () => {
    expect(matched([level(100), level(99)], [order('a', 100)], 5)).toBe('100=a 99=- |');
  });

  test.each([
    [100, 110, true],
    [100, 90, true],
    [100, 111, false],
    [100, 89, false],
  ])('of %i keeps an order of %i: %s', (wanted, size, kept) => {
    expect(matched([level(100, wanted)], [order('a', 100, { size })])).toBe(kept ? '100=a |' : '100=- | a');
  });

  test('keeps a partly filled order, because its place in the queue is worth more', () => {
    expect(matched([level(100)], [order('a', 100, { remaining: 1 })])).toBe('100=a |');
  });

  test.each(['pending', 'unknown', 'cancelling'] as const)('matches an order of any size that is %s', (status) => {
    expect(matched([level(100)], [order('a', 100, { size: 1, status })])).toBe('100=a |');
  });

  test('matches an order that stays rather than one that is being cancelled, which then is surplus', () => {
    const leaving = order('a', 100, { status: 'cancelling' });
    expect(matched([level(100)], [leaving, order('b', 100)])).toBe('100=b | a');
    expect(matched([level(100), level(99)], [leaving, order('b', 100)], 1)).toBe('100=b 99=a |');
  });

  test('that is missing names a smaller order in its place, which is still surplus', () => {
    const [small, large, far] = [order('a', 100, { size: 50 }), order('b', 99, { size: 150 }), order('c', 90, { size: 50 })];
    const { wanted, surplus } = match({
      side: 'bid',
      wanted: [level(100), level(99)],
      orders: [small, large, far],
      slack: ticks(0),
    });
    expect(wanted.map(({ order: found, smaller }) => [found, smaller])).toEqual([
      [undefined, small],
      [undefined, undefined],
    ]);
    expect(surplus).toEqual([small, large, far]);
  });

  test('every order is either matched or surplus, never both', () => {
    const price = fc.integer({ min: 90, max: 110 });
    fc.assert(
      fc.property(fc.array(price, { maxLength: 8 }), fc.array(price, { maxLength: 8 }), fc.nat({ max: 5 }), (wants, prices, slack) => {
        const orders = prices.map((at, index) => order(String(index), at));
        const { wanted, surplus } = match({ side: 'bid', wanted: wants.map((at) => level(at)), orders, slack: ticks(slack) });
        const used = wanted.flatMap(({ order: found }) => (found === undefined ? [] : [found]));
        expect([...used, ...surplus].map(({ clientOrderId }) => clientOrderId).sort()).toEqual(
          orders.map(({ clientOrderId }) => clientOrderId).sort(),
        );
        for (const { level: at, order: found } of wanted)
          if (found !== undefined) expect(Math.abs(at.price - found.price)).toBeLessThanOrEqual(slack);
      }),
      { seed: 9, numRuns: 300 },
    );
  });
});

const exposure = (low: number, high: number, bids = 0, asks = 0) => ({
  low: lots(low),
  high: lots(high),
  bids: lots(bids),
  asks: lots(asks),
});

const target = (position: number): Target => ({ kind: 'target', market: 0, position: lots(position), limit: ticks(100) });

describe('a target', () => {
  test.each([
    [10, exposure(0, 0), { side: 'bid', size: 10 }],
    [-10, exposure(0, 0), { side: 'ask', size: 10 }],
    [10, exposure(10, 10), undefined],
    [10, exposure(12, 12), { side: 'ask', size: 2 }],
    [10, exposure(0, 0, 4), { side: 'bid', size: 6 }],
    [10, exposure(0, 0, 10), undefined],
    [10, exposure(0, 4), { side: 'bid', size: 6 }],
    [0, exposure(-3, 4), undefined],
    [0, exposure(5, 5, 0, 2), { side: 'ask', size: 3 }],
    [0, exposure(5, 5, 0, 5), undefined],
    [10, exposure(0, 12), undefined],
  ] as const)('of %i beside %o lacks %o', (position, beside, expected) => {
    expect(shortfall(target(position), { market: BTC, ...beside })).toEqual(expected);
  });

  test('is what an order can have: the rest below its step stays', () => {
    const market = marketOf({ kind: 'spot', orderLots: 100, buyFee: 'base' });
    expect(shortfall(target(0), { market, ...exposure(1_993, 1_993) })).toEqual({ side: 'ask', size: 1_900 });
    expect(shortfall(target(0), { market, ...exposure(93, 93) })).toBeUndefined();
  });
});
