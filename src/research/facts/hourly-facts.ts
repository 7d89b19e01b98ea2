// Facts that need hours: whether funding follows the basis, and how busy the hours of the day are.

import { groupBy } from '../../base/collections/lists.ts';
import { mean } from '../../base/statistics/moments.ts';
import type { BookSample, TradeSeen } from './observations.ts';

const HOUR = 3_600;
const HOURS_OF_DAY = 24;
const BASIS_POINTS = 1e4;
/** Fewer hours say nothing about a correlation. */
const LEAST_HOURS = 8;
/** Seconds of an hour that must have been seen. */
const LEAST_SECONDS = HOUR / 2;

/** The quietest and the busiest hour of the day (UTC), over the mean of all hours. */
export type HourRange = readonly [quietest: number, busiest: number];

export interface HourlyFacts {
  /** Correlation of the mean distance of the mark from the index in an hour with the funding rate announced at its end. Undefined for under eight hours. */
  readonly fundingWithBasis: number | undefined;
  /** The ranges of the mean absolute return over a minute, and of the number of trades. Undefined unless every hour of the day was seen. */
  readonly hoursOfDay: { readonly moves: HourRange; readonly trades: HourRange } | undefined;
}

export function hourlyFactsOf(samples: readonly BookSample[], trades: readonly TradeSeen[]): HourlyFacts {
  const hours = [...groupBy(samples, ({ second }) => Math.floor(second / HOUR)).values()].filter(({ length }) => length >= LEAST_SECONDS);
  return { fundingWithBasis: fundingWithBasis(hours), hoursOfDay: hoursOfDay(hours, trades) };
}

function fundingWithBasis(hours: readonly (readonly BookSample[])[]): number | undefined {
  const pairs = hours.flatMap((hour): (readonly [number, number])[] => {
    const basis = hour.flatMap(({ mark, index }) => (mark === undefined || index === undefined ? [] : [mark / index - 1]));
    const rate = hour.at(-1)?.rate;
    return basis.length === 0 || rate === undefined ? [] : [[mean(basis), rate]];
  });
  return pairs.length < LEAST_HOURS ? undefined : correlation(pairs);
}

function hoursOfDay(hours: readonly (readonly BookSample[])[], trades: readonly TradeSeen[]): HourlyFacts['hoursOfDay'] {
  const ofDay = groupBy(hours, (hour) => Math.floor(hour[0]!.second / HOUR) % HOURS_OF_DAY);
  if (ofDay.size < HOURS_OF_DAY) return undefined;
  const traded = groupBy(trades, ({ at }) => Math.floor(at / HOUR) % HOURS_OF_DAY);
  const moves = [...ofDay.values()].map((same) => mean(same.flatMap(movesOf)));
  const counts = [...ofDay].map(([hour, same]) => (traded.get(hour)?.length ?? 0) / same.length);
  return { moves: rangeOf(moves), trades: rangeOf(counts) };
}

/** Returns the absolute returns over a minute, in basis points. */
function movesOf(hour: readonly BookSample[]): readonly number[] {
  const moves: number[] = [];
  for (let at = 60; at < hour.length; at += 60) {
    const [before, now] = [hour[at - 60]!, hour[at]!];
    if (now.second - before.second === 60) moves.push(Math.abs(Math.log(now.mid / before.mid)) * BASIS_POINTS);
  }
  return moves;
}

function rangeOf(values: readonly number[]): HourRange {
  const middle = mean(values);
  return [Math.min(...values) / middle, Math.max(...values) / middle];
}

/** Returns Pearson's correlation; undefined if one of the two is constant. */
function correlation(pairs: readonly (readonly [number, number])[]): number | undefined {
  const [x, y] = [mean(pairs.map(([value]) => value)), mean(pairs.map(([, value]) => value))];
  const sum = (of: (dx: number, dy: number) => number): number => pairs.reduce((total, [a, b]) => total + of(a - x, b - y), 0);
  const both = Math.sqrt(sum((dx) => dx * dx) * sum((_, dy) => dy * dy));
  return both === 0 ? undefined : sum((dx, dy) => dx * dy) / both;
}
