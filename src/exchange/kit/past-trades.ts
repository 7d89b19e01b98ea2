// Builds the minute candles from before the start out of public trades, for an exchange without candles.
import type { Millis } from '../../base/clock.ts';
import { MINUTE } from '../../base/spans.ts';
import type { Candle } from '../../domain/candle.ts';
import { lots, ticks } from '../../domain/numbers.ts';
import type { Trade } from '../../domain/order.ts';
import type { CandlesAsked, PastCandles } from '../port.ts';

/** Maximum number of pages read per market. */
const MAX_PAGES = 50;

/**
 * Reads pages of trades, newest first, back to `from` or at most MAX_PAGES. Returns the finished minutes with a trade, oldest first. The oldest
 * minute is left out if older trades were not read.
 */
async function minutesOfTrades(
  pages: AsyncIterable<readonly Trade[]>,
  { from, until }: { readonly from: Millis; readonly until: Millis },
): Promise<readonly Candle[]> {
  const minutes = new Map<Millis, Candle>();
  let [read, oldest] = [0, Number.POSITIVE_INFINITY];
  for await (const page of pages) {
    for (const trade of [...page].sort((a, b) => b.time - a.time)) {
      oldest = Math.min(oldest, trade.time);
      const start = trade.time - (trade.time % MINUTE);
      if (start >= from && start + MINUTE <= until) minutes.set(start, before(minutes.get(start), trade, start));
    }
    read += 1;
    if (oldest < from || read === MAX_PAGES) break;
  }
  if (oldest >= from) minutes.delete(oldest - (oldest % MINUTE));
  return [...minutes.values()].reverse();
}

/** Extends a minute by an earlier trade. */
function before(minute: Candle | undefined, { price, size }: Trade, start: Millis): Candle {
  if (minute === undefined) return { start, open: price, high: price, low: price, close: price, volume: size };
  const [high, low] = [ticks(Math.max(minute.high, price)), ticks(Math.min(minute.low, price))];
  return { start, open: price, high, low, close: minute.close, volume: lots((minute.volume ?? 0) + size) };
}

/** Read this much earlier: an older trade shows that the oldest minute is complete. */
const BEFORE: Millis = MINUTE;

/** The `history` of a venue that has trades and no candles. `pages` returns the trades since a moment, newest first. */
export async function pastOfTrades(
  { span, count, until }: CandlesAsked,
  pages: (since: Millis) => AsyncIterable<readonly Trade[]>,
): Promise<PastCandles> {
  const from = until - (until % span) - count * span;
  return { span: MINUTE, candles: await minutesOfTrades(pages(from - BEFORE), { from, until }) };
}
