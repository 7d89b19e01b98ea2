// The state that an earlier process of the same run left behind.
import type { Millis } from '../../base/clock.ts';
import type { FundingCarry } from '../domain/accounting/account-funding.ts';
import type { ClientOrderId, MarketId } from '../domain/ids.ts';
import type { Lots } from '../domain/numbers.ts';
import type { Fill, Order } from '../domain/order.ts';
import type { Memories } from './memory.ts';
import type { AccountingCarry } from './position/accounting.ts';

export interface RecoveredState {
  /** Orders that are not known to have ended. */
  readonly orders: readonly Order[];
  /** The fills of those orders, and the latest fills that could not be attributed to an order. */
  readonly fills: readonly RecoveredFill[];
  /**
   * The latest fills of the run as they are booked, and all provisional ones (price or fee impossible so far), also those of orders that have ended;
   * undefined if there are none.
   */
  readonly booked?: readonly Fill[] | undefined;
  /** Orders that ended lately; if one appears again, it is a ghost. */
  readonly ended?: readonly EndedOrder[] | undefined;
  /** Each position before the first fill that this process will receive: the position before the run plus all fills of the run so far. */
  readonly baselines?: Iterable<readonly [MarketId, Lots]> | undefined;
  /** For markets without a baseline: the newest fills, newest first, in signed lots. The first accounts that this process reads may not include them. */
  readonly newestFills?: Iterable<readonly [MarketId, readonly number[]]> | undefined;
  /** When orders were sent within the last minute of that process, oldest first. */
  readonly placedAt?: readonly Millis[] | undefined;
  /** Profit and loss so far, with funding; undefined if nothing was recorded. */
  readonly accounting?: AccountingCarry | undefined;
  readonly funding?: FundingCarry | undefined;
  /** The run's memory; undefined if empty. */
  readonly memory?: Memories | undefined;
}

export interface RecoveredFill extends Fill {
  /** The newest of our orders when the fill arrived: an order sent later cannot have made it. */
  readonly newestThen?: ClientOrderId | undefined;
}

export interface EndedOrder {
  /** The order's last state, with the expiry of its signed bytes if known. */
  readonly order: Order;
  /** How its end was reported, e.g. `rejected: NOT_SENT`; undefined for a filled order. */
  readonly reportedAs: string | undefined;
  /** True if the order was reported as never in the book. */
  readonly neverPlaced: boolean;
  readonly at: Millis;
}
