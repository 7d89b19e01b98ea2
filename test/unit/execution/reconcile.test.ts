// The fewest actions from the current to the desired orders: cancels first, nothing twice, and a limited number at once.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Action } from '../../../src/bot/domain/action.ts';
import type { OrderIntent } from '../../../src/bot/domain/intent.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { reconcile } from '../../../src/bot/execution/reconcile.ts';
import { review } from '../../../src/bot/risk/review.ts';
import { LAG } from '../../../src/bot/world/orders/proof.ts';
import { BTC, calmWorld, ETH, START, WorldBuilder } from '../world-builder.ts';

type Pair = readonly [price: number, size: number];

let builder: WorldBuilder;
let ids: number;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
  ids = 100;
});

const levels = (pairs: readonly Pair[]) => pairs.map(([price, size]) => ({ price: BTC.restAt('bid', price), size: BTC.lots(size) }));
const quote = (bids: readonly Pair[], asks: readonly Pair[] = [], slack = 0): OrderIntent => ({
  kind: 'quote',
  market: 0,
  bids: levels(bids),
  asks: levels(asks),
  slack: ticks(slack),
  fillMode: 'POST_ONLY',
});
const target = (position: number): OrderIntent => ({ kind: 'target', market: 0, position: BTC.lots(position), limit: ticks(600_010) });

const nextClientOrderId = (): string => String(ids++);

function actions(intents: readonly OrderIntent[], held: readonly number[] = []): readonly Action[] {
  const { approved } = review(intents, { rules: { gates: [], guards: [] }, world: builder.world });
  return reconcile({ approved, held: new Set(held), world: builder.world, nextClientOrderId });
}

/** Actions as text: `cancel 1`, `bid 59000@1 as 100`. */
const done = (intents: readonly OrderIntent[], held: readonly number[] = []): string[] =>
  actions(intents, held).map((action) => {
    if (action.kind === 'cancel') return `cancel ${action.clientOrderId}`;
    const { side, price, size, fillMode, clientOrderId } = action;
    return `${fillMode === 'IMMEDIATE_OR_CANCEL' ? 'take ' : ''}${side} ${BTC.price(price)}@${BTC.size(size)} as ${clientOrderId}`;
  });
const bid = (price: number, id: string, size = 1) => ({ side: 'bid', price, size, id }) as const;
const ask = (price: number, id: string, size = 1) => ({ side: 'ask', price, size, id }) as const;

describe('a quote', () => {
  test('is placed if no order matches it', () => {
    expect(done([quote([[59_000, 1]], [[61_000, 2]])])).toEqual(['bid 59000@1 as 100', 'ask 61000@2 as 101']);
  });

  test('has its fill mode', () => {
    expect(actions([quote([[59_000, 1]])])).toMatchObject([{ fillMode: 'POST_ONLY', market: 0 }]);
    expect(actions([{ ...quote([[59_000, 1]]), fillMode: 'LIMIT' } as OrderIntent])).toMatchObject([{ fillMode: 'LIMIT' }]);
  });

  test('keeps orders that match, and cancels the others before it places', () => {
    builder.placed(bid(59_000, '1')).placed(bid(58_000, '2')).placed(ask(61_000, '3'));
    expect(
      done([
        quote([
          [59_000, 1],
          [57_000, 1],
        ]),
      ]),
    ).toEqual(['cancel 2', 'cancel 3', 'bid 57000@1 as 100']);
  });

  test('that is no longer returned is withdrawn', () => {
    builder.placed(bid(59_000, '1'));
    expect(done([])).toEqual(['cancel 1']);
  });

  test('replaces an order of another size', () => {
    builder.placed(bid(59_000, '1', 2));
    expect(done([quote([[59_000, 1]])])).toEqual(['cancel 1', 'bid 59000@1 as 100']);
  });

  test.each(['pending', 'unknown', 'cancelling'])('waits while an order at its price is %s', (status) => {
    builder.pending(bid(59_000, '1', 2));
    if (status === 'unknown') builder.unknown('1', START);
    if (status === 'cancelling') builder.opened('1').cancelling('1');
    expect(done([quote([[59_000, 1]])])).toEqual([]);
  });

  test('is not placed on a side that is held back; orders that rest there may still be cancelled', () => {
    builder.placed(bid(58_000, '1')).pending(bid(59_000, '2')).rejected('2');
    expect(done([quote([[59_000, 1]], [[61_000, 1]])])).toEqual(['cancel 1', 'ask 61000@1 as 100']);
  });

  test('of another market does not interfere', () => {
    builder = new WorldBuilder([BTC, ETH]).account().placed(bid(59_000, '1'));
    const other: OrderIntent = {
      kind: 'quote',
      market: 1,
      bids: [{ price: ticks(1), size: lots(1) }],
      asks: [],
      slack: ticks(0),
      fillMode: 'LIMIT',
    };
    expect(actions([quote([[59_000, 1]]), other])).toMatchObject([{ kind: 'place', market: 1 }]);
  });
});

describe('a cancel', () => {
  test('of an order without an id waits for the id', () => {
    builder.pending(bid(59_000, '1')).openedBare('1');
    expect(done([])).toEqual([]);
    builder.account();
    expect(done([])).toEqual(['cancel 1']);
  });

  test.each(['pending', 'unknown'])('of an order that is %s waits', (status) => {
    builder.pending(bid(59_000, '1'));
    if (status === 'unknown') builder.unknown('1', START);
    expect(done([])).toEqual([]);
  });

  test('is not sent twice', () => {
    builder.placed(bid(59_000, '1'));
    builder.sent(actions([]));
    expect(done([])).toEqual([]);
  });

  test('of a foreign order is never sent', () => {
    const theirs = { orderId: 'x', market: 0, side: 'bid', price: ticks(590_000), size: lots(1), originalSize: lots(1) } as const;
    builder.account({ others: [theirs] });
    expect(done([])).toEqual([]);
    expect(done([quote([[59_000, 1]])])).toEqual(['bid 59000@1 as 100']);
  });
});

describe('a held market', () => {
  test('is not touched', () => {
    builder.placed(bid(59_000, '1'));
    expect(done([quote([[58_000, 1]])], [0])).toEqual([]);
  });
});

describe('a target', () => {
  test('takes what is missing, at its limit', () => {
    builder.account({ position: 0.4 });
    expect(done([target(1)])).toEqual(['take bid 60001@0.6 as 100']);
    expect(done([target(-1)])).toEqual(['take ask 60001@1.4 as 101']);
    expect(done([target(0.4)])).toEqual([]);
  });

  test('cancels resting orders, and counts them until they are gone', () => {
    builder.placed(bid(59_000, '1', 0.3));
    expect(done([target(1)])).toEqual(['cancel 1', 'take bid 60001@0.7 as 100']);
  });

  test('is not sent on a side that is held back', () => {
    builder.pending(bid(59_000, '2')).rejected('2');
    expect(done([target(1)])).toEqual([]);
    expect(done([target(-1)])).toEqual(['take ask 60001@1 as 100']);
  });
});

const wants = (count: number): Pair[] => Array.from({ length: count }, (_, index) => [59_000 - index, 1]);

describe('the limit of actions in flight', () => {
  const MAX_IN_FLIGHT = 32;

  test('delays the rest to the next turns, in order', () => {
    const first = actions([quote(wants(40))]);
    expect(first.length).toBe(MAX_IN_FLIGHT);
    builder.sent(first);
    expect(done([quote(wants(40))])).toEqual([]);
    builder.opened('100').opened('101');
    expect(done([quote(wants(40))])).toEqual(['bid 58968@1 as 132', 'bid 58967@1 as 133']);
  });

  test('uses ids only for orders that are sent', () => {
    actions([quote(wants(40))]);
    expect(ids).toBe(100 + MAX_IN_FLIGHT);
  });

  test('sends cancels first, which leaves less for placements', () => {
    for (let index = 0; index < 30; index++) builder.placed(bid(50_000 + index, `old${index}`));
    const kinds = actions([quote(wants(40))]).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'cancel').length).toBe(30);
    expect(kinds.filter((kind) => kind === 'place').length).toBe(2);
  });

  test('delays cancels as well if there are too many', () => {
    for (let index = 0; index < 40; index++) builder.placed(bid(50_000 + index, `old${index}`));
    const first = actions([]);
    expect(first.length).toBe(MAX_IN_FLIGHT);
    builder.sent(first);
    expect(actions([])).toEqual([]);
    builder.cancelAnswered('old0', 'cancelled').after(LAG).account({}, ['old0']);
    expect(actions([]).length).toBe(1);
  });

  test('does not count orders without an answer', () => {
    for (let index = 0; index < 40; index++) builder.pending(bid(50_000 + index, `lost${index}`)).unknown(`lost${index}`, START);
    expect(done([quote([[59_000, 1]])])).toEqual(['bid 59000@1 as 100']);
  });
});

test('an order of an exit is reduce-only if the market has positions', () => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 }).account({ position: 1 });
  const exit: OrderIntent = { kind: 'target', market: 0, position: lots(0), limit: ticks(599_000), reduceOnly: true };
  expect(actions([exit])).toMatchObject([{ side: 'ask', size: 10_000, fillMode: 'IMMEDIATE_OR_CANCEL', reduceOnly: true }]);
  expect(actions([target(0)])[0]).not.toHaveProperty('reduceOnly');
});
