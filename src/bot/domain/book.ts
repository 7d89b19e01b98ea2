// An order book at one moment: the total size of each price level, best first; and the two sides of a book and of an order.
import type { MarketId, UpdateId } from './ids.ts';
import type { Lots, Ticks } from './numbers.ts';

/** One price of a book, and the size there. */
export interface Level {
  readonly price: Ticks;
  readonly size: Lots;
}

/** An order book of one market, each side with the best price first. */
export interface Book {
  readonly market: MarketId;
  readonly updateId: UpdateId;
  /** Price descending. */
  readonly bids: readonly Level[];
  /** Price ascending. */
  readonly asks: readonly Level[];
}

export const levelsOf = (book: Book, side: Side): readonly Level[] => (side === 'bid' ? book.bids : book.asks);
export const best = (book: Book, side: Side): Level | undefined => levelsOf(book, side)[0];

/** Returns the reason why no decision may be based on this book; undefined if it is usable. */
export function bookFault(book: Book): string | undefined {
  const bid = best(book, 'bid');
  const ask = best(book, 'ask');
  if (bid === undefined || ask === undefined) return `no ${bid === undefined ? 'bids' : 'asks'} in the book`;
  if (bid.price >= ask.price) return 'the book is crossed';
  return undefined;
}

/** Of an order: `bid` buys, `ask` sells. */
export type Side = 'bid' | 'ask';

export const SIDES = ['bid', 'ask'] as const;
export const opposite = (side: Side): Side => (side === 'bid' ? 'ask' : 'bid');
/** +1 if a fill of that side raises the signed position, -1 if it lowers it. */
export const signOf = (side: Side): 1 | -1 => (side === 'bid' ? 1 : -1);
/** True if an order of `side` at `price` would trade with one resting on the opposite side at `other`. */
export const crosses = (side: Side, price: number, other: number): boolean => (side === 'bid' ? price >= other : price <= other);
