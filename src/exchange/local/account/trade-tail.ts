// Polls the newest end of a list whose items have no ids, so that no item is missed and none is reported twice.
import type { Millis } from '../../../base/clock.ts';
import type { TradeId } from '../../../domain/ids.ts';
import { type KeyedTrade, TradeTail, type TradeTailOptions, type Window } from '../../kit/streams/trade-tail.ts';

interface Row {
  /** RFC 3339. */
  readonly time: string;
}

export interface RowTailOptions<R extends Row, T extends KeyedTrade>
  extends Omit<TradeTailOptions<T>, 'read' | 'order' | 'isCutWithinMoment'> {
  readonly pages: () => AsyncIterable<readonly R[]>;
  /** Returns all fields of a row as one text; rows with equal texts are distinguished by counting them. */
  readonly contentOf: (row: R) => string;
  /** Throws for an invalid row. */
  readonly map: (row: R, tradeId: TradeId) => T;
}

export const tailOf = <R extends Row, T extends KeyedTrade>({ pages, contentOf, map, ...options }: RowTailOptions<R, T>): TradeTail<T> =>
  new TradeTail({ ...options, read: (window) => readRows({ pages, contentOf, map }, window), isCutWithinMoment: true });

type Reading<R extends Row, T extends KeyedTrade> = Pick<RowTailOptions<R, T>, 'pages' | 'contentOf' | 'map'>;

async function readRows<R extends Row, T extends KeyedTrade>(reading: Reading<R, T>, window: Window): Promise<readonly T[]> {
  const { contentOf, map } = reading;
  const seen = new Map<string, number>();
  const read: T[] = [];
  for (const row of await rowsIn(reading, window)) {
    const content = contentOf(row);
    const nth = seen.get(content) ?? 0;
    seen.set(content, nth + 1);
    if (timeOf(row) >= (window.since ?? 0)) read.push(map(row, `${content}/${nth}`));
  }
  return read;
}

async function rowsIn<R extends Row, T extends KeyedTrade>(reading: Reading<R, T>, { since, maxPages }: Window): Promise<readonly R[]> {
  const read: (readonly R[])[] = [];
  for await (const page of reading.pages()) {
    read.push(page);
    if (read.length >= maxPages || goesBackBeyond(page, since ?? 0)) break;
  }
  if (read.length > 1) await requireUnmoved(reading, read[0] ?? []);
  return read.flat();
}

/** Throws if the first page has changed: new items push others from one page to the next, where they would be counted twice. */
async function requireUnmoved<R extends Row, T extends KeyedTrade>(
  { pages, contentOf }: Reading<R, T>,
  first: readonly R[],
): Promise<void> {
  const text = (rows: readonly R[]): string => JSON.stringify(rows.map(contentOf));
  for await (const page of pages()) {
    if (text(page) === text(first)) return;
    break;
  }
  throw new Error('the list grew while its pages were read');
}

/**
 * Returns a local time after which the newest reported item certainly happened, apart from the lag of the list: the earlier of its own time, because
 * lists may come late, and of the last round, because clocks may differ.
 */
export const happenedAfter = (reported: readonly KeyedTrade[], lastRound: Millis): Millis =>
  Math.min(
    lastRound,
    reported.reduce((newest, { time }) => Math.max(newest, time), 0),
  );

const timeOf = ({ time }: Row): Millis => Date.parse(time);

/** False for a list that is not newest first: it must be read to its end. */
function goesBackBeyond(page: readonly Row[], moment: Millis): boolean {
  const [first, last] = [page[0], page.at(-1)];
  return first !== undefined && last !== undefined && timeOf(first) >= timeOf(last) && timeOf(last) < moment;
}
