// The size of an order that is limited by size, by quote money, by its price alone, or by several of them.

import { opposite, signOf } from '../../../bot/domain/book.ts';
import { type Lots, lots, type Ticks } from '../../../bot/domain/numbers.ts';
import { canRest } from '../../../bot/domain/order.ts';
import type { CompoundRefusal, OrderLimits } from '../commands.ts';
import { band, type MarketState } from '../state/market-state.ts';

/**
 * Returns the size of an order with these limits in the current book, rounded to the nearest lot if quote money limits it; or the refusal. An order
 * that cannot rest and has no price must use up one of its limits, or it is refused with FAILED_TO_FILL_LIMIT.
 */
export function sizeWithin(marketState: MarketState, limits: OrderLimits): Lots | CompoundRefusal {
  const { fillMode, price, size, quote } = limits;
  if (price === undefined && size === undefined && quote === undefined) return 'ORDER_EXECUTION_MISSING_LIMITS';
  const rests = canRest(fillMode);
  if (rests && price === undefined) return 'ORDER_EXECUTION_MISSING_PRICE';
  if (rests && size === undefined && quote === undefined) return 'ORDER_SIZE_ZERO';
  if (quote === undefined && size !== undefined && price !== undefined) return size;
  const { total, isUsedUp } = fillable(marketState, limits);
  if (!Number.isSafeInteger(total)) return 'ORDER_EXECUTION_SIZE_LIMIT';
  if (total === 0 && isUsedUp) return 'ORDER_SIZE_ZERO';
  if (rests) return total === 0 ? 'ORDER_SIZE_ZERO' : lots(total);
  if (isUsedUp) return lots(total);
  if (fillMode === 'FILL_OR_KILL' && (total === 0 || size !== undefined || quote !== undefined)) return 'ORDER_EXECUTION_FILL_OR_KILL';
  if (total === 0) return 'IMMEDIATE_ORDER_GOT_NO_FILLS';
  return price === undefined ? 'FAILED_TO_FILL_LIMIT' : lots(Math.min(total, marketState.sizeLimit));
}

/**
 * Sums the sizes that the order could take on the opposite side, best first, until a limit is used up. An order that can rest counts the rest at its own
 * price. The last level is divided by the quote money that is left. Example: 25 of quote money in a book of 2 lots at 10 and 9 at 11 gives 2 lots, then
 * 5 / 11, which rounds to 0 lots.
 */
function fillable(marketState: MarketState, { side, fillMode, price, size, quote }: OrderLimits): { total: number; isUsedUp: boolean } {
  const { low, high } = band(marketState, side);
  const limit = price ?? (side === 'bid' ? high : low);
  const maxSize: number = size ?? Number.POSITIVE_INFINITY;
  let quoteLeft = quote;
  let total = 0;
  /** Adds what the order can take at a level; returns true if a limit is used up. */
  const take = (levelPrice: Ticks, levelSize: number): boolean => {
    let taken = Math.min(levelSize, maxSize - total);
    const value = taken === Number.POSITIVE_INFINITY ? undefined : BigInt(taken) * BigInt(levelPrice);
    if (quoteLeft !== undefined && (value === undefined || quoteLeft < value)) {
      taken = Number((quoteLeft + BigInt(levelPrice) / 2n) / BigInt(levelPrice));
      quoteLeft = 0n;
    } else if (quoteLeft !== undefined && value !== undefined) quoteLeft -= value;
    total += taken;
    return total >= maxSize || quoteLeft === 0n;
  };
  for (const level of marketState.book.levels(opposite(side))) {
    if ((level.price - limit) * signOf(side) > 0) break;
    if (take(level.price, level.size)) return { total, isUsedUp: true };
  }
  const isUsedUp = canRest(fillMode) && take(limit, Number.POSITIVE_INFINITY);
  return { total, isUsedUp };
}
