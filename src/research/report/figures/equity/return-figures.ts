// Figures of a series of returns at equal steps of time: Sharpe, Sortino, volatility and others. The factor that annualises them: `curve.ts`.
// A figure that cannot be computed (a division by 0, too few returns) is undefined. Libraries use different conventions; each docstring states the formula.
import { momentsOf, probabilisticSharpe, sharpeOf, sum } from '../../../../base/statistics/moments.ts';
import { normalDensity, normalQuantile } from '../../../../base/statistics/normal.ts';

export interface ReturnFigures {
  /** `Π(1 + r) − 1`. */
  readonly compounded: number;
  /** `Π(1 + r)^(A / T) − 1`. T is the number of returns; A is `stepsPerScale`, the number of steps in a year (in a day, for a short run). */
  readonly growth: number | undefined;
  /** `s × √A`, where s is the standard deviation with T − 1. */
  readonly volatility: number | undefined;
  /** `mean / s × √A`, with an interest of 0. */
  readonly sharpe: number | undefined;
  /** `mean / √(Σ min(r, 0)² / T) × √A`: T counts all steps, not only the losing ones. */
  readonly sortino: number | undefined;
  /**
   * The probability that the true Sharpe ratio is above 0 (Bailey and López de Prado 2012); it uses the kurtosis, which is 3 for a normal
   * distribution.
   */
  readonly psr: number | undefined;
  /** `Σ gains / Σ losses`: the profit factor of the steps, omega at 0. */
  readonly omega: number | undefined;
  /** `Σ r / Σ losses`. */
  readonly gainToPain: number | undefined;
  /** `√(Σ drawdown² / T)` at the ends of the steps (Martin 1987, who writes percent). QuantStats divides by T − 1. */
  readonly ulcer: number;
  /** The 5 % quantile of the returns, interpolated linearly: value at risk. */
  readonly valueAtRisk: number;
  /** The mean of the returns up to `valueAtRisk`: expected shortfall. */
  readonly expectedShortfall: number;
  /** The value at risk and the expected shortfall of a normal distribution with the mean and deviation of the returns. */
  readonly normalValueAtRisk: number | undefined;
  readonly normalExpectedShortfall: number | undefined;
  /** Moments with 1/T; pandas corrects them for small samples. `excessKurtosis` is 0 for a normal distribution. */
  readonly skewness: number | undefined;
  readonly excessKurtosis: number | undefined;
  /** `|95 % quantile / 5 % quantile|`. */
  readonly tailRatio: number | undefined;
  /** Share of gains among the steps that are not 0. */
  readonly winRate: number | undefined;
  readonly meanWin: number | undefined;
  /** Negative. */
  readonly meanLoss: number | undefined;
  /** `mean win / −mean loss`. */
  readonly payoff: number | undefined;
  /** `win rate − (1 − win rate) / payoff`. */
  readonly kelly: number | undefined;
  readonly best: number;
  readonly worst: number;
  readonly longestWinningRun: number;
  readonly longestLosingRun: number;
  /** `Π(1 + r)^(1 / T) − 1`. */
  readonly geometricMean: number | undefined;
  /** `mean / (s / √T)`. */
  readonly tOfMean: number | undefined;
  /** R² of a linear regression of the log of the equity on time. */
  readonly stability: number | undefined;
  /** Share of the steps that are not 0. */
  readonly active: number;
}

/** Computes the figures of at least two returns. Growth, volatility, Sharpe and Sortino are scaled to `stepsPerScale` steps: a year, or a day. */
export function returnFigures(returns: readonly number[], stepsPerScale: number): ReturnFigures {
  const moments = momentsOf(returns);
  const { count, mean, deviation } = moments;
  const equity = equityOf(returns);
  const end = equity.at(-1) ?? 1;
  const gains = sum(returns.filter((value) => value > 0));
  const losses = -sum(returns.filter((value) => value < 0));
  const varies = deviation > NOISE;
  const ifVaried = (value: number): number | undefined => (varies ? value : undefined);
  const downside = Math.sqrt(sum(returns.map((value) => Math.min(value, 0) ** 2)) / count);
  return {
    compounded: end - 1,
    growth: grown(end, stepsPerScale / count),
    volatility: ifVaried(deviation * Math.sqrt(stepsPerScale)),
    sharpe: ifVaried(sharpeOf(moments) * Math.sqrt(stepsPerScale)),
    sortino: downside > NOISE ? (mean / downside) * Math.sqrt(stepsPerScale) : undefined,
    psr: ifVaried(probabilisticSharpe(moments)),
    omega: ratio(gains, losses),
    gainToPain: ratio(gains - losses, losses),
    ulcer: ulcerIndex(equity),
    ...tails(returns, { mean, deviation: varies ? deviation : undefined }),
    skewness: ifVaried(moments.skewness),
    excessKurtosis: ifVaried(moments.kurtosis - 3),
    ...wins(returns),
    geometricMean: grown(end, 1 / count),
    tOfMean: ifVaried(mean / (deviation / Math.sqrt(count))),
    stability: stability(equity),
    active: returns.filter((value) => value !== 0).length / count,
  };
}

/** A deviation up to this is rounding noise of doubles and counts as 0. */
const NOISE = 1e-12;
const TAIL = 0.05;

const meanOf = (values: readonly number[]): number | undefined => (values.length === 0 ? undefined : sum(values) / values.length);
const ratio = (value: number, by: number): number | undefined => (by > NOISE ? value / by : undefined);
const grown = (end: number, power: number): number | undefined => (end > 0 ? end ** power - 1 : undefined);

/** Returns the equity after each step, beginning with 1. */
function equityOf(returns: readonly number[]): readonly number[] {
  let equity = 1;
  return returns.map((value) => {
    equity *= 1 + value;
    return equity;
  });
}

function ulcerIndex(equity: readonly number[]): number {
  let peak = 1;
  const squares = equity.map((value) => {
    peak = Math.max(peak, value);
    return (1 - value / peak) ** 2;
  });
  return Math.sqrt(sum(squares) / equity.length);
}

type Tails = Pick<ReturnFigures, 'valueAtRisk' | 'expectedShortfall' | 'normalValueAtRisk' | 'normalExpectedShortfall' | 'tailRatio'>;

function tails(returns: readonly number[], { mean, deviation }: { mean: number; deviation: number | undefined }): Tails {
  const sorted = returns.toSorted((a, b) => a - b);
  const valueAtRisk = quantile(sorted, TAIL);
  const z = normalQuantile(TAIL);
  return {
    valueAtRisk,
    expectedShortfall: meanOf(sorted.filter((value) => value <= valueAtRisk)) ?? valueAtRisk,
    normalValueAtRisk: deviation === undefined ? undefined : mean + deviation * z,
    normalExpectedShortfall: deviation === undefined ? undefined : mean - (deviation * normalDensity(z)) / TAIL,
    tailRatio: ratio(quantile(sorted, 1 - TAIL), Math.abs(valueAtRisk)),
  };
}

/** The quantile of ascending values, interpolated linearly between its neighbours. */
function quantile(sorted: readonly number[], share: number): number {
  const place = share * (sorted.length - 1);
  const [below = 0, above = below] = sorted.slice(Math.floor(place), Math.floor(place) + 2);
  return below + (above - below) * (place - Math.floor(place));
}

function wins(returns: readonly number[]) {
  const [won, lost] = [returns.filter((value) => value > 0), returns.filter((value) => value < 0)];
  const winRate = ratio(won.length, won.length + lost.length);
  const [meanWin, meanLoss] = [meanOf(won), meanOf(lost)];
  const payoff = meanWin === undefined || meanLoss === undefined ? undefined : meanWin / -meanLoss;
  const kelly = winRate === undefined || payoff === undefined ? undefined : winRate - (1 - winRate) / payoff;
  return {
    winRate,
    meanWin,
    meanLoss,
    payoff,
    kelly,
    best: returns.reduce((most, value) => Math.max(most, value), -Infinity),
    worst: returns.reduce((least, value) => Math.min(least, value), Infinity),
    longestWinningRun: longestRun(returns, (value) => value > 0),
    longestLosingRun: longestRun(returns, (value) => value < 0),
  };
}

/** The largest number of neighbours that all satisfy the condition. */
export function longestRun(values: readonly number[], holds: (value: number) => boolean): number {
  let [run, longest] = [0, 0];
  for (const value of values) {
    run = holds(value) ? run + 1 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

function stability(equity: readonly number[]): number | undefined {
  if (equity.some((value) => !(value > 0))) return undefined;
  const logs = equity.map((value) => Math.log(value));
  const fit = regression(
    logs.map((_, step) => step),
    logs,
  );
  return fit?.rSquared;
}

export interface AgainstMarket {
  /** `cov(r, b) / var(b)`. */
  readonly beta: number;
  /** `(mean r − beta × mean b) × A`: not compounded. */
  readonly alpha: number;
  readonly rSquared: number;
  /** The deviation of `r − b`, times √A. */
  readonly trackingError: number;
  /** `mean(r − b) / s(r − b)`, not annualised. */
  readonly informationRatio: number | undefined;
}

/** Compares the returns with those of the market at the same steps; undefined if the market did not vary. */
export function againstMarket(returns: readonly number[], market: readonly number[], stepsPerScale: number): AgainstMarket | undefined {
  const fit = regression(market, returns);
  if (fit === undefined) return undefined;
  const { mean, deviation } = momentsOf(returns.map((value, step) => value - (market[step] ?? 0)));
  return {
    beta: fit.slope,
    alpha: fit.intercept * stepsPerScale,
    rSquared: fit.rSquared,
    trackingError: deviation * Math.sqrt(stepsPerScale),
    informationRatio: deviation > NOISE ? mean / deviation : undefined,
  };
}

/** The least-squares line of y on x; undefined if x does not vary. `rSquared` is 0 if y does not. */
function regression(xs: readonly number[], ys: readonly number[]): { slope: number; intercept: number; rSquared: number } | undefined {
  const [meanX = 0, meanY = 0] = [meanOf(xs), meanOf(ys)];
  const sumOver = (some: (index: number) => number): number => sum(xs.map((_, index) => some(index)));
  const [dx, dy] = [(index: number) => (xs[index] ?? 0) - meanX, (index: number) => (ys[index] ?? 0) - meanY];
  const [xx, xy, yy] = [sumOver((i) => dx(i) ** 2), sumOver((i) => dx(i) * dy(i)), sumOver((i) => dy(i) ** 2)];
  if (!(xx > NOISE ** 2)) return undefined;
  const slope = xy / xx;
  return { slope, intercept: meanY - slope * meanX, rSquared: yy > 0 ? (xy * xy) / (xx * yy) : 0 };
}
