// Describes a market by distributions, as quantiles in units that are comparable across markets. The measures of LOB-Bench (2025), in windows of a
// minute.

import { sum } from '../../base/statistics/moments.ts';
import type { BookSample, Observations, TradeSeen } from './observations.ts';
import { autocorrelation, impactsAfter, returnsOf } from './stylised-facts.ts';

/** The middle value of each of a number of equal shares of the values, lowest first. */
export type Quantiles = readonly number[];
const SHARES = 40;

/** Quantiles by measure; undefined if there is too little data. */
export type Distributions = Readonly<Record<DistributionMeasure, Quantiles | undefined>>;

const WINDOW_SECONDS = 60;

const MEASURES = {
  'return in 1 s, bp': ({ samples }) => returnsOf(samples, 1),
  'return in 10 s, bp': ({ samples }) => returnsOf(samples, 10),
  'autocorrelation of returns': ({ samples }) => byWindow(samples, (window) => autocorrelation(returnsOf(window, 1), 1)),
  'autocorrelation of absolute returns': ({ samples }) =>
    byWindow(samples, (window) => autocorrelation(returnsOf(window, 1).map(Math.abs), 1)),
  'spread, ticks': ({ samples }) => samples.map(({ spread }) => spread),
  'size at the best price, log of its mean': ({ samples }) => sizesAt(samples, 0),
  'size at the second price, log of the best': ({ samples }) => sizesAt(samples, 1),
  'size at the third price, log of the best': ({ samples }) => sizesAt(samples, 2),
  'imbalance at the best price': ({ samples }) =>
    samples.map(({ sizes }) => (sizes[0]! - sizes[sizes.length / 2]!) / (sizes[0]! + sizes[sizes.length / 2]!)),
  'changes of the book a second, of their mean': ({ samples }) => overMean(samples.map(({ changes }) => changes)),
  'changes of the book a trade, log': ({ samples, trades }) => tradesBySecond(samples, trades, changesPerTrade),
  'trades a second, log': ({ samples, trades }) => tradesBySecond(samples, trades, (_, all) => all.map((count) => Math.log1p(count))),
  'time between trades, log of ms': ({ trades }) =>
    trades.slice(1).map(({ at }, index) => Math.log1p(Math.max(0, at - trades[index]!.at) * 1_000)),
  'size of a trade, log of its mean': ({ trades }) => overMean(trades.map(({ size }) => size)).map(Math.log),
  'sides of takers, autocorrelation after 1': ({ trades }) => signsAfter(trades, 1),
  'sides of takers, autocorrelation after 10': ({ trades }) => signsAfter(trades, 10),
  'return that the flow of a second explains': ({ samples, trades }) => explained(samples, trades),
  'impact of a trade after 1 s, bp': ({ samples, trades }) => impactsAfter(samples, trades, 1),
  'impact of a trade after 10 s, bp': ({ samples, trades }) => impactsAfter(samples, trades, 10),
} as const satisfies Readonly<Record<string, (seen: Observations) => readonly number[]>>;

export type DistributionMeasure = keyof typeof MEASURES;
export const MEASURE_NAMES = Object.keys(MEASURES) as readonly DistributionMeasure[];

const MIN_VALUES = 5;

export function distributionsOf(seen: Observations): Distributions {
  const entries = MEASURE_NAMES.map((name) => {
    const values = MEASURES[name](seen).filter(Number.isFinite);
    return [name, values.length < MIN_VALUES ? undefined : quantilesOf(values)] as const;
  });
  return Object.fromEntries(entries) as Distributions;
}

function quantilesOf(values: readonly number[]): Quantiles {
  const sorted = values.toSorted((a, b) => a - b);
  return Array.from({ length: SHARES }, (_, index) => sorted[Math.floor(((index + 0.5) / SHARES) * sorted.length)]!);
}

function overMean(values: readonly number[]): readonly number[] {
  const mean = sum(values) / values.length;
  return values.map((value) => value / mean);
}

/** Returns one value for each full minute with enough data. */
function byWindow(samples: readonly BookSample[], measure: (window: readonly BookSample[]) => number | undefined): readonly number[] {
  const windows = Array.from({ length: Math.floor(samples.length / WINDOW_SECONDS) }, (_, index) =>
    samples.slice(index * WINDOW_SECONDS, (index + 1) * WINDOW_SECONDS),
  );
  return windows.flatMap((window) => measure(window) ?? []);
}

function sizesAt(samples: readonly BookSample[], level: number): readonly number[] {
  const both = samples.flatMap(({ sizes }) => {
    const half = sizes.length / 2;
    return [
      [sizes[0]!, sizes[level] ?? 0],
      [sizes[half]!, sizes[half + level] ?? 0],
    ] as const;
  });
  const mean = sum(both.map(([best]) => best)) / both.length;
  return both.map(([best, size]) => Math.log(size / (level === 0 ? mean : best)));
}

function tradesBySecond(
  samples: readonly BookSample[],
  trades: readonly TradeSeen[],
  measure: (samples: readonly BookSample[], counts: readonly number[]) => readonly number[],
): readonly number[] {
  const counts = new Map<number, number>();
  for (const { at } of trades) counts.set(Math.floor(at), (counts.get(Math.floor(at)) ?? 0) + 1);
  return measure(
    samples,
    samples.map(({ second }) => counts.get(second) ?? 0),
  );
}

/** Returns the changes per trade in windows of ten seconds. */
function changesPerTrade(samples: readonly BookSample[], counts: readonly number[]): readonly number[] {
  const windows = Math.floor(samples.length / 10);
  return Array.from({ length: windows }, (_, index) => {
    const [from, to] = [index * 10, (index + 1) * 10];
    return Math.log(sum(samples.slice(from, to).map(({ changes }) => changes)) / sum(counts.slice(from, to)));
  });
}

/** Returns the autocorrelation of takers' sides in windows of two hundred trades. */
function signsAfter(trades: readonly TradeSeen[], lag: number): readonly number[] {
  const LENGTH = 200;
  const windows = Array.from({ length: Math.floor(trades.length / LENGTH) }, (_, index) =>
    trades.slice(index * LENGTH, (index + 1) * LENGTH),
  );
  return windows.flatMap((window) => {
    const signs = window.map(({ sign }) => sign as number);
    return autocorrelation(signs, lag) ?? [];
  });
}

/** Returns the share of the variance of one-second returns explained by signed volume, in windows of a minute. */
function explained(samples: readonly BookSample[], trades: readonly TradeSeen[]): readonly number[] {
  const flows = new Map<number, number>();
  for (const { at, sign, size } of trades) flows.set(Math.floor(at), (flows.get(Math.floor(at)) ?? 0) + sign * size);
  return byWindow(samples, (window) => {
    const pairs = window.slice(1).map(({ second, mid }, index) => [flows.get(second) ?? 0, Math.log(mid / window[index]!.mid)] as const);
    const [meanFlow, meanMove] = [0, 1].map((part) => sum(pairs.map((pair) => pair[part]!)) / pairs.length) as [number, number];
    const shared = sum(pairs.map(([flow, move]) => (flow - meanFlow) * (move - meanMove)));
    const product = sum(pairs.map(([flow]) => (flow - meanFlow) ** 2)) * sum(pairs.map(([, move]) => (move - meanMove) ** 2));
    return product === 0 ? undefined : shared ** 2 / product;
  });
}
