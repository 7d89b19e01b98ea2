// Page after page by number, from a start and to an end that not every server announces.
import { LocalError } from './error.ts';

/** Asked for one after another as they are wanted; rejects with a LocalError. */
export type Pages<T> = AsyncIterable<readonly T[]>;

export interface NumberedPage<T> {
  readonly items: readonly T[];
  /** False only where the server says that this is the last. */
  readonly hasMoreData?: boolean | undefined;
}

export type Pager = <T>(fetchPage: (page: number) => Promise<NumberedPage<T>>) => Pages<T>;

/**
 * Pages end with one that is empty, that is said to be the last, or that repeats the one before, as every page does of a server that ignores the
 * number. A server that counts from 1 is told by what it makes of page 0: it complains of the page, and is spared it from then on, or takes it for
 * page 1, which then comes again and is passed over. What happens meanwhile can show an item on two pages.
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
