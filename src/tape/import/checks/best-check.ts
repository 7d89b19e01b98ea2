// The rebuilt book held against the best bid and ask that the exchange told beside it.
import type { Side } from '../../../domain/side.ts';
import type { RebuiltBook } from '../rows/rebuilt-book.ts';

export interface BestChecks {
  /** Moments when the book was whole and the exchange had told its best bid and ask. */
  readonly compared: number;
  readonly equal: number;
  /** Equal of compared; undefined where none was. */
  readonly share: number | undefined;
}

export interface SeenLevel {
  readonly price: number;
  readonly size: number;
}
type Best = Readonly<Record<Side, SeenLevel | undefined>>;

/** Books that wait for their comparison at most; more come only where nothing is told any longer. */
const MOST_WAITING = 10_000;

/**
 * A book holds all up to a number, and so does a best bid and ask; each best is told when it changes. So a book is to equal the newest best that
 * goes no further than the book, which is known when one is told that does. Without numbers, times stand for them.
 */
export class BestCheck {
  #told: Best | undefined;
  #waiting: { readonly upTo: number; readonly best: Best }[] = [];
  #compared = 0;
  #equal = 0;

  /** The best bid and ask have become this with the update of that number. */
  tell(best: Best, upTo: number): void {
    const due = this.#waiting.findIndex((book) => book.upTo >= upTo);
    for (const book of this.#waiting.splice(0, due < 0 ? this.#waiting.length : due)) this.#compare(book.best);
    this.#told = best;
  }

  /** The book is whole, and holds all up to that number. */
  book(book: RebuiltBook, upTo: number): void {
    if (this.#waiting.length < MOST_WAITING) this.#waiting.push({ upTo, best: bestOf(book) });
  }

  checks(): BestChecks {
    const [compared, equal] = [this.#compared, this.#equal];
    return { compared, equal, share: compared === 0 ? undefined : equal / compared };
  }

  #compare(book: Best): void {
    const told = this.#told;
    if (told === undefined) return;
    this.#compared += 1;
    if (same(book.bid, told.bid) && same(book.ask, told.ask)) this.#equal += 1;
  }
}

const same = (a: SeenLevel | undefined, b: SeenLevel | undefined): boolean => a?.price === b?.price && a?.size === b?.size;

function bestOf(book: RebuiltBook): Best {
  const level = (side: Side): SeenLevel | undefined => {
    const price = book.best(side);
    return price === undefined ? undefined : { price, size: book.size(side, price) };
  };
  return { bid: level('bid'), ask: level('ask') };
}
