// Drawdowns of an equity curve: falls below the highest value so far, with dates, the largest ones, and the time under water.
import type { Millis } from '../../../../base/clock.ts';
import { type Curve, type Measure, type Missing, NO_EQUITY } from './curve.ts';

export interface Drawdown {
  /** Fraction of the peak: 0.1 is 10 %. */
  readonly fraction: number;
  readonly money: number;
  /** The last moment at the peak. */
  readonly peakAt: Millis;
  readonly troughAt: Millis;
  /** Time the peak was reached again; undefined if it was not. */
  readonly recoveredAt: Millis | undefined;
  /** Time from the peak to the recovery, or to the end of the curve. */
  readonly lastsMs: Millis;
}

/** Yields each fall from a peak above 0, in order of time. */
export function* drawdownsOf({ times, values, end }: Curve): Iterable<Drawdown> {
  let [peak, trough] = [0, -1]; // indices of the values; the value at `peak` holds until the next time
  const fallUntil = (recovery: number | undefined): Drawdown => {
    const [top, bottom, peakAt] = [values[peak]!, values[trough]!, times[peak + 1]!];
    const recoveredAt = recovery === undefined ? undefined : times[recovery]!;
    const lastsMs = (recoveredAt ?? end) - peakAt;
    return { fraction: 1 - bottom / top, money: top - bottom, peakAt, troughAt: times[trough]!, recoveredAt, lastsMs };
  };
  for (let at = 0; at < values.length; at++) {
    if (values[at]! < values[peak]!) {
      if (trough === -1 || values[at]! < values[trough]!) trough = at;
      continue;
    }
    if (trough !== -1 && values[peak]! > 0) yield fallUntil(at);
    [peak, trough] = [at, -1];
  }
  if (trough !== -1 && values[peak]! > 0) yield fallUntil(undefined);
}

/** Returns at most `count` drawdowns with the largest `(peak − trough) / peak`, largest first; of equal ones the earlier first. */
export function largestDrawdowns(equity: Curve, count: number): readonly Drawdown[] {
  const largest: Drawdown[] = [];
  for (const fall of drawdownsOf(equity)) {
    if (largest.length === count && fall.fraction <= largest[count - 1]!.fraction) continue;
    const place = largest.findIndex(({ fraction }) => fraction < fall.fraction);
    largest.splice(place === -1 ? largest.length : place, 0, fall);
    largest.length = Math.min(largest.length, count);
  }
  return largest;
}

/** Returns the drawdown with the largest `(peak − trough) / peak`, the first if several are equal. The peak is the highest equity so far. */
export function maxDrawdown(equity: Curve): Drawdown | Missing {
  const { times, values } = equity;
  if (values.length === 0) return NO_EQUITY;
  const [largest] = largestDrawdowns(equity, 1);
  if (largest !== undefined) return largest;
  const peak = values.reduce((best, value, at) => (value >= values[best]! ? at : best), 0);
  if (!(values[peak]! > 0)) return { missing: 'the equity was never positive' };
  const at = times[peak]!;
  return { fraction: 0, money: 0, peakAt: at, troughAt: at, recoveredAt: at, lastsMs: 0 };
}

/** Fraction of the time in which the equity was below its highest value so far. */
export function timeUnderWater(equity: Curve): Measure {
  const [start] = equity.times;
  if (start === undefined) return NO_EQUITY;
  let below = 0;
  for (const { lastsMs } of drawdownsOf(equity)) below += lastsMs;
  return { value: equity.end > start ? below / (equity.end - start) : 0 };
}

/** `1 − equity / highest equity so far` for each value; 0 if the peak is not positive. */
export function belowPeak({ values }: Curve): Float64Array {
  let peak = -Infinity;
  return values.map((value) => {
    peak = Math.max(peak, value);
    return peak > 0 ? 1 - value / peak : 0;
  });
}
