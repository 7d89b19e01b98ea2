// Common parts of all indicators: the two interfaces, the type of a candle, and the check of an interval.
// `timed.ts`: indicators weighted by time. `price.ts`: of a price. `candle.ts`: of a candle.
// A missing candle is no update: after a gap the length of an indicator reaches further back in time.
import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';

/** An indicator that is updated with a value and its time, which is the view's `now`. */
export interface TimedIndicator<Result> {
  /** Adds a value and returns the result up to `at`, in milliseconds. */
  update(value: number, at: Millis): Result;
}

/** An indicator that is updated with a value. Its unit of time is the update, so update it at constant intervals. */
export interface Indicator<Input, Result> {
  /** Adds a value and returns the result; undefined until there are enough values. */
  update(input: Input): Result | undefined;
}

/** The prices of a candle that indicators use. A `CandleView` can be passed. */
export interface Candle {
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** The result of `bollinger`, `donchian` and `keltner`, in price. */
export interface Bands {
  readonly lower: number;
  readonly middle: number;
  readonly upper: number;
}

/** Wraps an indicator of trading-signals, which returns null until it has enough values. */
export const fromLibrary = <Input, Result>(source: { add(input: Input): Result | null }): Indicator<Input, Result> => ({
  update: (input) => source.add(input) ?? undefined,
});

/** Returns the interval. Throws a `UserError` unless it is a whole number of at least `min`. */
export function interval(of: string, value: number, min = 1): number {
  if (Number.isInteger(value) && value >= min) return value;
  throw new UserError({ code: 'params', message: `${of}: ${value} is not a whole number of at least ${min}` });
}
