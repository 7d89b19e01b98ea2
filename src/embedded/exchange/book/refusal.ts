// Why a book refuses an order, in the order of the checks.
import { unreachable } from '../../../base/assert.ts';
import type { Lots, Ticks } from '../../../bot/domain/numbers.ts';
import { canRest, type FillMode } from '../../../bot/domain/order.ts';
import type { Fills } from './fills.ts';

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
