// Asks an exchange page by page. A page that ends early is not the end, an empty one may be a gap, and the answer to an old question may be the newest rows.
import type { Millis } from '../../base/clock.ts';
import type { HistoryEntry, HistorySeries, LeftOut } from './series.ts';

interface Range {
  readonly from: Millis;
  /** Exclusive. */
  readonly to: Millis;
}

/** Yields the rows of the range, page by page, in order of time; each once. Repeated rows count in `leftOut`. */
export async function* pagesOf(series: HistorySeries, { from, to }: Range, leftOut: LeftOut): AsyncGenerator<readonly HistoryEntry[]> {
  let cursor = from;
  /** Ids of the rows at `cursor` that were yielded. */
  let seen: ReadonlySet<string | undefined> = new Set();
  while (cursor < to) {
    const rows = (await firstRows(series, { from: cursor, to })).filter(({ time }) => time < to);
    const last = rows.at(-1);
    if (last === undefined) return;
    const fresh = onceEach(
      rows.filter(({ id }) => id === undefined || !seen.has(id)),
      leftOut,
    );
    if (fresh.length > 0) yield fresh;
    const atLast = rows.flatMap(({ time, id }) => (time === last.time ? [id] : []));
    const next = last.time + series.stepMs;
    if (next > cursor) [cursor, seen] = [next, new Set(series.stepMs === 0 ? atLast : [])];
    else if (fresh.length > 0) seen = new Set([...seen, ...atLast]);
    else [cursor, seen] = [cursor + 1, new Set()]; // more rows have this time than a page holds, and the exchange shows no others
  }
}

/** Rows of one time: those with different ids are all kept; of the others the last one, which is the newest version. */
function onceEach(rows: readonly HistoryEntry[], leftOut: LeftOut): readonly HistoryEntry[] {
  const byKey = new Map<string, HistoryEntry>();
  for (const row of rows) {
    const key = row.id === undefined ? String(row.time) : `${row.time} ${row.id}`;
    if (byKey.has(key)) leftOut['twice'] = (leftOut['twice'] ?? 0) + 1;
    byKey.set(key, row);
  }
  return [...byKey.values()];
}

/**
 * Returns the first page with rows of the range, sorted by time; rows may lie after it. A page that has none of its own rows is asked for
 * twice, because some exchanges answer so when they are busy. Returns an empty list if the exchange has none.
 */
export async function firstRows(series: HistorySeries, { from, to }: Range): Promise<readonly HistoryEntry[]> {
  for (let cursor = from; cursor < to; cursor += series.pageMs) {
    const rows = await askTwice(series, cursor);
    const [first] = rows;
    if (first === undefined) continue;
    if (first.time < cursor + series.pageMs || (await isFirst(series, first, cursor))) return rows;
  }
  return [];
}

/**
 * True if the exchange has nothing in the page before this row, and false if it only answered an old question with its newest rows. In the second case
 * the pages in between are asked one by one.
 */
async function isFirst(series: HistorySeries, { time: first }: HistoryEntry, since: Millis): Promise<boolean> {
  const before = Math.max(since, first - series.pageMs);
  return before === since || !(await asked(series, before)).some(({ time }) => time < first);
}

const askTwice = async (series: HistorySeries, since: Millis): Promise<readonly HistoryEntry[]> => {
  const rows = await asked(series, since);
  const [first] = rows;
  return first !== undefined && first.time < since + series.pageMs ? rows : asked(series, since);
};

const asked = async (series: HistorySeries, since: Millis): Promise<readonly HistoryEntry[]> =>
  (await series.ask(since)).filter(({ time }) => time >= since).toSorted((a, b) => a.time - b.time);
