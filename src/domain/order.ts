// Our orders and their fills.
import type { Millis } from '../base/clock.ts';
import type { ActionId, ClientOrderId, MarketId, OrderId, TradeId, UpdateId } from './ids.ts';
import type { Lots, Micros, Ticks } from './numbers.ts';
import type { Side } from './side.ts';

export type FillMode = 'LIMIT' | 'POST_ONLY' | 'IMMEDIATE_OR_CANCEL' | 'FILL_OR_KILL';

/**
 * `pending`: sent, not answered. `open`: resting. `cancelling`: a cancel is on its way or answered, and no later account has shown it gone.
 * `unknown`: it may or may not be at the exchange; only proof moves it on. Anything else has left the world.
 */
export type OrderStatus = 'pending' | 'open' | 'cancelling' | 'unknown';

export interface Order {
  readonly clientOrderId: ClientOrderId;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  /** What can still be filled. */
  readonly remaining: Lots;
  readonly fillMode: FillMode;
  readonly status: OrderStatus;
  /** The exchange's; undefined until it is learned. */
  readonly orderId?: OrderId | undefined;
  readonly sentAt: Millis;
  /** The exchange's time in seconds as it was last heard then, or signed with: no fill of it is older. Undefined where it was never heard. */
  readonly engineThen?: number | undefined;
  /** When its status last changed, by an event of ours. An account asked for earlier says nothing of it. */
  readonly touchedAt: Millis;
  /** The account's `updateId` when our last action on it was sent: an account that has not moved past it says nothing of the action. */
  readonly accountThen?: UpdateId | undefined;
  /** Engine time in seconds after which the sent bytes can never execute; set while `unknown`. */
  readonly deadAfter?: number | undefined;
  /** True while the newest account lacks the order although it could have listed it: it is over, or the account is wrong. That is not proved yet. */
  readonly missing?: boolean | undefined;
  /** To be cancelled whatever is wanted: it was another's when the run began. */
  readonly unwanted?: boolean | undefined;
}

export const canRest = (mode: FillMode): boolean => mode === 'LIMIT' || mode === 'POST_ONLY';

/** Of the same order: an answer, or a word of its cancel, makes it no heavier and no lighter. */
export const weighAlike = (one: Order, other: Order): boolean =>
  one.remaining === other.remaining && (one.status === 'unknown') === (other.status === 'unknown');

/** One of our trades, as the exchange's record shows it. */
export interface Fill {
  readonly tradeId: TradeId;
  readonly actionId: ActionId;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  readonly role: 'maker' | 'taker';
  /** Positive when charged; undefined where the exchange did not say. */
  readonly fee?: Micros | undefined;
  /** The maker's order; ours when we were the maker. Empty where the record names none. */
  readonly orderId: OrderId;
  /** Ours, where the order could be told. */
  readonly clientOrderId?: ClientOrderId | undefined;
  /** Exchange time. */
  readonly time: Millis;
}

/** A trade of the market, whoever made it. */
export interface Trade {
  readonly tradeId: TradeId;
  readonly market: MarketId;
  readonly takerSide: Side;
  readonly price: Ticks;
  readonly size: Lots;
  readonly time: Millis;
}
