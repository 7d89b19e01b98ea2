// Following a cursor to its end.
import { HostedError } from './error.ts';

export interface Page<T> {
  readonly items: readonly T[];
  /** Where the next page starts; undefined at the end. */
  readonly nextStartInclusive?: string | undefined;
}

/**
 * Page after page until the cursor is null or absent: the number of items says nothing. A cursor that comes a second time would lead round for ever
 * and is a `shape` error, after the page that carried it.
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
      throw new HostedError({ kind: 'shape', message: `${what}: the page cursor ${cursor} came twice`, status: 200 });
    followed.add(cursor);
    page = await fetchPage(cursor);
    yield page;
  }
}
