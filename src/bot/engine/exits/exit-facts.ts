// What is known of a market when its exits are applied.
import type { Millis } from '../../../base/clock.ts';
import type { Book, Side } from '../../domain/book.ts';
import type { Market } from '../../domain/market.ts';
import type { Lots } from '../../domain/numbers.ts';
import type { Fill, Order } from '../../domain/order.ts';
import type { Exposure } from '../../world/exposure.ts';

export interface ExitFacts {
  readonly market: Market;
  readonly now: Millis;
  /** The position in the account. */
  readonly held: Lots;
  readonly exposure: Exposure;
  /** The account's average price of the position; undefined if it reports none. */
  readonly entry: number | undefined;
  /** The mark, or the last mid if there is no mark; undefined while the market's data is not reliable. */
  readonly price: number | undefined;
  /** In a backtest on candles, in the turn after the end of one: its lowest and highest price. */
  readonly range?: { readonly low: number; readonly high: number } | undefined;
  /** Undefined while the market's data is not reliable. */
  readonly book: Book | undefined;
  /** Our fills in this turn. */
  readonly fills: readonly Fill[];
  /** Our orders that are, or may be, at the exchange. */
  readonly orders: readonly Order[];
}

/** Returns the lots that are certainly held on a side (`bid`: long), whichever orders have filled. */
export const surelyHeld = (side: Side, { exposure }: Pick<ExitFacts, 'exposure'>): number =>
  Math.max(0, side === 'bid' ? exposure.low : -exposure.high);

/** True if certainly nothing is held, whichever orders have filled. */
export const isFlat = ({ held, exposure }: Pick<ExitFacts, 'held' | 'exposure'>): boolean =>
  held === 0 && exposure.low === 0 && exposure.high === 0;

/** Sums the fills of one side: lots, and price times lots. */
export function sumOf(fills: readonly Fill[], side: Side, market: Market): { readonly size: number; readonly cost: number } {
  const sum = { size: 0, cost: 0 };
  for (const fill of fills) {
    if (fill.side !== side) continue;
    sum.size += fill.size;
    sum.cost += fill.size * market.price(fill.price);
  }
  return sum;
}
