// Builds past minute candles from public trades, for an exchange without candles.
import { MINUTE, type Millis } from '../../../base/clock.ts';
import type { Candle } from '../../domain/candle.ts';
import { lots, ticks } from '../../domain/numbers.ts';
import type { Trade } from '../../domain/order.ts';
import type { CandleRequest, PastCandles } from '../port.ts';

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
  let pagesRead = 0;
  let oldest = Number.POSITIVE_INFINITY;
  for await (const page of pages) {
    for (const trade of [...page].sort((a, b) => b.time - a.time)) {
      oldest = Math.min(oldest, trade.time);
      const start = trade.time - (trade.time % MINUTE);
      if (start >= from && start + MINUTE <= until) minutes.set(start, withEarlierTrade(minutes.get(start), trade, start));
    }
    pagesRead += 1;
    if (oldest < from || pagesRead === MAX_PAGES) break;
  }
  if (oldest >= from) minutes.delete(oldest - (oldest % MINUTE));
  return [...minutes.values()].reverse(); // filled newest first
}

/** Returns the minute with a trade added that is earlier than the others in it, so that its price is the open. */
function withEarlierTrade(minute: Candle | undefined, { price, size }: Trade, start: Millis): Candle {
  if (minute === undefined) return { start, open: price, high: price, low: price, close: price, volume: size };
  return {
    start,
    open: price,
    high: ticks(Math.max(minute.high, price)),
    low: ticks(Math.min(minute.low, price)),
    close: minute.close,
    volume: lots((minute.volume ?? 0) + size),
  };
}

/** How much earlier than the first candle trades are read: an older trade shows that the oldest minute is complete. */
const EARLIER: Millis = MINUTE;

/** Returns the minute candles built from trades; the `history` of a venue without candles. `pages` reads the trades since a time, newest first. */
export async function pastOfTrades(
  { span, count, until }: CandleRequest,
  pages: (since: Millis) => AsyncIterable<readonly Trade[]>,
): Promise<PastCandles> {
  const from = until - (until % span) - count * span;
  return { span: MINUTE, candles: await minutesOfTrades(pages(from - EARLIER), { from, until }) };
}
