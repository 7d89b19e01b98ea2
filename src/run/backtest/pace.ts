// Candles are slow: a bot that looked at them as often as at a live market would see the same for minutes, millions of times.

import { POINTS } from '../../embedded/recorded/candle-path.ts';
import type { Polling } from '../../exchange/kit/polling.ts';
import type { Tape } from '../../tape/reader.ts';

/** How many times slower than a live run everything is looked at: on candles, once for each point of the way inside the shortest; else 1. */
export function paceOf(tapes: readonly Tape[], { orderBookMs }: Polling): number {
  const lengths = tapes.flatMap(({ header: { books, pollMs } }) => (books === 'candles' && pollMs !== undefined ? [pollMs] : []));
  return lengths.length < tapes.length ? 1 : Math.max(1, Math.min(...lengths) / POINTS / orderBookMs);
}

export function pacedPolling({ requestsPerSecond, ...intervals }: Polling, pace: number): Polling {
  return { ...(stretched(intervals, pace) as typeof intervals), requestsPerSecond };
}

/** What is looked at more seldom may be so much older. */
export function pacedLimits(limits: Readonly<Record<string, unknown>>, pace: number): Readonly<Record<string, unknown>> {
  const ages = limits['data-age'];
  return typeof ages === 'object' && ages !== null ? { ...limits, 'data-age': stretched(ages, pace) } : limits;
}

const stretched = (spans: object, pace: number): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(spans).map(([name, span]: [string, unknown]) => [name, typeof span === 'number' ? span * pace : span]));
