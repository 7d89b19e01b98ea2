// The interface of one market's order book, filled by traders in this process or by a recording; and why a book refuses an order.

import { unreachable } from '../../../base/errors.ts';
import type { Level, Side } from '../../../bot/domain/book.ts';
import type { Lots, Ticks } from '../../../bot/domain/numbers.ts';
import { canRest, type FillMode } from '../../../bot/domain/order.ts';
import type { Fills } from './fills.ts';
import type { Handle } from './ladder.ts';

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

/** Why a book refuses an order, in the order of the checks. */
export type MatchRefusal =
  | 'ORDER_SIZE_ZERO'
  | 'ORDER_EXECUTION_MISSING_PRICE'
  | 'POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS'
  | 'IMMEDIATE_ORDER_GOT_NO_FILLS'
  | 'ORDER_EXECUTION_FILL_OR_KILL';

/** Returns why an order is refused independently of the book; undefined if it is not. */
export function refusalByForm(mode: FillMode, size: Lots, price: Ticks | undefined): MatchRefusal | undefined {
  if (size <= 0) return 'ORDER_SIZE_ZERO';
  return price === undefined && canRest(mode) ? 'ORDER_EXECUTION_MISSING_PRICE' : undefined;
}

/** Returns why an order that would trade these fills is refused. */
export function refusalByFills(mode: FillMode, size: Lots, fills: Fills): MatchRefusal | undefined {
  switch (mode) {
    case 'LIMIT':
      return undefined;
    case 'POST_ONLY':
      return fills.count > 0 ? 'POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS' : undefined;
    case 'IMMEDIATE_OR_CANCEL':
      return fills.count === 0 ? 'IMMEDIATE_ORDER_GOT_NO_FILLS' : undefined;
    case 'FILL_OR_KILL':
      return fills.total < size ? 'ORDER_EXECUTION_FILL_OR_KILL' : undefined;
    default:
      return unreachable(mode);
  }
}
