// Lists that lack trades which were listed before.
import { expect, test } from 'vitest';
import { ShownTrades } from '../../../../src/bot/exchange/kit/streams/shown-trades.ts';

const FIRST = 1_000_000;
const trade = (number: number) => ({ tradeId: String(number), time: FIRST + number });

/** Takes the trades with these numbers, so many seconds after the first list. */
const taker = () => {
  const shown = new ShownTrades('GET /trades');
  return (numbers: readonly number[], second: number) => shown.take(numbers.map(trade), { since: FIRST, now: FIRST + second * 1_000 });
};

test('are refused for ten seconds, and then taken: the exchange was rolled back', () => {
  const take = taker();
  take([1, 2, 3], 0);
  expect(() => take([1, 2], 1)).toThrow('GET /trades lacks 1 trade listed before');
  expect(() => take([1], 10.9)).toThrow('GET /trades lacks 2 trades listed before');
  take([1, 2], 11);
});

test('are refused for ten seconds again, after a rollback was taken', () => {
  const take = taker();
  take([1, 2, 3], 0);
  expect(() => take([1, 2], 1)).toThrow('lacks 1 trade');
  take([1, 2], 11);
  expect(() => take([1], 12)).toThrow('lacks 1 trade');
  take([1, 2], 13);
});
