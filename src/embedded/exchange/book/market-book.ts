// The interface of one market's order book, filled by traders in this process or by a recording.
import type { Level } from '../../../bot/domain/book.ts';
import type { Lots, Ticks } from '../../../bot/domain/numbers.ts';
import type { FillMode } from '../../../bot/domain/order.ts';
import type { Side } from '../../../bot/domain/side.ts';
import type { Fills } from './fills.ts';
import type { Handle } from './ladder.ts';
import type { MatchRefusal } from './refusal.ts';

/**
 * Orders are executed in two steps: `plan` computes what an order would trade, `commit` executes it; between the two the caller may still refuse. A
 * fill happens at the maker's price.
 */
export interface MarketBook {
  /** The fills of the order planned last; makers are handles. Overwritten by the next plan. */
  readonly fills: Fills;
  best(side: Side): Ticks | undefined;
  /** Total sizes per level, best first, own orders included. */
  levels(side: Side): readonly Level[];
  /**
   * Computes the fills of an order. Returns why it is refused, or undefined. Changes no resting order. An order without a price is a market order.
   */
  plan(side: Side, mode: FillMode, size: Lots, price: Ticks | undefined): MatchRefusal | undefined;
  /** Executes the plan, and returns the handle of the remainder if it rests. */
  commit(): Handle | undefined;
  /** The handle must be of a resting order. */
  cancel(handle: Handle): void;
  /** Reduces a resting order by less than its size; the order keeps its place in the queue. */
  shrink(handle: Handle, size: Lots): void;
}
