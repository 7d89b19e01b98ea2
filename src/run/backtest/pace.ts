// Slows polling down on candles: at live intervals a bot would read the same data millions of times.

import { UserError } from '../../base/errors.ts';
import { type CandlePathOptions, CORNERS } from '../../embedded/recorded/candle-path.ts';
import type { LookTimes } from '../../exchange/embedded/looks.ts';
import type { Polling } from '../../exchange/kit/streams/polling.ts';
import type { Tape } from '../../tape/reader.ts';
import { playedOf } from './tapes.ts';

/**
 * Returns the factor by which polling is slower than live. If the tapes are of candles, there are as many polls of the order book as looks within the
 * longest candle; otherwise the factor is 1.
 */
export function paceOf(tapes: readonly Tape[], { orderBookMs }: Polling, { looks }: Pick<CandlePathOptions, 'looks'>): number {
  const lengths = candleLengths(tapes);
  return lengths.length === 0 ? 1 : Math.max(1, Math.max(...lengths) / looks / orderBookMs);
}

/**
 * Returns when all data is requested together; undefined for order books, which are polled. With candles of several lengths, after the end of the
 * longest: within it, its market does not move while the others do, so a strategy that saw both would know its next price.
 */
export function looksOf(tapes: readonly Tape[], { looks }: Pick<CandlePathOptions, 'looks'>): LookTimes | undefined {
  const lengths = candleLengths(tapes);
  if (lengths.length === 0) return undefined;
  const shortest = Math.min(...lengths);
  if (looks > 1 && shortest < Math.max(...lengths))
    throw new UserError({
      code: 'looks',
      message: `candles of several lengths are read only once, after the end of the longest; --looks ${looks} was given`,
      hint: 'leave --looks out, or give tapes with candles of one length',
    });
  return { every: looks === 1 ? undefined : shortest / looks, restsMs: shortest / looks / CORNERS };
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
