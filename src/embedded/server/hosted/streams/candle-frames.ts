// The frames of candles, made of a market's trades. Each frame is the whole candle so far.
import { DAY, MINUTE, type Millis } from '../../../../base/clock.ts';
import type { Json } from '../../../../base/server/reply.ts';
import type { Market } from '../../../../bot/domain/market.ts';
import { type Lots, lots, type Ticks } from '../../../../bot/domain/numbers.ts';
import type { Exchange } from '../../../exchange/exchange.ts';
import type { SimTrade } from '../../../exchange/history/trades.ts';
import type { FrameSource } from './publisher.ts';

/** Returns the start of the candle that contains a time. */
type CandleStart = (time: Millis) => Millis;

/** `since`: the start of any one candle. */
const every =
  (length: Millis, since: Millis = 0): CandleStart =>
  (time) =>
    time - ((time - since) % length);

/** 5 January 1970. */
const FIRST_MONDAY: Millis = 4 * DAY;

const startOfMonth: CandleStart = (time) => {
  const date = new Date(time);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
};

/** The starts of candles, by the resolution in a stream's name: minutes, days, weeks from Monday, and months, in UTC. */
const STARTS = {
  '1': every(MINUTE),
  '5': every(5 * MINUTE),
  '15': every(15 * MINUTE),
  '30': every(30 * MINUTE),
  '60': every(60 * MINUTE),
  '1D': every(DAY),
  '1W': every(7 * DAY, FIRST_MONDAY),
  '1M': startOfMonth,
} as const;

export type CandleResolution = keyof typeof STARTS;
export const CANDLE_RESOLUTIONS = Object.keys(STARTS) as readonly CandleResolution[];

interface Candle {
  readonly start: Millis;
  readonly open: Ticks;
  readonly high: Ticks;
  readonly low: Ticks;
  readonly close: Ticks;
  readonly volume: Lots;
}

/**
 * Returns the stream of a market's candles: a frame for each candle in which something was traded since the last call, oldest first. The first candle
 * includes its trades from before the stream, as far as the exchange still lists them.
 */
export function candleFrames(exchange: Exchange, market: Market, resolution: CandleResolution): FrameSource {
  const startOf = STARTS[resolution];
  const tradesAfter = (after: number, since?: Millis) =>
    exchange.records.tradesSince({ marketId: market.id, since }, { after, most: Number.POSITIVE_INFINITY });
  const earlier = tradesAfter(0, startOf(exchange.now()));
  let candle = candlesOf(earlier, startOf, undefined).at(-1);
  let after = Number(exchange.trades({ pageSize: 1 }).items[0]?.tradeId ?? 0);
  return {
    changes: () => {
      const trades = tradesAfter(after);
      const candles = candlesOf(trades, startOf, candle);
      candle = candles.at(-1) ?? candle;
      after = Number(trades.at(-1)?.tradeId ?? after);
      return candles.map((changed) => candleRow(market, resolution, changed));
    },
  };
}

/** Returns the candles that contain the trades, oldest first. The first one continues `last` if it is the same candle. */
function candlesOf(trades: readonly SimTrade[], startOf: CandleStart, last: Candle | undefined): readonly Candle[] {
  const candles: Candle[] = [];
  for (const { time, price, size } of trades) {
    const start = startOf(time);
    const newest = candles.at(-1) ?? last;
    if (newest?.start !== start) {
      candles.push({ start, open: price, high: price, low: price, close: price, volume: size });
      continue;
    }
    const high = price > newest.high ? price : newest.high;
    const low = price < newest.low ? price : newest.low;
    const grown = { ...newest, high, low, close: price, volume: lots(newest.volume + size) };
    candles.splice(Math.max(0, candles.length - 1), 1, grown);
  }
  return candles;
}

/** `t` is the start of the candle in Unix seconds. */
const candleRow = (market: Market, res: CandleResolution, { start, open, high, low, close, volume }: Candle): Json => ({
  res,
  mid: market.id,
  t: start / 1_000,
  o: market.price(open),
  h: market.price(high),
  l: market.price(low),
  c: market.price(close),
  v: market.size(volume),
});
