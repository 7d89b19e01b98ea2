// Which candles to request from an exchange that has only some lengths.
import { DAY, HOUR, MINUTE, type Millis } from '../../base/clock.ts';
import type { CandleRequest } from '../../bot/exchange/port.ts';

/** The lengths that a strategy can use, longest first. */
export const CANDLE_LENGTHS: readonly Millis[] = [DAY, 4 * HOUR, HOUR, 15 * MINUTE, 5 * MINUTE, MINUTE];

/**
 * Returns the longest length that divides the wanted one, and the start of the first candle of the wanted length, in milliseconds of the exchange's clock. `lengths`: those
 * that the exchange has, longest first.
 */
export function candlesToRequest(
  { span, count, until }: CandleRequest,
  lengths = CANDLE_LENGTHS,
): { readonly length: Millis; readonly startTime: Millis } {
  const length = lengths.find((candidate) => span % candidate === 0) ?? MINUTE;
  return { length, startTime: until - (until % span) - count * span };
}
