// Following a cursor to its end.
import { HostedError } from './client-error.ts';

/**
 * Page after page until the cursor is null or absent: the number of items says nothing. A cursor that comes a second time would lead round for ever
 * and is a `shape` error, after the page that carried it.
 */
export async function* followCursor<P extends { readonly nextStartInclusive?: string | undefined }>(
  what: string,
  fetchPage: (startInclusive: string | undefined) => Promise<P>,
): AsyncGenerator<P, void, void> {
  const followed = new Set<string>();
  let cursor: string | undefined;
  do {
    const page = await fetchPage(cursor);
    yield page;
    cursor = page.nextStartInclusive;
    if (cursor === undefined) return;
    if (followed.has(cursor))
      throw new HostedError({ kind: 'shape', message: `${what}: the page cursor ${cursor} came twice`, status: 200 });
    followed.add(cursor);
  } while (true);
}
