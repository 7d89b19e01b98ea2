// What an earlier process of the same run left behind.
import type { Millis } from '../base/clock.ts';
import type { FundingCarry } from '../domain/funding.ts';
import type { ActionId, ClientOrderId, MarketId } from '../domain/ids.ts';
import type { Lots } from '../domain/numbers.ts';
import type { Fill, Order } from '../domain/order.ts';
import type { AccountingCarry } from './position/accounting.ts';

export interface RecoveredState {
  /** Those not known to have ended. */
  readonly orders: readonly Order[];
  /** Of those orders, and the latest of which it did not know whose they were. */
  readonly fills: readonly RecoveredFill[];
  /** Those that ended lately: one that turns up is a ghost. */
  readonly ended?: readonly EndedOrder[] | undefined;
  /** What is held before the first fill that this process will be told: what was there before the run, and all fills of the run so far. */
  readonly baselines?: Iterable<readonly [MarketId, Lots]> | undefined;
  /** When orders left within its last minute, oldest first. */
  readonly placedAt?: readonly Millis[] | undefined;
  /** What was earned and lost until then, with the funding in it; undefined where nothing was. */
  readonly accounting?: AccountingCarry | undefined;
  readonly funding?: FundingCarry | undefined;
}

/** In place of the action of a fill: it was not written down. */
export const NO_ACTION: ActionId = '0';

export interface RecoveredFill extends Fill {
  /** The newest of our orders when it was told: none that came after it can have made it. */
  readonly newestThen?: ClientOrderId | undefined;
}

export interface EndedOrder {
  /** As it was last, with the end of its bytes where that is known. */
  readonly order: Order;
  /** What we said of it: `rejected: NOT_SENT`; undefined for one that was filled. */
  readonly said: string | undefined;
  /** We said that it never reached the book. */
  readonly denied: boolean;
  readonly at: Millis;
}
