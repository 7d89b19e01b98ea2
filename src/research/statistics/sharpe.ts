// Statistics of the Sharpe ratio of the best of many trials: per step of equal time, not annualised.
import { type Moments, momentsOf, probabilisticSharpe, sharpeOf, sharpeSpread } from '../../base/statistics/moments.ts';
import { normalQuantile, studentCdf, studentQuantile } from '../../base/statistics/normal.ts';
import { sum } from '../../base/statistics/sum.ts';

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

/** Returns MinBTL: the years of data below which this many trials show such an annual ratio by chance alone. */
export const minimumBacktestYears = (trials: number, annualSharpe: number): number => (expectedMaximum(trials) / annualSharpe) ** 2;

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

/**
 * Returns the factor from a ratio per step to one over `steps` steps, given the autocorrelations of the returns (Lo 2002); √steps without
 * autocorrelation.
 */
export function loFactor(returns: readonly number[], steps: number): number {
  const { mean } = momentsOf(returns);
  const away = returns.map((value) => value - mean);
  const variance = product(away, away);
  let correlated = 0;
  for (let lag = 1; lag < steps; lag++) correlated += (steps - lag) * (product(away.slice(lag), away.slice(0, -lag)) / variance);
  return steps / Math.sqrt(steps + 2 * correlated);
}

/** Returns a Sharpe ratio after Bonferroni's correction for multiple tests (Harvey and Liu 2015): per step, with the p-values before and after. */
export function haircut(
  sharpe: number,
  { steps, tests }: { steps: number; tests: number },
): { t: number; p: number; adjusted: number; sharpe: number } {
  const t = sharpe * Math.sqrt(steps);
  const p = 2 * studentCdf(-Math.abs(t), steps - 1);
  const adjusted = Math.min(1, tests * p);
  return { t, p, adjusted, sharpe: studentQuantile(1 - adjusted / 2, steps - 1) / Math.sqrt(steps) };
}

/** Returns p-values corrected for multiple tests, in the given order: Holm, Benjamini-Hochberg or Benjamini-Yekutieli. */
export function corrected(values: readonly number[], method: 'holm' | 'bh' | 'by'): readonly number[] {
  const count = values.length;
  const order = values.map((_, index) => index).sort((a, b) => (values[a] ?? 0) - (values[b] ?? 0));
  const harmonic = sum(values.map((_, index) => 1 / (index + 1)));
  const raw = order.map((index, rank) => {
    const value = values[index] ?? 0;
    if (method === 'holm') return value * (count - rank);
    return (value * count * (method === 'by' ? harmonic : 1)) / (rank + 1);
  });
  if (method === 'holm') for (let rank = 1; rank < count; rank++) raw[rank] = Math.max(raw[rank] ?? 0, raw[rank - 1] ?? 0);
  else for (let rank = count - 2; rank >= 0; rank--) raw[rank] = Math.min(raw[rank] ?? 0, raw[rank + 1] ?? 0);
  const result = values.map(() => 0);
  for (const [rank, index] of order.entries()) result[index] = Math.min(1, raw[rank] ?? 0);
  return result;
}

const product = (some: readonly number[], others: readonly number[]): number =>
  some.reduce((total, value, at) => total + value * (others[at] ?? 0), 0);
