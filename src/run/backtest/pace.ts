// Slows polling down on candles. At live intervals a bot would see the same data for minutes, millions of times.

import type { CandlePathOptions } from '../../embedded/recorded/candle-path.ts';
import type { LookTimes } from '../../exchange/embedded/looks.ts';
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

/** When everything is asked for together; undefined if there is a tape that is not of candles, which is polled. */
export function looksOf(tapes: readonly Tape[], { looks }: Pick<CandlePathOptions, 'looks'>): LookTimes | undefined {
  const lengths = candleLengths(tapes);
  if (lengths.length < tapes.length) return undefined;
  return { every: looks === 1 ? undefined : Math.min(...lengths) / looks };
}

/** Looks within each candle of a tape: more than `looks` if another tape has shorter candles. */
export function looksWithin(tape: Tape, tapes: readonly Tape[], candles: Pick<CandlePathOptions, 'looks'>): number {
  const every = looksOf(tapes, candles)?.every;
  const { pollMs } = tape.header;
  if (every === undefined || pollMs === undefined) return candles.looks;
  return DIVISORS.find((looks) => looks >= pollMs / every) ?? DIVISORS.at(-1)!;
}

/** Numbers of looks that divide the steps of a way through a candle. */
const DIVISORS = [4, 12, 24, 48, 60, 80, 120, 240] as const;

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
