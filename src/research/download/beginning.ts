// Finds where the history of a market begins, in few requests.
import { DAY, type Millis } from '../../base/clock.ts';
import { firstRows } from './pages.ts';
import type { HistorySeries } from './series.ts';

interface BeginningOptions {
  readonly from: Millis;
  /** Exclusive. */
  readonly to: Millis;
  /** Candles of a day of the same market. */
  readonly days?: HistorySeries | undefined;
}

/** Returns the time of the first row at or after `from`; undefined if there is none before `to`. */
export async function beginningOf(series: HistorySeries, { from, to, days }: BeginningOptions): Promise<Millis | undefined> {
  const earliest = days === undefined ? await searched(series, { from, to }) : await firstDay(days, { from, to });
  const [first] = await firstRows(series, { from: Math.max(from, earliest), to });
  return first !== undefined && first.time < to ? first.time : undefined;
}

/** A day before the first candle of a day: some exchanges leave out the day in which trading began. If there are none, nothing is known. */
async function firstDay(days: HistorySeries, { from, to }: BeginningOptions): Promise<Millis> {
  const [first] = await firstRows(days, { from: Math.floor(from / DAY) * DAY, to });
  return first === undefined ? from : first.time - DAY;
}

/**
 * Returns a time from which on the first row is at most a page away, if all rows after it exist: many exchanges keep trades for some time only. Looks at
 * twice the distance each time, and then halves the rest.
 */
async function searched(series: HistorySeries, { from, to }: BeginningOptions): Promise<Millis> {
  const hasRows = async (since: Millis): Promise<boolean> => (await series.ask(since)).some(({ time }) => time >= since);
  let [empty, step] = [from, series.pageMs];
  if (await hasRows(from)) return from;
  let found = from + step;
  while (found < to && !(await hasRows(found))) [empty, step, found] = [found, step * 2, Math.min(to, found + step * 2)];
  while (found - empty > series.pageMs) {
    const middle = Math.floor((empty + found) / 2);
    if (await hasRows(middle)) found = middle;
    else empty = middle;
  }
  return empty;
}
