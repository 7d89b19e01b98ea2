// Reads numbered pages to the end, which not every server marks.
import { ClientError } from '../../../base/transport/client-error.ts';

/** The pages of a list, requested one after another, as they are consumed. Rejects with a ClientError. */
export type Pages<T> = AsyncIterable<readonly T[]>;

export interface NumberedPage<T> {
  readonly items: readonly T[];
  /** False only if the server says that this is the last page. */
  readonly hasMoreData?: boolean | undefined;
}

export type Pager = <T>(fetchPage: (page: number) => Promise<NumberedPage<T>>) => Pages<T>;

/**
 * Reading ends at a page that is empty, marked as the last, or equal to the previous one (a server that ignores the page number). A server that counts
 * from 1 may refuse page 0, which is then not requested again, or answer it with page 1; the same page that follows is then skipped. If items are added
 * meanwhile, an item can appear on two pages.
 */
export function pagesFrom(firstPage: number): Pager {
  let first = firstPage;
  return async function* pages(fetchPage) {
    let previous: string | undefined;
    for (let number = first; ; number++) {
      const page = await fetchPage(number).catch((error: unknown) => {
        if (number === 0 && isAboutThePage(error)) return undefined;
        throw error;
      });
      if (page === undefined) {
        first = 1;
        continue;
      }
      const content = JSON.stringify(page.items);
      const isRepeated = content === previous;
      if (page.items.length === 0 || (isRepeated && number !== 1)) return;
      if (!isRepeated) yield page.items;
      if (page.hasMoreData === false) return;
      previous = content;
    }
  };
}

const isAboutThePage = (error: unknown): boolean => error instanceof ClientError && /\bpage\b/i.test(error.reason ?? '');
