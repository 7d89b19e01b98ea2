// Downloads history page by page. A short page is not the end, an empty page may be a gap, and an exchange may answer a request for old rows with its newest.
import type { Millis } from '../../base/clock.ts';
import type { HistoryEntry, HistorySeries, LeftOut } from './series.ts';

interface Range {
  readonly from: Millis;
  /** Exclusive. */
  readonly to: Millis;
}

/** Yields the rows of the range, page by page, in order of time; each once. Repeated rows count in `leftOut`. A series with `stepMs` 0 must have ids. */
export async function* pagesOf(series: HistorySeries, { from, to }: Range, leftOut: LeftOut): AsyncGenerator<readonly HistoryEntry[]> {
  // `stepMs` is 0 if several rows may have the same time (trades). The next page then begins at the time of the last row, and `seenIds` drops the rows that
  // were yielded. Otherwise it begins `stepMs` after the last row.
  let cursor = from;
  /** Ids of the rows at `cursor` that were yielded. */
  let seenIds: ReadonlySet<string | undefined> = new Set();
  while (cursor < to) {
    const rows = (await firstRows(series, { from: cursor, to })).filter(({ time }) => time < to);
    const last = rows.at(-1);
    if (last === undefined) return;
    const fresh = withoutRepeats(
      rows.filter(({ id }) => id === undefined || !seenIds.has(id)),
      leftOut,
    );
    if (fresh.length > 0) yield fresh;
    const atLast = rows.flatMap(({ time, id }) => (time === last.time ? [id] : []));
    const next = last.time + series.stepMs;
    if (next > cursor) {
      // the page reached a later time
      [cursor, seenIds] = [next, new Set(series.stepMs === 0 ? atLast : [])];
    } else if (fresh.length > 0) {
      // still at the same time, with new rows: ask again
      seenIds = new Set([...seenIds, ...atLast]);
    } else {
      // the exchange shows no more rows of this time, of which there may be more than a page holds: skip the rest of them
      [cursor, seenIds] = [cursor + 1, new Set()];
    }
  }
}

/** Drops repeated rows: of rows with equal time and id, or with equal time and no id, the last one is kept, which is the newest version. */
function withoutRepeats(rows: readonly HistoryEntry[], leftOut: LeftOut): readonly HistoryEntry[] {
  const byKey = new Map<string, HistoryEntry>();
  for (const row of rows) {
    const key = row.id === undefined ? String(row.time) : `${row.time} ${row.id}`;
    if (byKey.has(key)) leftOut['twice'] = (leftOut['twice'] ?? 0) + 1;
    byKey.set(key, row);
  }
  return [...byKey.values()];
}

/**
 * Returns the first page with rows of the range, sorted by time; its last rows may lie after the range. A page that has no rows within its own span is
 * requested twice, because a busy exchange may answer with an empty page. Returns an empty list if the exchange has no rows.
 */
export async function firstRows(series: HistorySeries, { from, to }: Range): Promise<readonly HistoryEntry[]> {
  for (let cursor = from; cursor < to; cursor += series.pageMs) {
    const rows = await pageAskedTwice(series, cursor);
    const [first] = rows;
    if (first === undefined) continue;
    if (first.time < cursor + series.pageMs || (await isFirst(series, first, cursor))) return rows;
  }
  return [];
}

/**
 * True if this row is the first that the exchange has since `requested`. The exchange may have skipped pages to answer with its newest rows. It has not if the
 * page just before this row is empty, or is the requested page itself. If it has, the pages in between are requested one by one.
 */
async function isFirst(series: HistorySeries, { time: first }: HistoryEntry, requested: Millis): Promise<boolean> {
  const before = Math.max(requested, first - series.pageMs);
  return before === requested || !(await sortedPage(series, before)).some(({ time }) => time < first);
}

/** Asks once more if the page is empty, or begins after its end. */
const pageAskedTwice = async (series: HistorySeries, since: Millis): Promise<readonly HistoryEntry[]> => {
  const rows = await sortedPage(series, since);
  const [first] = rows;
  return first !== undefined && first.time < since + series.pageMs ? rows : sortedPage(series, since);
};

const sortedPage = async (series: HistorySeries, since: Millis): Promise<readonly HistoryEntry[]> =>
  (await series.ask(since)).filter(({ time }) => time >= since).toSorted((a, b) => a.time - b.time);
