// Statistics of the Sharpe ratio of the best of many trials: per step of equal time, not annualised.
import { type Moments, probabilisticSharpe, sharpeOf, sharpeSpread, sum } from '../../base/statistics/moments.ts';
import { normalQuantile } from '../../base/statistics/normal.ts';

/** Returns MinTRL: the number of steps after which PSR(benchmark) would reach the confidence; Infinity if the ratio is not above the benchmark. */
export function minimumTrackRecord(
  moments: Moments,
  { benchmark = 0, confidence = 0.95 }: { benchmark?: number; confidence?: number } = {},
): number {
  const sharpe = sharpeOf(moments);
  if (sharpe <= benchmark) return Infinity;
  return 1 + sharpeSpread(moments, sharpe) * (normalQuantile(confidence) / (sharpe - benchmark)) ** 2;
}

const EULER = 0.5772156649015329;

/** Returns the expected maximum of N independent standard normal values (N ≥ 2); 0 for one. */
export function expectedMaximum(trials: number): number {
  if (trials < 2) return 0;
  return (1 - EULER) * normalQuantile(1 - 1 / trials) + EULER * normalQuantile(1 - 1 / (trials * Math.E));
}

/**
 * Returns DSR: PSR against the expected best ratio of as many trials without skill (Bailey and López de Prado 2014). `variance`: of the trials'
 * ratios.
 */
export const deflatedSharpe = (moments: Moments, { trials, variance }: { trials: number; variance: number }): number =>
  probabilisticSharpe(moments, Math.sqrt(variance) * expectedMaximum(trials));

/** Returns the effective number of independent trials: ρ̄ + (1 − ρ̄)·N, with ρ̄ the mean correlation. `columns`: the returns of each trial. */
export function effectiveTrials(columns: readonly (readonly number[])[]): number {
  const standard = columns.map(standardised);
  let total = 0;
  for (let i = 0; i < standard.length; i++)
    for (let j = i + 1; j < standard.length; j++) total += product(standard[i] ?? [], standard[j] ?? []);
  const pairs = (columns.length * (columns.length - 1)) / 2;
  const correlation = pairs === 0 ? 1 : total / pairs;
  return correlation + (1 - correlation) * columns.length;
}

function standardised(values: readonly number[]): readonly number[] {
  const mean = sum(values) / values.length;
  const size = Math.sqrt(sum(values.map((value) => (value - mean) ** 2)));
  return values.map((value) => (size > 0 ? (value - mean) / size : 0));
}

const product = (some: readonly number[], others: readonly number[]): number =>
  some.reduce((total, value, at) => total + value * (others[at] ?? 0), 0);
