// Reads a list page by page: each page has the cursor of the next one, or the next one begins at the last time of it.
import type { Millis } from '../../base/clock.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import type { TradePages } from '../../bot/exchange/kit/venue-client.ts';

/**
 * Yields page after page until one has no cursor for the next; the number of items proves nothing. A repeated cursor would never end, so it is a
 * `shape` error, thrown after the page that contained it.
 */
export async function* cursorPages<P>(
  what: string,
  fetchPage: (cursor?: string) => Promise<P>,
  nextOf: (page: P) => string | undefined,
): AsyncGenerator<P, void> {
  const followed = new Set<string>();
  let page = await fetchPage();
  yield page;
  for (let cursor = nextOf(page); cursor !== undefined; cursor = nextOf(page)) {
    if (followed.has(cursor))
      throw new ClientError({ kind: 'shape', message: `${what}: the page cursor ${cursor} came twice`, status: 200 });
    followed.add(cursor);
    page = await fetchPage(cursor);
    yield page;
  }
}

/** Returns the first page of a list, and requests no other; undefined if the list has none. */
export async function firstPage<P>(pages: AsyncIterable<P>): Promise<P | undefined> {
  for await (const page of pages) return page;
  return undefined;
}

export interface TradeRows<R, T> {
  /** The request, for messages: `GET /trades`. */
  readonly what: string;
  /** Requests the newest page, or the one that the cursor names. */
  readonly fetchPage: (cursor?: string) => Promise<readonly R[]>;
  /** Returns the cursor of the next page; undefined after the last one. */
  readonly nextOf: (page: readonly R[]) => string | undefined;
  /** Throws for an invalid row. */
  readonly convert: (row: R) => T;
}

/** Returns a list of trades that is read by cursors, newest first. */
export const tradesByCursor = <R, T>({ what, fetchPage, nextOf, convert }: TradeRows<R, T>): TradePages<T> => ({
  what,
  async *pages() {
    for await (const rows of cursorPages(what, fetchPage, nextOf)) yield rows.map(convert);
  },
});

export interface TimedPages<R> {
  /** Requests the oldest rows from a time on, oldest first. */
  readonly fetchPage: (startTime: Millis) => Promise<readonly R[]>;
  /** More may follow a page with this many rows. */
  readonly pageSize: number;
}

/** Returns all rows from a time on, oldest first. Rows with the last time of a full page are in the result twice. */
export async function rowsSince<R extends { readonly time: Millis }>(
  since: Millis,
  { fetchPage, pageSize }: TimedPages<R>,
): Promise<readonly R[]> {
  const all: R[] = [];
  for (let startTime = since, more = true; more; ) {
    const rows = await fetchPage(startTime);
    all.push(...rows);
    const last = rows.at(-1)?.time ?? startTime;
    more = rows.length >= pageSize && last > startTime;
    startTime = last;
  }
  return all;
}
