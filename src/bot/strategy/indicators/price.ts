// Indicators of a price, one value an update. Equal to TA-Lib value by value (test/unit/strategy/indicator-values.test.ts).
// Averages by time instead of by number of values (`ewma`): `timed.ts`.
import { BollingerBands, EMA, RSI, SMA } from 'trading-signals';
import { UserError } from '../../../base/errors.ts';
import { type Bands, fromLibrary, type Indicator, interval } from './indicator.ts';

/** The result of `macd`, in price. */
export interface Macd {
  /** The fast average minus the slow one. */
  readonly macd: number;
  /** The average of `macd`. */
  readonly signal: number;
  /** `macd` minus `signal`. */
  readonly histogram: number;
}

/** Simple average of the last `length` values; undefined until there are as many. */
export const sma = (length: number): Indicator<number, number> => fromLibrary(new SMA(interval('sma', length)));

/**
 * Exponential average with the weight 2 / (`length` + 1). It starts as the simple average of the first `length` values, and is undefined until there
 * are as many.
 */
export function ema(length: number): Indicator<number, number> {
  const [seed, average] = [new SMA(interval('ema', length)), new EMA(length)];
  let seeded = false;
  return {
    update(value) {
      const next = seeded ? value : seed.add(value);
      if (next === null) return undefined;
      seeded = true;
      return average.add(next) ?? undefined;
    },
  };
}

/**
 * Moving average convergence divergence: `fast` minus `slow` exponential average, and the average of that. Undefined until there are
 * `slow` + `signal` − 1 values. Throws a `UserError` unless `fast` is below `slow`.
 */
export function macd(fast = 12, slow = 26, signal = 9): Indicator<number, Macd> {
  if (fast >= slow) throw new UserError({ code: 'params', message: `macd: fast ${fast} is not below slow ${slow}` });
  const [fastAverage, slowAverage, signalAverage] = [ema(fast), ema(slow), ema(signal)];
  let early = slow - fast; // as in TA-Lib, both averages start at the same value
  return {
    update(value) {
      const long = slowAverage.update(value);
      const short = early > 0 ? undefined : fastAverage.update(value);
      early -= 1;
      if (long === undefined || short === undefined) return undefined;
      const line = short - long;
      const average = signalAverage.update(line);
      return average === undefined ? undefined : { macd: line, signal: average, histogram: line - average };
    },
  };
}

/**
 * Relative strength index, 0 to 100, with Wilder's smoothing; `length` at least 2. Undefined until there are `length` + 1 values; 100 while there was no
 * loss.
 */
export const rsi = (length: number): Indicator<number, number> => fromLibrary(new RSI(interval('rsi', length, 2)));

/** The simple average and the prices `deviations` population standard deviations away; undefined until there are `length` values. */
export const bollinger = (length: number, deviations = 2): Indicator<number, Bands> =>
  fromLibrary(new BollingerBands(interval('bollinger', length), deviations));
