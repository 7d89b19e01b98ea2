// The return of each calendar month, in UTC.
import type { Millis } from '../../../../base/clock.ts';
import type { Curve } from './curve.ts';

export interface MonthReturn {
  readonly year: number;
  /** 1 to 12. */
  readonly month: number;
  /** `equity at its end / equity at its beginning − 1`; undefined if it began with no equity. */
  readonly value: number | undefined;
  /** True if the run began or ended within the month. */
  readonly partial: boolean;
}

/** The months that the curve touches, in order of time. */
export function monthReturns({ times, values, end }: Curve): readonly MonthReturn[] {
  const [start] = times;
  if (start === undefined) return [];
  const months: MonthReturn[] = [];
  let [row, before] = [0, values[0]!];
  for (let from = monthStart(start); from < end || months.length === 0; from = nextMonth(from)) {
    const to = nextMonth(from);
    while (row + 1 < times.length && times[row + 1]! <= to) row++;
    const date = new Date(from);
    months.push({
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      value: before > 0 ? values[row]! / before - 1 : undefined,
      partial: from < start || to > end,
    });
    before = values[row]!;
  }
  return months;
}

/** The returns of several months as one: `Π(1 + r) − 1`. */
export const compounded = (months: readonly MonthReturn[]): number =>
  months.reduce((product, { value = 0 }) => product * (1 + value), 1) - 1;

function monthStart(at: Millis): Millis {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth());
}

function nextMonth(from: Millis): Millis {
  const date = new Date(from);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1);
}
