// Measures how far a market is from recorded ones: Wasserstein distances of distributions, in units of the distance between two recordings.

import { mean } from '../../base/statistics/moments.ts';
import { type DistributionMeasure, type Distributions, MEASURE_NAMES, type Quantiles } from './distributions.ts';

interface Distance {
  readonly measure: DistributionMeasure;
  /** 1: as different as two recordings are from each other; undefined if there is too little data. */
  readonly units: number | undefined;
}

export interface Realism {
  readonly distances: readonly Distance[];
  /** Over the measures with enough data. */
  readonly median: number;
  readonly largest: number;
}

/** Minimum of a unit, in standard deviations of the recorded values: if two recordings agree by chance, distances would be infinite. */
const MIN_UNIT = 0.05;

/**
 * Returns the mean Wasserstein-1 distance to the recordings over the median distance between two of them, for each measure. Needs two recordings or more.
 * The distance of two distributions is the mean difference of their quantiles, in standard deviations of all recorded values.
 */
export function realismOf(market: Distributions, recordings: readonly Distributions[]): Realism {
  const distances = MEASURE_NAMES.map((measure): Distance => {
    const recorded = recordings.flatMap((recording) => recording[measure] ?? []);
    const [own, references] = [market[measure], recordings.flatMap((recording) => (recording[measure] ? [recording[measure]] : []))];
    if (own === undefined || references.length < 2) return { measure, units: undefined };
    const scale = deviation(recorded) || 1;
    const unit = Math.max(MIN_UNIT, median(pairs(references).map(([a, b]) => wasserstein(a, b) / scale)));
    return { measure, units: mean(references.map((reference) => wasserstein(own, reference))) / scale / unit };
  });
  const measured = distances.flatMap(({ units }) => units ?? []);
  return { distances, median: median(measured), largest: Math.max(...measured) };
}

/** Returns the distance of two distributions, given by quantiles at the same shares. */
const wasserstein = (a: Quantiles, b: Quantiles): number => mean(a.map((value, index) => Math.abs(value - b[index]!)));

const pairs = <T>(items: readonly T[]): readonly (readonly [T, T])[] =>
  items.flatMap((one, index) => items.slice(index + 1).map((other) => [one, other] as const));

const deviation = (values: readonly number[]): number => Math.sqrt(mean(values.map((value) => (value - mean(values)) ** 2)));
/** Returns the median; for an even number of values, the mean of the middle two. */
function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  return (sorted[Math.ceil(middle) - 1]! + sorted[Math.floor(middle)]!) / 2;
}
