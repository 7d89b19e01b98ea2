// Candles of past minutes from trades.
import { expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Trade } from '../../../src/bot/domain/order.ts';
import { pastOfTrades } from '../../../src/bot/exchange/kit/past-trades.ts';
import { BTC } from '../world-builder.ts';

const MINUTE = 60_000;
let count = 0;
const trade = (time: number, price: number, size: number): Trade => {
  return { tradeId: `${++count}`, market: 0, takerSide: 'bid', price: ticks(price), size: lots(size), time: START + time };
};

async function* pages(...list: readonly (readonly Trade[])[]): AsyncGenerator<readonly Trade[]> {
  for (const page of list) yield await Promise.resolve(page);
}

/** Times count from here. */
const START = 10 * MINUTE;
const asked = { market: BTC, span: MINUTE, count: 3, until: START + 3 * MINUTE + 30_000 };

test('are built from pages, newest first, without the unfinished minute', async () => {
  const newest = [trade(3 * MINUTE + 1, 999, 1), trade(2 * MINUTE + 50, 105, 1), trade(2 * MINUTE + 10, 101, 2)];
  const older = [trade(MINUTE + 59_999, 90, 3), trade(MINUTE, 95, 4), trade(500, 80, 5), trade(-1, 70, 6)];
  expect(await pastOfTrades(asked, () => pages(newest, older))).toEqual({
    span: MINUTE,
    candles: [
      { start: START, open: 80, high: 80, low: 80, close: 80, volume: 5 },
      { start: START + MINUTE, open: 95, high: 95, low: 90, close: 90, volume: 7 },
      { start: START + 2 * MINUTE, open: 101, high: 105, low: 101, close: 105, volume: 3 },
    ],
  });
});

test('leave out the oldest minute if the trades before it were not read', async () => {
  const { candles } = await pastOfTrades(asked, () => pages([trade(2 * MINUTE + 50, 105, 1)], [trade(MINUTE + 10, 90, 3)]));
  expect(candles.map(({ start }) => start)).toEqual([START + 2 * MINUTE]);
});

test('read at most fifty pages', async () => {
  let read = 0;
  async function* endless(): AsyncGenerator<readonly Trade[]> {
    for (;;) yield await Promise.resolve([trade(2 * MINUTE + 50_000 - ++read, 100, 1)]);
  }
  await pastOfTrades(asked, endless);
  expect(read).toBe(50);
});
