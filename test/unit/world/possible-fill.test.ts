// Which prices of a taker's trades agree with the receipt of its order.
import { expect, test } from 'vitest';
import { Market } from '../../../src/bot/domain/market.ts';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Fill } from '../../../src/bot/domain/order.ts';
import { impossibleIn } from '../../../src/bot/world/orders/possible-fill.ts';
import { LISTED_MARKETS } from '../../../src/embedded/exchange/state/listing.ts';

const MARKET = new Market(LISTED_MARKETS[0]!.spec);
const LIMIT = 60_000;

/** `taken`: price and size of each level of the receipt. */
function isPossible({ price, size, taken }: { price: number; size: number; taken: readonly (readonly [number, number])[] }): boolean {
  const trade: Fill = {
    tradeId: '1',
    orderId: '7',
    actionId: '7',
    market: MARKET.id,
    side: 'bid',
    price: ticks(price),
    size: lots(size),
    fee: micros(0),
    role: 'taker',
    time: 0,
  };
  const levels = taken.map(([at, filled]) => ({ price: ticks(at), size: lots(filled) }));
  return impossibleIn(trade, { market: MARKET, limit: ticks(LIMIT), taken: levels }) === undefined;
}

test('trades around the average price of a receipt are possible, each on its side of it', () => {
  const taken = [[59_500, 30]] as const;
  expect([59_000, 59_500, 59_900].map((price) => isPossible({ price, size: 10, taken }))).toEqual([true, true, true]);
  expect(isPossible({ price: LIMIT + 1, size: 10, taken }), 'beyond the limit').toBe(false);
});

test('the only trade of a receipt has its price', () => {
  const taken = [[59_500, 30]] as const;
  expect([59_000, 59_500, 59_900].map((price) => isPossible({ price, size: 30, taken }))).toEqual([false, true, false]);
});

test('a trade of a receipt that reports each of them has a price between theirs', () => {
  const taken = [
    [59_400, 20],
    [59_600, 10],
  ] as const;
  expect([59_000, 59_500, 59_900].map((price) => isPossible({ price, size: 10, taken }))).toEqual([false, true, false]);
});
