// The stylised facts of a market: figures of its returns, spread, depth and trades. Sources: Cont (2001), Lillo and Farmer (2004), LOB-Bench (2025).

import { mean } from '../../base/statistics/moments.ts';
import { type HourlyFacts, hourlyFactsOf } from './hourly-facts.ts';
import type { BookSample, Observations, TradeSeen } from './observations.ts';

const YEAR_SECONDS = 365 * 86_400;
const BASIS_POINTS = 1e4;
/** Seconds between two mids of a return. */
export const SPANS = [1, 10, 60] as const;
type Span = (typeof SPANS)[number];
/** Lags of autocorrelations, in steps of the series. */
const LAGS = [1, 10, 60] as const;

/** The facts; each is undefined if there is too little data. */
export interface StylisedFacts extends HourlyFacts {
  /** Seconds with a known book, and trades. */
  readonly seconds: number;
  readonly trades: number;
  /** Annualised volatility of the returns over a minute, as a fraction. */
  readonly volatility: number | undefined;
  /** By span in seconds: standard deviation in basis points, kurtosis (3 for normal), autocorrelation at lag 1. */
  readonly returns: Readonly<Record<Span, ReturnFacts | undefined>>;
  /** Autocorrelation of the absolute returns of one second at lags of 1, 10 and 60 s: clustering of volatility. */
  readonly clustering: readonly (number | undefined)[];
  /** Mean, and 90th percentile, in basis points of the mid. */
  readonly spread: readonly [mean: number, high: number] | undefined;
  /** Median sizes at the best three levels over the median at the best one. */
  readonly depth: readonly number[] | undefined;
  readonly tradesPerSecond: number | undefined;
  /** Median, 90th and 99th percentile of trade sizes over their mean. */
  readonly tradeSizes: readonly number[] | undefined;
  /** Autocorrelation of the takers' sides at lags of 1, 10 and 60 trades. */
  readonly signs: readonly (number | undefined)[];
  /** Changes of the book for each trade. */
  readonly changesPerTrade: number | undefined;
  /** Mean change of the mid in the direction of a trade after 1, 10 and 60 s, basis points. */
  readonly impact: readonly (number | undefined)[];
  /** Standard deviation of the mark over the index, basis points. */
  readonly basis: number | undefined;
}

export interface ReturnFacts {
  readonly deviation: number;
  /** Undefined if all returns are equal. */
  readonly kurtosis: number | undefined;
  readonly autocorrelation: number | undefined;
}

export function factsOf({ samples, trades, changes }: Observations): StylisedFacts {
  const returns = Object.fromEntries(SPANS.map((span) => [span, returnFacts(returnsOf(samples, span))])) as StylisedFacts['returns'];
  const absolute = returnsOf(samples, 1).map(Math.abs);
  const minute = returns[60];
  const sizes = trades.map(({ size }) => size).toSorted((a, b) => a - b);
  return {
    seconds: samples.length,
    trades: trades.length,
    volatility: minute && (minute.deviation / BASIS_POINTS) * Math.sqrt(YEAR_SECONDS / 60),
    returns,
    clustering: LAGS.map((lag) => autocorrelation(absolute, lag)),
    spread: spreadOf(samples),
    depth: depthOf(samples),
    tradesPerSecond: samples.length === 0 ? undefined : trades.length / samples.length,
    tradeSizes: sizes.length === 0 ? undefined : [0.5, 0.9, 0.99].map((share) => quantile(sizes, share) / mean(sizes)),
    signs: LAGS.map((lag) =>
      autocorrelation(
        trades.map(({ sign }) => sign),
        lag,
      ),
    ),
    changesPerTrade: trades.length === 0 ? undefined : changes / trades.length,
    impact: SPANS.map((span) => impactAfter(trades, samples, span)),
    basis: basisOf(samples),
    ...hourlyFactsOf(samples, trades),
  };
}

/** Returns consecutive log returns of the mid over a number of seconds, in basis points; none across a gap. */
export function returnsOf(samples: readonly BookSample[], span: number): readonly number[] {
  const returns: number[] = [];
  for (let at = span; at < samples.length; at += span) {
    const [before, now] = [samples[at - span]!, samples[at]!];
    if (now.second - before.second === span) returns.push(Math.log(now.mid / before.mid) * BASIS_POINTS);
  }
  return returns;
}

function returnFacts(returns: readonly number[]): ReturnFacts | undefined {
  if (returns.length < 8) return undefined;
  const deviation = Math.sqrt(variance(returns));
  const kurtosis = deviation === 0 ? undefined : moment(returns, 4) / deviation ** 4;
  return { deviation, kurtosis, autocorrelation: autocorrelation(returns, 1) };
}

const moment = (values: readonly number[], power: number): number => {
  const middle = mean(values);
  return mean(values.map((value) => (value - middle) ** power));
};
const variance = (values: readonly number[]): number => moment(values, 2);

/** Returns the autocorrelation; undefined for fewer than `2 * lag + 8` values, or if all are equal. */
export function autocorrelation(values: readonly number[], lag: number): number | undefined {
  if (values.length < 2 * lag + 8) return undefined;
  const middle = mean(values);
  let [shared, total] = [0, 0];
  for (let at = 0; at < values.length; at += 1) {
    const here = values[at]! - middle;
    total += here * here;
    if (at >= lag) shared += here * (values[at - lag]! - middle);
  }
  return total === 0 ? undefined : shared / total;
}

/** Returns a quantile of sorted values. */
const quantile = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;

function spreadOf(samples: readonly BookSample[]): StylisedFacts['spread'] {
  if (samples.length === 0) return undefined;
  const spreads = samples.map(({ spread, mid }) => (spread / mid) * BASIS_POINTS).toSorted((a, b) => a - b);
  return [mean(spreads), quantile(spreads, 0.9)];
}

function depthOf(samples: readonly BookSample[]): StylisedFacts['depth'] {
  if (samples.length === 0) return undefined;
  // the sizes of the bids, then those of the asks
  const levels = [0, 1, 2].map((level) =>
    samples.flatMap(({ sizes }) => [sizes[level] ?? 0, sizes[level + sizes.length / 2] ?? 0]).toSorted((a, b) => a - b),
  );
  const medians = levels.map((sizes) => quantile(sizes, 0.5));
  return medians[0] === 0 ? undefined : medians.map((size) => size / medians[0]!);
}

function impactAfter(trades: readonly TradeSeen[], samples: readonly BookSample[], span: number): number | undefined {
  const moves = impactsAfter(samples, trades, span);
  return moves.length < 8 ? undefined : mean(moves);
}

/** Returns the changes of the mid in the direction of each trade after `span` seconds, in basis points. */
export function impactsAfter(samples: readonly BookSample[], trades: readonly TradeSeen[], span: number): readonly number[] {
  const mids = new Map(samples.map(({ second, mid }) => [second, mid]));
  return trades.flatMap(({ at, sign, mid }) => {
    const later = mids.get(Math.floor(at) + span);
    return mid === undefined || later === undefined ? [] : [sign * Math.log(later / mid) * BASIS_POINTS];
  });
}

function basisOf(samples: readonly BookSample[]): number | undefined {
  const both = samples.flatMap(({ mark, index }) => (mark === undefined || index === undefined ? [] : [(mark / index - 1) * BASIS_POINTS]));
  return both.length < 8 ? undefined : Math.sqrt(variance(both));
}
