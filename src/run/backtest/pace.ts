// Slows polling down on candles. At live intervals a bot would see the same data for minutes, millions of times.

import type { CandlePathOptions } from '../../embedded/recorded/candle-path.ts';
import type { Polling } from '../../exchange/kit/streams/polling.ts';
import type { Tape } from '../../tape/reader.ts';

/**
 * Returns the factor by which polling is slower than live. If all tapes are of candles, there are as many polls of the order book as looks within the
 * shortest candle; otherwise the factor is 1.
 */
export function paceOf(tapes: readonly Tape[], { orderBookMs }: Polling, { looks }: Pick<CandlePathOptions, 'looks'>): number {
  const lengths = candleLengths(tapes);
  return lengths.length < tapes.length ? 1 : Math.max(1, Math.min(...lengths) / looks / orderBookMs);
}

/** True if everything can be asked for together, after the end of each candle. */
export const hasOneLook = (tapes: readonly Tape[], { looks }: Pick<CandlePathOptions, 'looks'>): boolean =>
  looks === 1 && candleLengths(tapes).length === tapes.length;

const candleLengths = (tapes: readonly Tape[]): readonly number[] =>
  tapes.flatMap(({ header: { books, pollMs } }) => (books === 'candles' && pollMs !== undefined ? [pollMs] : []));

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
