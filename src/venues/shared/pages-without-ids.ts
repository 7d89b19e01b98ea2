// Reads lists of trades without ids: a trade is identified by its content, and by its number among the trades of the same content.
import type { Millis } from '../../base/clock.ts';
import type { TradeId } from '../../bot/domain/ids.ts';
import type { TradePages } from '../../bot/exchange/kit/venue-client.ts';
import { firstPage } from './cursor-pages.ts';

interface Row {
  /** RFC 3339. */
  readonly time: string;
}

export interface RowPages<R extends Row, T> {
  /** The request, for messages. */
  readonly what: string;
  /** Reads the list, newest first. */
  readonly rows: () => AsyncIterable<readonly R[]>;
  /** Returns all fields of a row as one text; rows with equal texts are distinguished by counting them. */
  readonly contentOf: (row: R) => string;
  /** Converts a row of the window. Throws for an invalid one. */
  readonly map: (row: R, tradeId: TradeId) => T;
  /** True if older pages are of no use. */
  readonly isNewestPageOnly?: boolean | undefined;
}

/** Returns the pages of the list, and gives each trade an id of its content and count. A read of several pages throws if the list grew meanwhile. */
export const tradesWithoutIds = <R extends Row, T>({ what, isNewestPageOnly = false, ...reading }: RowPages<R, T>): TradePages<T> => ({
  what,
  withoutIds: true,
  async *pages(since = 0) {
    const { rows, contentOf, map } = reading;
    const counts = new Map<string, number>();
    const numbered = (row: R): TradeId => {
      const content = contentOf(row);
      const nth = counts.get(content) ?? 0;
      counts.set(content, nth + 1);
      return `${content}/${nth}`;
    };
    const read: (readonly R[])[] = [];
    for await (const page of rows()) {
      read.push(page);
      const named = page.map((row) => [row, numbered(row)] as const);
      yield named.filter(([row]) => timeOf(row) >= since).map(([row, id]) => map(row, id));
      if (isNewestPageOnly || goesBackBeyond(page, since)) break;
    }
    if (read.length > 1) await requireUnmoved(reading, read[0] ?? []);
  },
});

/** Throws if the first page has changed: new items push others from one page to the next, where they would be counted twice. */
async function requireUnmoved<R extends Row, T>(
  { rows, contentOf }: Pick<RowPages<R, T>, 'rows' | 'contentOf'>,
  first: readonly R[],
): Promise<void> {
  const text = (page: readonly R[]): string => JSON.stringify(page.map(contentOf));
  const now = await firstPage(rows());
  if (now === undefined || text(now) !== text(first)) throw new Error('the list grew while its pages were read');
}

const timeOf = ({ time }: Row): Millis => Date.parse(time);

/** False for a list that is not newest first: it must be read to its end. */
function goesBackBeyond(page: readonly Row[], moment: Millis): boolean {
  const [first, last] = [page[0], page.at(-1)];
  return first !== undefined && last !== undefined && timeOf(first) >= timeOf(last) && timeOf(last) < moment;
}
