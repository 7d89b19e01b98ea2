// A curve of equity over time: its time average, its returns at equal steps, and its Sharpe ratio over a rolling window.
import { stepEnds } from '../../../../base/calendar-steps.ts';
import { DAY, HOUR, MINUTE, type Millis } from '../../../../base/clock.ts';
import { momentsOf, sharpeOf } from '../../../../base/statistics/moments.ts';

/** A step function of time: each value holds until the next one's time, the last until `end`. */
export interface Curve {
  readonly times: Float64Array;
  readonly values: Float64Array;
  readonly end: Millis;
}

/** The reason, as text, why a figure has no value. */
export interface Missing {
  readonly missing: string;
}
/** A figure, or the reason why it has no value. */
export type Measure = { readonly value: number } | Missing;

export const NO_EQUITY: Missing = { missing: 'no account was seen' };

/** `Σ value × duration / Σ duration`; the last value if the curve has no duration. */
export function timeAverage({ times, values, end }: Curve): Measure {
  if (values.length === 0) return NO_EQUITY;
  const span = end - times[0]!;
  if (span <= 0) return { value: values.at(-1)! };
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]! * ((times[i + 1] ?? end) - times[i]!);
  return { value: sum / span };
}

/** 365 days of 24 hours, because perpetuals trade all the time. */
export const YEAR_MS: Millis = 365 * DAY;
/** Steps of returns. The longest with at least `MIN_RETURNS` returns is used. */
const STEPS_MS = [DAY, HOUR, 5 * MINUTE] as const;
const SHORTEST_STEP_MS = Math.min(...STEPS_MS);
const MIN_RETURNS = 30;
/** A shorter run is not scaled to a year, which would exaggerate the result of a few hours. */
const SHORTEST_FOR_A_YEAR: Millis = 30 * DAY;

/** The return of each step of the calendar (UTC), not annualised. The first and the last step are shorter if the curve begins or ends within one. */
export interface Returns {
  readonly intervalMs: Millis;
  /** The end of each step. */
  readonly ends: readonly Millis[];
  readonly values: readonly number[];
  /** Time to which growth, volatility, Sharpe and Sortino are scaled: a day if the run is shorter than 30 days, otherwise a year. */
  readonly scale: 'year' | 'day';
}

/** The number of steps in the time to which figures are scaled. */
export const stepsPerScale = ({ intervalMs, scale }: Pick<Returns, 'intervalMs' | 'scale'>): number =>
  (scale === 'year' ? YEAR_MS : DAY) / intervalMs;

/**
 * `r_i = equity(t_i) / equity(t_{i−1}) − 1` over days, hours or five minutes of UTC: the longest step of which the curve has at least 30. An equity that is
 * first seen at the end of a step belongs to that step. `Π(1 + r)` is the end of the curve over its beginning.
 */
export function returnsOf({ times, values, end }: Curve): Returns | Missing {
  if (values.length === 0) return NO_EQUITY;
  const start = times[0]!;
  const intervalMs = STEPS_MS.find((step) => end - start >= MIN_RETURNS * step);
  if (intervalMs === undefined) return tooShort(end - start);
  const ends = stepEnds({ from: start, to: end }, intervalMs);
  const returns: number[] = [];
  let [row, before] = [0, values[0]!];
  for (const time of ends) {
    while (row + 1 < times.length && times[row + 1]! <= time) row++;
    if (!(before > 0)) return { missing: 'the equity was not always positive' };
    returns.push(values[row]! / before - 1);
    before = values[row]!;
  }
  return { intervalMs, ends, values: returns, scale: end - start >= SHORTEST_FOR_A_YEAR ? 'year' : 'day' };
}

const tooShort = (span: Millis): Missing => ({
  missing: `${Math.floor(span / MINUTE)} min are too short: at least ${MIN_RETURNS} returns over ${SHORTEST_STEP_MS / MINUTE} min are needed`,
});

/** Returns the reason why a run is not scaled to a year; undefined if it is long enough. */
export function tooShortForAYear({ times, end }: Curve): Missing | undefined {
  const span = end - (times[0] ?? end);
  if (span >= SHORTEST_FOR_A_YEAR) return undefined;
  const text = span >= DAY ? `${Math.floor(span / DAY)} days` : `${Math.floor(span / MINUTE)} min`;
  return { missing: `${text} are too short for a year: at least ${SHORTEST_FOR_A_YEAR / DAY} days are needed` };
}

/** Days of a window. Over a shorter one the ratio is mostly chance: even over 30 days, the standard error of a yearly Sharpe ratio is 3.5. */
const WINDOW = 30;

/** Returns the yearly Sharpe ratio of the last 30 daily returns, at the end of each day. Missing below 60 days, because most windows would overlap. */
export function rollingSharpe(returns: Returns | Missing): Curve | Missing {
  if ('missing' in returns) return returns;
  const { values, ends, intervalMs } = returns;
  if (intervalMs !== DAY || values.length < 2 * WINDOW) return { missing: `at least ${2 * WINDOW} days are needed` };
  const times: number[] = [];
  const ratios: number[] = [];
  for (let day = WINDOW; day <= values.length; day++) {
    times.push(ends[day - 1]!);
    ratios.push(sharpeOf(momentsOf(values.slice(day - WINDOW, day))) * Math.sqrt(stepsPerScale(returns)));
  }
  return { times: Float64Array.from(times), values: Float64Array.from(ratios), end: times.at(-1)! };
}
