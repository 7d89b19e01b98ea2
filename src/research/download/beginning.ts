// Finds where the history of a market begins, in few requests.
import { DAY, type Millis } from '../../base/clock.ts';
import { firstRows } from './pages.ts';
import type { HistorySeries } from './series.ts';

interface BeginningOptions {
  readonly from: Millis;
  /** Exclusive. */
  readonly to: Millis;
  /** Daily candles of the same market. */
  readonly days?: HistorySeries | undefined;
}

/** Returns the time of the first row at or after `from`; undefined if there is none before `to`. */
export async function beginningOf(series: HistorySeries, { from, to, days }: BeginningOptions): Promise<Millis | undefined> {
  const earliest = days === undefined ? await searchBeginning(series, { from, to }) : await beginningByDays(days, { from, to });
  const [first] = await firstRows(series, { from: Math.max(from, earliest), to });
  return first !== undefined && first.time < to ? first.time : undefined;
}

/** Returns the opening of the first daily candle minus a day, because some exchanges leave out the day in which trading began; `from` if there is no candle. */
async function beginningByDays(days: HistorySeries, { from, to }: BeginningOptions): Promise<Millis> {
  const [first] = await firstRows(days, { from: Math.floor(from / DAY) * DAY, to });
  return first === undefined ? from : first.time - DAY;
}

/**
 * Returns a time that is at most one page before the first row. Assumes that no row after the first one is missing: many exchanges keep trades for a
 * limited time only. Doubles its step until a page has rows, and then halves the interval between the last empty page and that one.
 */
async function searchBeginning(series: HistorySeries, { from, to }: BeginningOptions): Promise<Millis> {
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
