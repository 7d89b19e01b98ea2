// Reads a list page by page, where each page has the cursor of the next one.
import { ClientError } from './client-error.ts';

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
