// Tests whether the best of many trials is better than a benchmark: White's reality check (2000) and Hansen's test for superior predictive ability
// (2005).

export interface Superiority {
  /** The p-value of White's reality check. */
  readonly realityCheck: number;
  /** Hansen's test: lower, consistent and upper p-value; the consistent one should be reported. All are 1 if no trial is better than the benchmark. */
  readonly lower: number;
  readonly consistent: number;
  readonly upper: number;
  /** The largest studentised mean, at least 0. */
  readonly t: number;
}

export interface Resampling {
  readonly resamples: number;
  /** One over the mean length of a block of the stationary bootstrap (Politis and Romano 1994). */
  readonly restartProbability: number;
  /** Uniform from 0 to 1. */
  readonly uniform: () => number;
  /** The standard error of each trial's mean, times √T. Default: the standard error of the resampled means, which is too small if blocks are short. */
  readonly deviations?: readonly number[];
}

/**
 * Returns the p-values. `rows[t][k]`: the return of trial k minus that of the benchmark in step t. The mean of trial k is divided by `deviations[k]`, the
 * mean of a resample by the standard error of such means (Götze and Künsch 1996).
 */
export function superiority(
  rows: readonly (readonly number[])[],
  { resamples, restartProbability, uniform, deviations }: Resampling,
): Superiority {
  const steps = rows.length;
  const trials = rows[0]?.length ?? 0;
  const root = Math.sqrt(steps);
  const columns = Array.from({ length: trials }, (_, trial) => Float64Array.from(rows, (row) => row[trial] ?? 0));
  const means = columns.map(meanOf);
  const resampled = columns.map((column, trial) => Math.sqrt(resampledVariance(column, means[trial] ?? 0, restartProbability)));
  const scales = deviations ?? resampled;
  const studentised = (value: number, deviation: number): number => (deviation > 0 ? (root * value) / deviation : 0);
  const largest = Math.max(...means.map((mean) => root * mean));
  const t = Math.max(0, ...means.map((mean, trial) => studentised(mean, scales[trial] ?? 0)));
  // Recentring for the lower, consistent and upper p-value (Hansen 2005). Consistent: a mean below -deviation × √(2 ln ln T / T) is recentred on 0.
  const centres: readonly (readonly number[])[] = [
    means.map((mean) => Math.max(mean, 0)),
    means.map((mean, trial) => (mean >= -Math.sqrt(((scales[trial] ?? 0) ** 2 / steps) * 2 * Math.log(Math.log(steps))) ? mean : 0)),
    means,
  ];
  const countsAbove = [0, 0, 0];
  let countAboveWhite = 0;
  const indices = new Int32Array(steps);
  const drawn = new Float64Array(trials);
  for (let resample = 0; resample < resamples; resample++) {
    drawIndices(indices, { restartProbability, uniform });
    for (const [trial, column] of columns.entries()) drawn[trial] = meanAt(column, indices);
    let largestDrawn = -Infinity;
    for (let trial = 0; trial < trials; trial++) largestDrawn = Math.max(largestDrawn, root * ((drawn[trial] ?? 0) - (means[trial] ?? 0)));
    if (largestDrawn > largest) countAboveWhite++;
    for (const [kind, centre] of centres.entries()) {
      let value = 0;
      for (let trial = 0; trial < trials; trial++)
        value = Math.max(value, studentised((drawn[trial] ?? 0) - (centre[trial] ?? 0), resampled[trial] ?? 0));
      if (value > t || t === 0) countsAbove[kind] = (countsAbove[kind] ?? 0) + 1;
    }
  }
  const [lower = 0, consistent = 0, upper = 0] = countsAbove.map((count) => count / resamples);
  return { realityCheck: countAboveWhite / resamples, lower, consistent, upper, t };
}

/** Draws the indices of one resample: each follows the previous one, or is random with probability `restartProbability`. */
export function drawIndices(
  indices: Int32Array,
  { restartProbability, uniform }: Pick<Resampling, 'restartProbability' | 'uniform'>,
): void {
  const steps = indices.length;
  for (let at = 0; at < steps; at++) {
    const isNew = at === 0 || uniform() < restartProbability;
    indices[at] = isNew ? Math.floor(uniform() * steps) : ((indices[at - 1] ?? 0) + 1) % steps;
  }
}

/** Returns T times the variance of the mean of a resample (Politis and Romano 1994). */
function resampledVariance(column: Float64Array, mean: number, restartProbability: number): number {
  const steps = column.length;
  const autocovariance = (lag: number): number => {
    let sum = 0;
    for (let at = lag; at < steps; at++) sum += ((column[at] ?? 0) - mean) * ((column[at - lag] ?? 0) - mean);
    return sum / steps;
  };
  let variance = autocovariance(0);
  for (let lag = 1; lag < steps; lag++) {
    const weight = ((steps - lag) / steps) * (1 - restartProbability) ** lag + (lag / steps) * (1 - restartProbability) ** (steps - lag);
    variance += 2 * weight * autocovariance(lag);
  }
  return Math.max(variance, 0);
}

function meanOf(values: Float64Array): number {
  let sum = 0;
  for (const value of values) sum += value;
  return sum / values.length;
}

function meanAt(values: Float64Array, indices: Int32Array): number {
  let sum = 0;
  for (let at = 0; at < indices.length; at++) sum += values[indices[at]!]!;
  return sum / indices.length;
}
