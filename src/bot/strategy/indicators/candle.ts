// Indicators of candles, updated with one finished candle at a time. Verified by test/unit/strategy/indicator-values.test.ts.
import { ATR, DonchianChannels, StochasticOscillator, SuperTrend, TR, TradingSignal, VWAP, WSMA } from 'trading-signals';
import { DAY, type Millis } from '../../../base/clock.ts';
import { type Bands, type Candle, fromLibrary, type Indicator, interval } from './indicator.ts';
import { ema } from './price.ts';

/** The result of `adx`, each 0 to 100. */
export interface DirectionalMovement {
  /** The strength of the trend, up or down. */
  readonly adx: number;
  /** +DI, the strength of upward moves. */
  readonly plusDi: number;
  /** −DI, the strength of downward moves. */
  readonly minusDi: number;
}

/** The result of `stochastic`, each 0 to 100. */
export interface Stochastic {
  /** %K after its smoothing. */
  readonly k: number;
  /** %D, the average of `k`. */
  readonly d: number;
}

/** The result of `supertrend`. */
export interface Trend {
  /** The price at which the trend turns: below the market in an upward trend, above it in a downward one. */
  readonly price: number;
  readonly up: boolean;
}

/** A candle with opening time and volume, for `vwap`. A `CandleView` can be passed. */
export interface VolumeCandle extends Candle {
  readonly start: Millis;
  /** Undefined if unknown. */
  readonly volume: number | undefined;
}

/**
 * Average true range, in price, with Wilder's smoothing; undefined until there are `length` candles. The true range of the first candle is its high minus
 * its low.
 */
export const atr = (length: number): Indicator<Candle, number> => fromLibrary(new ATR(interval('atr', length)));

/** Wilder's average directional index and both directional indicators; undefined until there are 2 × `length` candles. */
export function adx(length = 14): Indicator<Candle, DirectionalMovement> {
  const [plus, minus, range] = [wilderSum(interval('adx', length, 2)), wilderSum(length), wilderSum(length)];
  const [ranges, average] = [fromLibrary(new TR()), fromLibrary(new WSMA(length))];
  let last: Candle | undefined;
  return {
    update(candle) {
      const size = ranges.update(candle);
      const before = last;
      last = candle;
      if (before === undefined || size === undefined) return undefined;
      const [up, down] = [candle.high - before.high, before.low - candle.low];
      const [plusSum, minusSum, rangeSum] = [plus(up > down && up > 0 ? up : 0), minus(down > up && down > 0 ? down : 0), range(size)];
      if (plusSum === undefined || minusSum === undefined || rangeSum === undefined) return undefined;
      const index = average.update(percent(Math.abs(plusSum - minusSum), plusSum + minusSum));
      return index === undefined ? undefined : { adx: index, plusDi: percent(plusSum, rangeSum), minusDi: percent(minusSum, rangeSum) };
    },
  };
}

const percent = (part: number, whole: number): number => (whole === 0 ? 0 : (100 * part) / whole);

/** Wilder's running sum: the first `length` − 1 values are added, and from then on each value replaces a `length`-th of the sum. */
function wilderSum(length: number): (value: number) => number | undefined {
  let [sum, seen] = [0, 0];
  return (value) => {
    seen += 1;
    sum += value - (seen < length ? 0 : sum / length);
    return seen < length ? undefined : sum;
  };
}

/** Donchian channel: the highest high, the lowest low, and their middle, of the last `length` candles; undefined until there are as many. */
export const donchian = (length = 20): Indicator<Candle, Bands> => fromLibrary(new DonchianChannels(interval('donchian', length)));

/** Keltner channel: the exponential average of the close, and `multiple` average true ranges away; undefined until both averages are defined. */
export function keltner(length = 20, rangeLength = 10, multiple = 2): Indicator<Candle, Bands> {
  const [middles, ranges] = [ema(length), atr(rangeLength)];
  return {
    update(candle) {
      const [middle, range] = [middles.update(candle.close), ranges.update(candle)];
      if (middle === undefined || range === undefined) return undefined;
      return { lower: middle - multiple * range, middle, upper: middle + multiple * range };
    },
  };
}

/**
 * Slow stochastic oscillator: the close within the range of the last `length` candles, averaged over `smoothing` values (`k`), and the average of that over
 * `signal` values (`d`). Undefined until there are `length` + `smoothing` + `signal` − 2 candles; 0 where the range is 0.
 */
export function stochastic(length = 14, smoothing = 3, signal = 3): Indicator<Candle, Stochastic> {
  const source = new StochasticOscillator({
    kPeriod: interval('stochastic', length),
    kSlowingPeriod: interval('stochastic', smoothing),
    dPeriod: interval('stochastic', signal),
  });
  return {
    update({ high, low, close }) {
      const result = source.add({ high, low, close });
      return result === null ? undefined : { k: result.stochK, d: result.stochD };
    },
  };
}

/**
 * Supertrend: a stop `multiple` average true ranges from the middle of the candle that only follows the trend; the trend turns when a candle closes beyond
 * it. Undefined until there are `length` candles.
 */
export function supertrend(length = 10, multiple = 3): Indicator<Candle, Trend> {
  const source = new SuperTrend({ interval: interval('supertrend', length), multiplier: multiple });
  return {
    update(candle) {
      const result = source.add(candle);
      return result === null ? undefined : { price: result.supertrend, up: result.trend === TradingSignal.BULLISH };
    },
  };
}

/**
 * Volume-weighted average of (high + low + close) / 3 since the session began. Sessions begin at whole multiples of `sessionMs` since 1970 UTC, so with the
 * default at midnight UTC. Undefined until a candle of the session had volume; a candle whose volume is 0 or undefined changes nothing.
 */
export function vwap(sessionMs: Millis = DAY): Indicator<VolumeCandle, number> {
  const span = interval('vwap', sessionMs);
  let session: number | undefined;
  let source = new VWAP();
  let last: number | undefined;
  return {
    update({ start, high, low, close, volume = 0 }) {
      const current = Math.floor(start / span);
      if (current !== session) [session, source, last] = [current, new VWAP(), undefined];
      last = source.add({ high, low, close, volume }) ?? last;
      return last;
    },
  };
}
