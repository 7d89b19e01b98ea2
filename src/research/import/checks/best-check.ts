// Compares the rebuilt book with the best bid and ask that the exchange sent.
import type { Side } from '../../../bot/domain/book.ts';
import type { RebuiltBook } from './rebuilt-book.ts';

export interface BestChecks {
  /** Number of comparisons: times the book was complete and the exchange's best bid and ask were known. */
  readonly compared: number;
  readonly equal: number;
  /** `equal / compared`; undefined if nothing was compared. */
  readonly share: number | undefined;
}

export interface ScaledLevel {
  readonly price: number;
  readonly size: number;
}
type Best = Readonly<Record<Side, ScaledLevel | undefined>>;

/** Maximum number of books that wait for their comparison. More wait only if the exchange stops sending its best bid and ask. */
const MAX_WAITING = 10_000;

/**
 * Books and best bid/ask messages both contain all updates up to a number. A book must equal the newest best bid and ask with the
 * same or a lower number. It is compared when a best bid and ask with a higher number arrives. If updates are not numbered, their times are used.
 */
export class BestCheck {
  #newest: Best | undefined;
  #waiting: { readonly upTo: number; readonly best: Best }[] = [];
  #compared = 0;
  #equal = 0;

  /** Adds the best bid and ask after the update with that number. */
  quote(best: Best, upTo: number): void {
    const due = this.#waiting.findIndex((book) => book.upTo >= upTo);
    for (const book of this.#waiting.splice(0, due < 0 ? this.#waiting.length : due)) this.#compare(book.best);
    this.#newest = best;
  }

  /** Adds a complete book that contains all updates up to that number. */
  book(book: RebuiltBook, upTo: number): void {
    if (this.#waiting.length < MAX_WAITING) this.#waiting.push({ upTo, best: bestOf(book) });
  }

  checks(): BestChecks {
    const [compared, equal] = [this.#compared, this.#equal];
    return { compared, equal, share: compared === 0 ? undefined : equal / compared };
  }

  #compare(book: Best): void {
    const newest = this.#newest;
    if (newest === undefined) return;
    this.#compared += 1;
    if (same(book.bid, newest.bid) && same(book.ask, newest.ask)) this.#equal += 1;
  }
}

const same = (a: ScaledLevel | undefined, b: ScaledLevel | undefined): boolean => a?.price === b?.price && a?.size === b?.size;

function bestOf(book: RebuiltBook): Best {
  const level = (side: Side): ScaledLevel | undefined => {
    const price = book.best(side);
    return price === undefined ? undefined : { price, size: book.size(side, price) };
  };
  return { bid: level('bid'), ask: level('ask') };
}
