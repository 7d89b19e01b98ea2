// Slows polling down on candles: at live intervals a bot would read the same data millions of times.
import type { Polling } from '../../bot/exchange/kit/streams/polling.ts';
import { playedOf } from '../../embedded/recording/tapes.ts';
import type { Tape } from '../../embedded/tape/reader.ts';

/** Returns the factor by which polling is slower than live: the length of the longest candle in polls of the order book; 1 without candles. */
export function paceOf(tapes: readonly Tape[], { orderBookMs }: Polling): number {
  const lengths = candleLengths(tapes);
  return lengths.length === 0 ? 1 : Math.max(1, Math.max(...lengths) / orderBookMs);
}

/** Returns the candle lengths of the played tapes. */
const candleLengths = (tapes: readonly Tape[]): readonly number[] =>
  playedOf(tapes).flatMap(({ header: { books, pollMs } }) => (books === 'candles' && pollMs !== undefined ? [pollMs] : []));

export function pacedPolling({ requestsPerSecond, ...intervals }: Polling, pace: number): Polling {
  return { ...(stretched(intervals, pace) as typeof intervals), requestsPerSecond };
}

/** Raises the `data-age` limits by the same factor. */
export function pacedLimits(limits: Readonly<Record<string, unknown>>, pace: number): Readonly<Record<string, unknown>> {
  const ages = limits['data-age'];
  return typeof ages === 'object' && ages !== null ? { ...limits, 'data-age': stretched(ages, pace) } : limits;
}

const stretched = (spans: object, pace: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(spans).map(([name, span]: [string, unknown]) => [name, typeof span === 'number' ? span * pace : span]));
