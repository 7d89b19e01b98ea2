// Performance figures of an equity curve: return, drawdown, Sharpe, Sortino, Calmar, turnover. Pure functions, each with its formula.
import type { Millis } from '../../base/clock.ts';

/** A step function of time: each value holds until the next one's time, the last until `end`. */
export interface Curve {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly end: Millis;
}

/** The reason, as text, why a figure has no value. */
export interface Missing {
  readonly missing: string;
}
export type Measure = { readonly value: number } | Missing;

/** Returns over equal intervals, not annualised. */
export interface Returns {
  readonly intervalMs: Millis;
  readonly values: readonly number[];
}

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

const NO_EQUITY: Missing = { missing: 'no account was seen' };
/** A year of 365 days of 24 hours: perpetuals trade all the time. */
const YEAR_MS = 365 * 24 * 3_600_000;
/** Return intervals. The longest with at least `FEWEST` returns is used. */
const INTERVALS_MS = [24 * 3_600_000, 3_600_000, 300_000] as const;
const SHORTEST_MS = 300_000;
const FEWEST = 30;

/** `equity(end) − equity(start)`. Includes unrealised profit and transfers. */
export function equityChange({ values }: Curve): Measure {
  const first = values[0];
  return first === undefined ? NO_EQUITY : { value: values.at(-1)! - first };
}

/** `equity(end) / equity(start) − 1`, not annualised. */
export function totalReturn({ values }: Curve): Measure {
  const first = values[0];
  if (first === undefined) return NO_EQUITY;
  return first > 0 ? { value: values.at(-1)! / first - 1 } : { missing: 'the run began with no equity' };
}

/** `Σ value × duration / Σ duration`; the last value if the curve has no duration. */
export function timeAverage({ times, values, end }: Curve): Measure {
  if (values.length === 0) return NO_EQUITY;
  const span = end - times[0]!;
  if (span <= 0) return { value: values.at(-1)! };
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * ((times[i + 1] ?? end) - times[i]!);
  return { value: sum / span };
}

/** The largest `(peak − trough) / peak`, the first if several are equal. The peak is the highest equity so far. */
export function maxDrawdown({ times, values, end }: Curve): Drawdown | Missing {
  if (values.length === 0) return NO_EQUITY;
  let [peak, deepestPeak, trough, fraction] = [0, 0, 0, 0];
  for (let i = 0; i < values.length; i++) {
    if (values[i]! >= values[peak]!) peak = i;
    const below = values[peak]! > 0 ? 1 - values[i]! / values[peak]! : 0;
    if (below > fraction) [deepestPeak, trough, fraction] = [peak, i, below];
  }
  if (!(values[peak]! > 0)) return { missing: 'the equity was never positive' };
  const top = values[deepestPeak]!;
  const recovery = fraction === 0 ? trough : values.findIndex((value, i) => i > trough && value >= top);
  const recoveredAt = recovery === -1 ? undefined : times[recovery]!;
  const [peakAt, troughAt] = [times[fraction === 0 ? trough : deepestPeak + 1]!, times[trough]!];
  return { fraction, money: top - values[trough]!, peakAt, troughAt, recoveredAt, lastsMs: (recoveredAt ?? end) - peakAt };
}

/** `1 − equity / highest equity so far` for each value; 0 if the peak is not positive. */
export function drawdowns({ values }: Curve): Float64Array {
  let peak = -Infinity;
  return values.map((value) => {
    peak = Math.max(peak, value);
    return peak > 0 ? 1 - value / peak : 0;
  });
}

/** `r_i = equity(t_i) / equity(t_{i−1}) − 1` over days, hours or five minutes: the longest interval with at least 30 returns. */
export function returnsOf({ times, values, end }: Curve): Returns | Missing {
  if (values.length === 0) return NO_EQUITY;
  const start = times[0]!;
  const intervalMs = INTERVALS_MS.find((interval) => end - start >= FEWEST * interval);
  if (intervalMs === undefined) return tooShort(end - start);
  const returns: number[] = [];
  let [row, before] = [0, values[0]!];
  for (let time = start + intervalMs; time <= end; time += intervalMs) {
    while (row + 1 < times.length && times[row + 1]! <= time) row++;
    if (!(before > 0)) return { missing: 'the equity was not always positive' };
    returns.push(values[row]! / before - 1);
    before = values[row]!;
  }
  return { intervalMs, values: returns };
}

/** `mean(r) / sd(r) × √(year / interval)`, with the sample deviation (n − 1), a risk-free rate of 0, and a year of 365 days of 24 hours. */
export function sharpe(returns: Returns | Missing): Measure {
  if ('missing' in returns) return returns;
  const average = mean(returns.values);
  const variance = returns.values.reduce((sum, value) => sum + (value - average) ** 2, 0) / (returns.values.length - 1);
  return annualised(average, Math.sqrt(variance), { returns, without: 'the equity did not vary' });
}

/** `mean(r) / √(Σ min(r, 0)² / n) × √(year / interval)`: like Sharpe, but only losses count as risk. */
export function sortino(returns: Returns | Missing): Measure {
  if ('missing' in returns) return returns;
  const downside = Math.sqrt(mean(returns.values.map((value) => Math.min(value, 0) ** 2)));
  return annualised(mean(returns.values), downside, { returns, without: 'no interval lost' });
}

/** `(equity(end) / equity(start) − 1) × (year / span) / max drawdown`. The return is scaled to a year, not compounded. */
export function calmar(equity: Curve): Measure {
  const [total, drawdown] = [totalReturn(equity), maxDrawdown(equity)];
  if ('missing' in total) return total;
  if ('missing' in drawdown) return drawdown;
  const span = equity.end - equity.times[0]!;
  if (span < FEWEST * SHORTEST_MS) return tooShort(span);
  return drawdown.fraction > 0 ? { value: (total.value * YEAR_MS) / span / drawdown.fraction } : { missing: 'the equity never fell' };
}

/** `volume / time average of equity`, both in quote money. */
export function turnover(volume: number, equity: Curve): Measure {
  const average = timeAverage(equity);
  if ('missing' in average) return average;
  return average.value > 0 ? { value: volume / average.value } : { missing: 'the average equity is not positive' };
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** A deviation up to this is rounding noise of doubles and counts as 0. */
const NOISE = 1e-12;

function annualised(average: number, risk: number, { returns, without }: { returns: Returns; without: string }): Measure {
  return risk > NOISE ? { value: (average / risk) * Math.sqrt(YEAR_MS / returns.intervalMs) } : { missing: without };
}

const tooShort = (span: Millis): Missing => ({
  missing: `${Math.floor(span / 60_000)} min are too short: at least ${FEWEST} returns over ${SHORTEST_MS / 60_000} min are needed`,
});
