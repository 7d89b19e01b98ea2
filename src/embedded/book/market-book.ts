// The book of one market as the rest of the exchange knows it, whoever fills it: traders in this process, or a recording.
import type { Level } from '../../domain/book.ts';
import type { Lots, Ticks } from '../../domain/numbers.ts';
import type { FillMode } from '../../domain/order.ts';
import type { Side } from '../../domain/side.ts';
import type { MatchRefusal } from '../rules/refusal.ts';
import type { Fills } from './fills.ts';
import type { Handle } from './ladder.ts';

/**
 * Orders go in two steps: `plan` says what an order would trade, `commit` does it; between the two the caller may still refuse.
 * A fill happens at the maker's price.
 */
export interface MarketBook {
  /** Of the order planned last; makers are handles. Written over by the next plan. */
  readonly fills: Fills;
  best(side: Side): Ticks | undefined;
  /** Totals a level, best first, own orders included. */
  levels(side: Side): readonly Level[];
  /** Works out the fills of an order, or why it is refused, and changes no resting order. Without a price it is a market order. */
  plan(side: Side, mode: FillMode, size: Lots, price: Ticks | undefined): MatchRefusal | undefined;
  /** Executes the plan, and gives the remainder's handle where one rests. */
  commit(): Handle | undefined;
  /** The handle must be of an order that rests. */
  cancel(handle: Handle): void;
  /** Takes less than all of an order that rests out of the book; it keeps its place. */
  shrink(handle: Handle, size: Lots): void;
}
