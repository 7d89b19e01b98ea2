// Which candles to request from an exchange that has only some lengths.
import { DAY, HOUR, MINUTE, type Millis } from '../../../base/clock.ts';
import type { CandleRequest } from '../port.ts';

/** The lengths that every exchange here has, longest first. */
const LENGTHS: readonly Millis[] = [DAY, 4 * HOUR, HOUR, 15 * MINUTE, 5 * MINUTE, MINUTE];

/** Returns the longest length that divides the wanted one, and the start of the first candle of the wanted length, in exchange milliseconds. */
export function candlesToRequest({ span, count, until }: CandleRequest): { readonly length: Millis; readonly startTime: Millis } {
  const length = LENGTHS.find((candidate) => span % candidate === 0) ?? MINUTE;
  return { length, startTime: until - (until % span) - count * span };
}
