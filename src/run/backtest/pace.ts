// Slows polling down on candles. At live intervals a bot would see the same data for minutes, millions of times.

import { POINTS } from '../../embedded/recorded/candle-path.ts';
import type { Polling } from '../../exchange/kit/polling.ts';
import type { Tape } from '../../tape/reader.ts';

/**
 * Returns the factor by which polling is slower than live. If all tapes are of candles, there is one poll for each point of the path within the
 * shortest candle; otherwise the factor is 1.
 */
export function paceOf(tapes: readonly Tape[], { orderBookMs }: Polling): number {
  const lengths = tapes.flatMap(({ header: { books, pollMs } }) => (books === 'candles' && pollMs !== undefined ? [pollMs] : []));
  return lengths.length < tapes.length ? 1 : Math.max(1, Math.min(...lengths) / POINTS / orderBookMs);
}

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
