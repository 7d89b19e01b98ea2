// Indicators for strategies: two that count time, and some from trading-signals that count updates.
import { ATR, BollingerBands, RSI, SMA } from 'trading-signals';
import type { Millis } from '../base/clock.ts';

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

/** The prices of a candle that `atr` needs. A `CandleView` is one. */
export interface Candle {
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** The result of `bollinger`, in price. */
export interface Bands {
  readonly lower: number;
  readonly middle: number;
  readonly upper: number;
}

/**
 * Exponential average in which the weight of a value halves with each half-life; irregular updates are weighted by the time between them. No warm-up:
 * it starts at the first value.
 */
export function ewma(halfLifeMs: Millis): TimedIndicator<number> {
  let last: { readonly value: number; readonly at: Millis } | undefined;
  return {
    update(value, at) {
      const kept = last === undefined ? 0 : 2 ** (-(at - last.at) / halfLifeMs);
      last = { value: last === undefined ? value : value + kept * (last.value - value), at };
      return last.value;
    },
  };
}

/**
 * Realised volatility in basis points per square-root second: the root of squared log returns over the time they took, both averaged with the
 * half-life. Multiply by the root of the seconds ahead. Undefined until one half-life has passed since the first price.
 */
export function realisedVolatility(halfLifeMs: Millis): TimedIndicator<number | undefined> {
  let first: Millis | undefined;
  let last: { readonly log: number; readonly at: Millis } | undefined;
  let [squares, seconds] = [0, 0];
  return {
    update(price, at) {
      const log = Math.log(price);
      if (last !== undefined) {
        const kept = 2 ** (-(at - last.at) / halfLifeMs);
        squares = kept * squares + (log - last.log) ** 2;
        seconds = kept * seconds + (at - last.at) / 1000;
      }
      first ??= at;
      last = { log, at };
      return at - first < halfLifeMs ? undefined : 1e4 * Math.sqrt(squares / seconds);
    },
  };
}

/** Simple average of the last `interval` values; undefined until there are as many. */
export const sma = (interval: number): Indicator<number, number> => counting(new SMA(interval));

/** Relative strength, 0 to 100, with Wilder's smoothing; `interval` at least 2. Undefined until there are `interval` + 1 values. */
export const rsi = (interval: number): Indicator<number, number> => counting(new RSI(interval));

/** Average true range of candles, in price, with Wilder's smoothing; undefined until there are `interval` candles. */
export const atr = (interval: number): Indicator<Candle, number> => counting(new ATR(interval));

/** The simple average and the prices `deviations` population standard deviations away; undefined until there are `interval` values. */
export const bollinger = (interval: number, deviations = 2): Indicator<number, Bands> => counting(new BollingerBands(interval, deviations));

const counting = <Input, Result>(source: { add(input: Input): Result | null }): Indicator<Input, Result> => ({
  update: (input) => source.add(input) ?? undefined,
});
