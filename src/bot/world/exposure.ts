// The worst-case position in a market: the position as a range, plus all that can still fill.
import type { RestingOrder } from '../domain/account.ts';
import type { Side } from '../domain/book.ts';
import { type Lots, lots } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';

/**
 * `low` and `high` bound the position whether unknown orders have filled or not; `bids` and `asks` are all other orders that may rest, including
 * those in flight. So an unknown order counts once, as the worse of open and filled.
 */
export interface Exposure {
  readonly low: Lots;
  readonly high: Lots;
  readonly bids: Lots;
  readonly asks: Lots;
}

export interface ExposureParts {
  /** The position in the account. */
  readonly held: Lots;
  /** Bounds of what later trades may have added to the position. */
  readonly late: { readonly low: number; readonly high: number };
  /** Our orders in this market. */
  readonly orders: readonly Order[];
  /** Orders of others on the account, in this market. */
  readonly foreign: readonly RestingOrder[];
}

export function exposureOf({ held, late, orders, foreign }: ExposureParts): Exposure {
  const resting = { bid: 0, ask: 0 };
  const maybeFilled = { bid: 0, ask: 0 };
  for (const { side, status, remaining } of orders) add(status === 'unknown' ? maybeFilled : resting, side, remaining);
  for (const { side, size } of foreign) add(resting, side, size);
  return {
    low: lots(held + late.low - maybeFilled.ask),
    high: lots(held + late.high + maybeFilled.bid),
    bids: lots(resting.bid),
    asks: lots(resting.ask),
  };
}

/** `sums[side] += size` would look the property up by its name each time. */
function add(sums: { bid: number; ask: number }, side: Side, size: Lots): void {
  if (side === 'bid') sums.bid += size;
  else sums.ask += size;
}

/** Returns the exposure with one more resting order. */
export function withOrder({ low, high, bids, asks }: Exposure, { side, size }: { side: Side; size: Lots }): Exposure {
  return side === 'bid' ? { low, high, bids: lots(bids + size), asks } : { low, high, bids, asks: lots(asks + size) };
}

/** The largest position, in either direction, that the exposure could lead to. */
export const worstPosition = ({ low, high, bids, asks }: Exposure): Lots => lots(Math.max(Math.abs(high + bids), Math.abs(low - asks)));

/** Returns the worst position with one more resting order. */
export const worstWith = ({ low, high, bids, asks }: Exposure, { side, size }: { side: Side; size: Lots }): Lots =>
  lots(Math.max(Math.abs(high + bids + (side === 'bid' ? size : 0)), Math.abs(low - asks - (side === 'ask' ? size : 0))));

/** True if the order can only bring the position nearer to flat, whichever of the other orders have filled or will fill. */
export function reduces(exposure: Exposure, { side, size }: { side: Side; size: Lots }): boolean {
  return side === 'bid'
    ? exposure.high < 0 && exposure.bids + size <= -exposure.high
    : exposure.low > 0 && exposure.asks + size <= exposure.low;
}
