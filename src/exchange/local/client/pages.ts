// Reads numbered pages, from the first to an end that not every server announces.
import { LocalError } from './error.ts';

/** Pages are requested one after another, as they are consumed. Rejects with a LocalError. */
export type Pages<T> = AsyncIterable<readonly T[]>;

export interface NumberedPage<T> {
  readonly items: readonly T[];
  /** False only if the server says that this is the last page. */
  readonly hasMoreData?: boolean | undefined;
}

export type Pager = <T>(fetchPage: (page: number) => Promise<NumberedPage<T>>) => Pages<T>;

/**
 * Pages end with one that is empty, that is marked as the last, or that repeats the one before, as every page does on a server that ignores the
 * number. A server that counts from 1 shows it in its answer to page 0: it complains about the page, and page 0 is not requested again, or it returns
 * page 1, which then comes again and is skipped. If items are added in the meantime, one item can appear on two pages.
 */
export function pagesFrom(firstPage: number): Pager {
  let first = firstPage;
  return async function* pages(fetchPage) {
    let before: string | undefined;
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
      const isRepeated = content === before;
      if (page.items.length === 0 || (isRepeated && number !== 1)) return;
      if (!isRepeated) yield page.items;
      if (page.hasMoreData === false) return;
      before = content;
    }
  };
}

const isAboutThePage = (error: unknown): boolean => error instanceof LocalError && /\bpage\b/i.test(error.reason ?? '');
