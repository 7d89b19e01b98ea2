// The statistics of a sweep: whether the best point is better than chance.
import type { Millis } from '../../base/clock.ts';
import { rngFrom } from '../../base/rng.ts';
import { type Moments, mean, momentsOf, probabilisticSharpe } from '../../base/statistics/moments.ts';
import { blockLength, longRunVariance } from '../statistics/long-run.ts';
import { overfitting } from '../statistics/overfitting.ts';
import { deflatedSharpe, effectiveTrials, minimumTrackRecord } from '../statistics/sharpe.ts';
import { superiority } from '../statistics/superior.ts';

/** Fewest returns for the statistics. */
export const FEWEST_STEPS = 60;
/** Number of blocks that the PBO splits the returns into. */
const PBO_BLOCKS = 12;
const RESAMPLES = 1_000;
/** A negative return smaller than this part of the mean size of a return is not counted as a loss: it may be a fee. */
const SMALLEST_LOSS = 0.1;

export interface SweepFigures {
  /** The number of trials that the deflated Sharpe ratio counts. */
  readonly trials: number;
  /**
   * Deflated Sharpe ratio: the probability that the best Sharpe ratio exceeds the highest one expected from the same number of trials without skill.
   * The variance of the ratios is taken as 1 / the number of independent returns, which is their variance without skill. The ratios of the other trials are not
   * used. Undefined without enough returns.
   */
  readonly dsr: number | undefined;
  /** Probability of backtest overfitting. Undefined for one trial or without enough returns. */
  readonly pbo: number | undefined;
  /** How often the best trial of one half of the data lost in the other half. Undefined where `pbo` is. */
  readonly lossShare: number | undefined;
  /** The number of steps in which the best trial lost. */
  readonly losses: number;
  /** p-value of Hansen's SPA test: the probability of a best trial this good if no trial has an expected profit. */
  readonly spa: number | undefined;
  /** PSR(0), the probability that the Sharpe ratio is above 0: of the best trial, and the median of all. Undefined without enough returns. */
  readonly psr: { readonly best: number; readonly median: number } | undefined;
  /** The time after which the Sharpe ratio of the best would be above 0 with 95 % confidence; Infinity if it is not above 0. */
  readonly minTrackRecordMs: number | undefined;
}

const NOTHING = { psr: undefined, dsr: undefined, pbo: undefined, lossShare: undefined, spa: undefined, minTrackRecordMs: undefined };

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
  const counted = { trials: trialsOf(count, history), losses: lossesOf(returns) };
  if (returns.length < FEWEST_STEPS || !(momentsOf(returns).deviation > 0)) return { ...NOTHING, ...counted };
  const moments = independentMoments(returns);
  const rows = returns.map((_, step) => columns.map((column) => column[step] ?? 0));
  const psrs = columns.map((column) => psrOf(independentMoments(column))).toSorted((a, b) => a - b);
  const { pbo, lossShare } = columns.length < 2 ? NOTHING : overfitting(rows, PBO_BLOCKS);
  return {
    ...counted,
    psr: { best: psrOf(moments), median: psrs[Math.floor(psrs.length / 2)] ?? 0 },
    dsr: deflatedSharpe(moments, { trials: counted.trials, variance: 1 / moments.count }),
    pbo,
    lossShare,
    spa: spaOf(columns, rows, seed),
    minTrackRecordMs: minimumTrackRecord(moments) * (returns.length / moments.count) * stepMs,
  };
}

/**
 * Returns the number of trials: those of this sweep, or the effective number of independent ones in the history, if that is larger. It is at most the length
 * of the history, which a negative mean correlation would exceed.
 */
function trialsOf(count: number, history: readonly (readonly number[])[]): number {
  const independent = history.length < 2 ? history.length : Math.ceil(effectiveTrials(history));
  return Math.max(count, Math.min(independent, history.length));
}

function lossesOf(returns: readonly number[]): number {
  const size = mean(returns.map(Math.abs));
  return returns.filter((value) => value < -SMALLEST_LOSS * size).length;
}

/** Returns the moments, but as `count` the number of uncorrelated returns whose mean would have the same standard error. */
function independentMoments(returns: readonly number[]): Moments {
  const moments = momentsOf(returns);
  const variance = (moments.deviation ** 2 * (moments.count - 1)) / moments.count;
  return variance > 0 ? { ...moments, count: (moments.count * variance) / longRunVariance(returns) } : moments;
}

/** Returns Hansen's consistent p-value. The mean block length is the average of the best block lengths of the trials. */
function spaOf(columns: Trials['columns'], rows: readonly (readonly number[])[], seed: string): number {
  const rng = rngFrom(seed).fork('bootstrap');
  return superiority(rows, {
    resamples: RESAMPLES,
    restartProbability: 1 / mean(columns.map(blockLength)),
    uniform: () => rng.next(),
    deviations: columns.map((column) => Math.sqrt(longRunVariance(column))),
  }).consistent;
}

/** PSR(0); 0.5 if the returns are constant. */
const psrOf = (moments: Moments): number => (moments.deviation > 0 ? probabilisticSharpe(moments, 0) : 0.5);
