// The statistics of a sweep: whether the best point is better than chance.
import type { Millis } from '../../base/clock.ts';
import { rngFrom } from '../../base/rng.ts';
import { type Moments, momentsOf, probabilisticSharpe, sharpeOf } from '../../base/statistics/moments.ts';
import { overfitting } from '../statistics/overfitting.ts';
import { deflatedSharpe, effectiveTrials, minimumTrackRecord } from '../statistics/sharpe.ts';
import { superiority } from '../statistics/superior.ts';

/** Fewest returns for the statistics. */
export const FEWEST_STEPS = 60;
/** Number of blocks that the PBO splits the returns into. */
const PBO_BLOCKS = 12;
const RESAMPLES = 1_000;
/** Mean length of a block of the bootstrap, in steps. */
const BLOCK_STEPS = 10;

export interface SweepFigures {
  /** The number of trials that the deflated Sharpe ratio counts. */
  readonly trials: number;
  /**
   * Deflated Sharpe ratio: the probability that the best Sharpe ratio exceeds the highest one expected from the same number of trials without skill.
   * Undefined without enough returns.
   */
  readonly dsr: number | undefined;
  /** Probability of backtest overfitting. Undefined for one trial or without enough returns. */
  readonly pbo: number | undefined;
  /** p-value of Hansen's SPA test: the probability of a best trial this good if no trial has an expected profit. */
  readonly spa: number | undefined;
  /** PSR(0), the probability that the Sharpe ratio is above 0: of the best trial, and the median of all. Undefined without enough returns. */
  readonly psr: { readonly best: number; readonly median: number } | undefined;
  /** The time after which the Sharpe ratio of the best would be above 0 with 95 % confidence; Infinity if it is not above 0. */
  readonly minTrackRecordMs: number | undefined;
}

const NOTHING = { psr: undefined, dsr: undefined, pbo: undefined, spa: undefined, minTrackRecordMs: undefined };

export interface Trials {
  /** The returns of each trial that gave a result. */
  readonly columns: readonly (readonly number[])[];
  /** Index of the best of them. */
  readonly best: number;
  /** Trials of this sweep, failed ones too. */
  readonly count: number;
  /** Returns of all trials of the same strategy on the same data, those of earlier sweeps too. */
  readonly history: readonly (readonly number[])[];
  readonly stepMs: Millis;
  readonly seed: string;
}

export function figuresOf({ columns, best, count, history, stepMs, seed }: Trials): SweepFigures {
  const returns = columns[best] ?? [];
  const trials = Math.max(count, Math.ceil(history.length < 2 ? 1 : effectiveTrials(history)));
  if (returns.length < FEWEST_STEPS) return { ...NOTHING, trials };
  const moments = momentsOf(returns);
  if (!(moments.deviation > 0)) return { ...NOTHING, trials };
  const rows = returns.map((_, step) => columns.map((column) => column[step] ?? 0));
  const rng = rngFrom(seed).fork('bootstrap');
  const psrs = columns.map((column) => psrOf(momentsOf(column))).toSorted((a, b) => a - b);
  return {
    trials,
    psr: { best: psrOf(moments), median: psrs[Math.floor(psrs.length / 2)] ?? 0 },
    dsr: deflatedSharpe(moments, { trials, variance: varianceOf(columns.map((column) => sharpeOf(momentsOf(column)))) }),
    pbo: columns.length < 2 ? undefined : overfitting(rows, PBO_BLOCKS).pbo,
    spa: superiority(rows, { resamples: RESAMPLES, restart: 1 / BLOCK_STEPS, uniform: () => rng.next() }).consistent,
    minTrackRecordMs: minimumTrackRecord(moments) * stepMs,
  };
}

/** PSR(0); 0.5 if the returns are constant. */
const psrOf = (moments: Moments): number => (moments.deviation > 0 ? probabilisticSharpe(moments, 0) : 0.5);

/** Sample variance (N − 1); 0 for one value. */
function varianceOf(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  return values.length < 2 ? 0 : values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (values.length - 1);
}
