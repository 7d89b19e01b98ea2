// What all indicators share: their two interfaces, the candles that they are fed with, and the check of an interval.
// `timed.ts`: those that count time. `price.ts`: those of a price. `candle.ts`: those of a candle.
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';

/** Takes a value and its time, which is the view's `now`. */
export interface TimedIndicator<Result> {
  /** Adds a value and returns the result up to `at`, in milliseconds. */
  update(value: number, at: Millis): Result;
}

/** Takes one value after another. Its unit of time is the update, so update it at a steady pace. */
export interface Indicator<Input, Result> {
  /** Undefined until it has enough values. */
  update(input: Input): Result | undefined;
}

/** The prices of a candle that an indicator needs. A `CandleView` is one. */
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

/** Makes an indicator of one from trading-signals, which returns null until it has enough values. */
export const counting = <Input, Result>(source: { add(input: Input): Result | null }): Indicator<Input, Result> => ({
  update: (input) => source.add(input) ?? undefined,
});

/** Returns the interval. Throws a `UserError` unless it is a whole number of at least `least`. */
export function interval(of: string, value: number, least = 1): number {
  if (Number.isInteger(value) && value >= least) return value;
  throw new UserError({ code: 'params', message: `${of}: ${value} is not a whole number of at least ${least}` });
}
