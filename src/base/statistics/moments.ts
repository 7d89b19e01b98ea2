// Sum and mean of numbers; the moments of a series of returns, its Sharpe ratio and the error of that ratio, per step of equal time, never annualised.
import { normalCdf } from './normal.ts';

/** The moments of returns at equal steps of time. */
export interface Moments {
  readonly count: number;
  readonly mean: number;
  /** The standard deviation with T − 1; T is `count`. */
  readonly deviation: number;
  /** The mean of the cubed deviations from the mean, over the cube of the standard deviation with 1/T. */
  readonly skewness: number;
  /** The same with the fourth power; 3 for a normal distribution. */
  readonly kurtosis: number;
}

/** At least two returns. */
export function momentsOf(returns: readonly number[]): Moments {
  const count = returns.length;
  const mean = sum(returns) / count;
  const about = (power: number): number => sum(returns.map((value) => (value - mean) ** power)) / count;
  const variance = about(2);
  const deviation = Math.sqrt((variance * count) / (count - 1));
  return { count, mean, deviation, skewness: about(3) / variance ** 1.5, kurtosis: about(4) / variance ** 2 };
}

/** Mean / standard deviation, per step; 0 if the returns are constant. */
export const sharpeOf = ({ mean, deviation }: Pick<Moments, 'mean' | 'deviation'>): number => (deviation > 0 ? mean / deviation : 0);

/** `1 − g3·SR + (g4 − 1)/4·SR²`, with skewness g3 and kurtosis g4: the variance of the Sharpe ratio of T returns, times T − 1 (Mertens 2002). */
export const sharpeSpread = ({ skewness, kurtosis }: Moments, sharpe: number): number =>
  1 - skewness * sharpe + ((kurtosis - 1) / 4) * sharpe * sharpe;

/** The standard error of a Sharpe ratio (Mertens 2002). */
export const sharpeError = (moments: Moments): number => Math.sqrt(sharpeSpread(moments, sharpeOf(moments)) / (moments.count - 1));

/** PSR: the probability that the true Sharpe ratio is above `benchmark` (Bailey and López de Prado 2012). */
export const probabilisticSharpe = (moments: Moments, benchmark = 0): number =>
  normalCdf((sharpeOf(moments) - benchmark) / sharpeError(moments));

/** Adds the values in their order. 0 for none. */
export const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** The sum divided by the number of values. NaN for none. */
export const mean = (values: readonly number[]): number => sum(values) / values.length;
