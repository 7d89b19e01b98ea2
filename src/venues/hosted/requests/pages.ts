// Follows a page cursor to its end.
import { ClientError } from '../../../exchange/kit/client-error.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; undefined on the last page. */
  readonly nextStartInclusive?: string | undefined;
}

/**
 * Yields page after page until the cursor is null or absent; the number of items proves nothing. A repeated cursor would never end, so it is a
 * `shape` error, thrown after the page that contained it.
 */
export async function* followCursor<T>(
  what: string,
  fetchPage: (startInclusive?: string) => Promise<Page<T>>,
): AsyncGenerator<Page<T>, void> {
  const followed = new Set<string>();
  let page = await fetchPage();
  yield page;
  while (page.nextStartInclusive !== undefined) {
    const cursor = page.nextStartInclusive;
    if (followed.has(cursor))
      throw new ClientError({ kind: 'shape', message: `${what}: the page cursor ${cursor} came twice`, status: 200 });
    followed.add(cursor);
    page = await fetchPage(cursor);
    yield page;
  }
}
