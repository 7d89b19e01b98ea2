// Trades from before the start of the exchange agree with the minutes of its past, and change nothing else.
import { expect, test } from 'vitest';
import { levelsOf } from '../../../src/bot/domain/book.ts';
import type { Candle } from '../../../src/bot/domain/candle.ts';
import { pastOfTrades } from '../../../src/bot/exchange/kit/past-trades.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { pastCandles } from '../../../src/embedded/exchange/history/past.ts';
import type { SimTrade } from '../../../src/embedded/exchange/history/trades.ts';
import { listedAs } from '../../../src/embedded/exchange/state/listing.ts';

const [MINUTE, HOUR] = [60_000, 3_600_000];
const START = Date.UTC(2026, 0, 15, 12, 0, 30);
const SEED = 'past trades';
const markets = listedAs(['BTCUSDC', 'SOLUSDC-SPOT']);

const opened = (past = true): Exchange =>
  new Exchange({ seed: SEED, start: START, markets, ...(past && { past: { seed: SEED, moves: undefined, spanMs: 2 * HOUR } }) });

const pricesOf = ({ start, open, high, low, close }: Candle): readonly number[] => [start, open, high, low, close];

/** Pages of a market's trades, newest first. */
async function* pagesOf(exchange: Exchange, marketId: number): AsyncGenerator<readonly SimTrade[]> {
  for (let startInclusive: string | undefined; ; ) {
    const page = exchange.trades({ marketId, startInclusive });
    yield await Promise.resolve(page.items);
    if (page.nextStartInclusive === undefined) return;
    startInclusive = page.nextStartInclusive;
  }
}

test.each([0, 1])('the candles of these trades equal the minutes of the past: market %i', async (id) => {
  const exchange = opened();
  const market = exchange.markets[id]!;
  const asked = { market, span: MINUTE, count: 60, until: START };
  const { candles } = await pastOfTrades(asked, () => pagesOf(exchange, id));
  const price = market.ticksNear(markets[id]!.basePrice)!;
  const past = pastCandles({ seed: SEED, symbol: market.symbol, price, end: START }, { span: MINUTE, count: 60 });
  expect(candles).toHaveLength(60);
  expect(candles.map(pricesOf)).toEqual(past.map(pricesOf));
  for (const [index, { volume = 0 }] of candles.entries()) expect(Math.abs(volume - (past[index]!.volume ?? 0))).toBeLessThanOrEqual(4);
});

test('they are in the list and in the daily figures, with ids below the first trade of the exchange itself', () => {
  const exchange = opened();
  const before = exchange.trades({ pageSize: 1 }).items[0]!;
  expect(Number(before.tradeId)).toBe(2 * 120 * 4);
  expect(before.time).toBeLessThan(START);
  const { volumeBase24h, high24h, low24h } = exchange.stats(0)!;
  expect(volumeBase24h).toBeGreaterThan(0);
  expect(high24h).toBeGreaterThan(low24h!);
  exchange.advanceTo(START + 10_000);
  const own = exchange.trades({ since: START, marketId: 0 }).items.at(-1)!;
  expect(Number(own.tradeId)).toBeGreaterThan(Number(before.tradeId));
  expect(Number(own.actionId)).toBeGreaterThan(Number(before.actionId));
  expect(Number(own.orderId)).toBeGreaterThan(Number(before.orderId));
});

test('the market and the accounts are the same as without them', () => {
  const [plain, withPast] = [opened(false), opened()];
  const shown = [plain, withPast].map((exchange) => {
    exchange.advanceTo(START + 20_000);
    const book = exchange.book(0)!;
    const trades = exchange
      .trades({ since: START, marketId: 0 })
      .items.map(({ time, price, size, takerSide }) => [time, price, size, takerSide]);
    return [levelsOf(book, 'bid'), levelsOf(book, 'ask'), trades, exchange.live(0)?.mark, exchange.account(3)?.balances];
  });
  expect(shown[1]).toEqual(shown[0]);
});
