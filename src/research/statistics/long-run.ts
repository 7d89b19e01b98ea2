// The autocorrelation of a series: its long-run variance, and the length of the blocks in which a bootstrap should draw from it.
import { mean } from '../../base/statistics/moments.ts';

/**
 * Returns the long-run variance of a stationary series: T times the variance of its mean. It equals the variance if the values are uncorrelated; a smaller
 * estimate is raised to the variance. Fits autoregressions of the orders 0 to ∛T by the Durbin-Levinson recursion, and uses the one with the lowest BIC
 * (VARHAC; den Haan and Levin 1997).
 */
export function longRunVariance(values: ArrayLike<number>): number {
  const count = values.length;
  const covariances = autocovariances(values, Math.floor(Math.cbrt(count)));
  const [variance = 0] = covariances;
  if (!(variance > 0)) return 0;
  let coefficients: readonly number[] = [];
  let [residual, longRun, lowest] = [variance, variance, count * Math.log(variance)];
  for (let order = 1; order < covariances.length; order++) {
    const explained = coefficients.reduce((sum, coefficient, at) => sum + coefficient * (covariances[order - 1 - at] ?? 0), 0);
    const last = ((covariances[order] ?? 0) - explained) / residual;
    coefficients = [...coefficients.map((coefficient, at) => coefficient - last * (coefficients[order - 2 - at] ?? 0)), last];
    residual *= 1 - last * last;
    const criterion = count * Math.log(residual) + order * Math.log(count);
    if (!(criterion < lowest)) continue;
    lowest = criterion;
    longRun = residual / (1 - coefficients.reduce((sum, coefficient) => sum + coefficient, 0)) ** 2;
  }
  return Math.max(longRun, variance);
}

/**
 * Returns the mean length of a block of the stationary bootstrap that estimates the variance of the mean with the least error: at least 1, at most
 * min(3√T, T/3) (Politis and White 2004, as corrected by Patton, Politis and White 2009).
 */
export function blockLength(values: ArrayLike<number>): number {
  const count = values.length;
  const tested = Math.max(5, Math.floor(Math.sqrt(Math.log10(count))));
  const mostLags = Math.ceil(Math.sqrt(count)) + tested;
  const covariances = autocovariances(values, mostLags);
  const [variance = 0] = covariances;
  if (!(variance > 0)) return 1;
  const lags = Math.min(2 * Math.max(1, significantLags(covariances, { count, tested })), mostLags);
  let [slope, longRun] = [0, variance]; // Σ |lag| × covariance and Σ covariance, over all lags of both signs
  for (let lag = 1; lag <= lags; lag++) {
    const weight = lag <= lags / 2 ? 1 : 2 * (1 - lag / lags); // the flat-top window of Politis and Romano 1995
    slope += 2 * weight * lag * (covariances[lag] ?? 0);
    longRun += 2 * weight * (covariances[lag] ?? 0);
  }
  const best = Math.cbrt((slope / longRun) ** 2 * count);
  return Math.max(1, Math.min(best, Math.ceil(Math.min(3 * Math.sqrt(count), count / 3))));
}

/** Returns the lag after which `tested` autocorrelations in a row are insignificant; √T, rounded up, if there is none. */
function significantLags(covariances: readonly number[], { count, tested }: { count: number; tested: number }): number {
  const critical = 2 * Math.sqrt(Math.log10(count) / count) * (covariances[0] ?? 0);
  for (let lag = 0; lag + tested < covariances.length; lag++)
    if (covariances.slice(lag + 1, lag + 1 + tested).every((covariance) => Math.abs(covariance) < critical)) return lag;
  return Math.ceil(Math.sqrt(count));
}

/** Returns the autocovariances at the lags 0 to `most`: sums of products, divided by T at every lag. */
function autocovariances(values: ArrayLike<number>, most: number): readonly number[] {
  const all = Array.from(values);
  const average = mean(all);
  const deviations = Float64Array.from(all, (value) => value - average);
  return Array.from({ length: Math.min(most, all.length - 1) + 1 }, (_, lag) => {
    let sum = 0;
    for (let at = lag; at < deviations.length; at++) sum += (deviations[at] ?? 0) * (deviations[at - lag] ?? 0);
    return sum / deviations.length;
  });
}
