// The commands of the exchange and their outcomes.

import type { Side } from '../../bot/domain/book.ts';
import type { AccountId, ActionId, ClientOrderId, MarketId, OrderId } from '../../bot/domain/ids.ts';
import type { Lots, Micros, Ticks } from '../../bot/domain/numbers.ts';
import type { FillMode } from '../../bot/domain/order.ts';
import type { MatchRefusal } from './book/market-book.ts';

/** The exchange's own error names. */
export type Refusal =
  | MatchRefusal
  | 'ACCOUNT_NOT_FOUND'
  | 'MARKET_NOT_FOUND'
  | 'MARKET_FROZEN'
  | 'ORDER_NOT_FOUND'
  | 'TOO_MANY_OPEN_ORDERS'
  | 'ORDER_EXECUTION_LIMIT_PRICE'
  | 'ORDER_EXECUTION_SIZE_LIMIT'
  | 'POSITION_SIZE_LIMIT'
  | 'POSITION_NOT_FOUND'
  | 'INSUFFICIENT_FUNDS'
  | 'RISK_TRADE_OMF_LESS_THAN_OR_EQUAL_CMF';

/** The refusals of orders limited by quote money, and of atomic actions. */
export type CompoundRefusal =
  | Refusal
  | 'ORDER_EXECUTION_MISSING_LIMITS'
  | 'FAILED_TO_FILL_LIMIT'
  | 'ATOMICS_TRADES_CANNOT_FOLLOW_PLACES'
  | 'ATOMICS_CANCELS_CANNOT_FOLLOW_TRADES_PLACES'
  | 'NOT_IMPLEMENTED';

export interface PlaceRequest {
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly fillMode: FillMode;
  /** Absent in a market order: IMMEDIATE_OR_CANCEL or FILL_OR_KILL at any price within the band. */
  readonly price?: Ticks | undefined;
  readonly size: Lots;
  readonly clientOrderId?: ClientOrderId | undefined;
  /** The order is reduced to the size that closes the position, now and while it rests; POSITION_NOT_FOUND if there is no position to close. */
  readonly reduceOnly?: boolean | undefined;
}

export interface CancelRequest {
  readonly account: AccountId;
  readonly orderId: OrderId;
}

/** A new price and size for a resting order; its other terms stay. */
export interface ReplaceRequest extends CancelRequest {
  readonly price: Ticks;
  readonly size: Lots;
}

/** At least one of the three limits must be given; each is a cap. */
export interface OrderLimits {
  readonly side: Side;
  readonly fillMode: FillMode;
  readonly price?: Ticks | undefined;
  readonly size?: Lots | undefined;
  /** In ticks × lots. */
  readonly quote?: bigint | undefined;
}

/** An order whose size follows from its limits when it is placed. */
export interface LimitedOrder extends OrderLimits, Pick<PlaceRequest, 'market' | 'clientOrderId' | 'reduceOnly'> {}

/** Cancels and orders of one account that are executed together or not at all. */
export interface AtomicRequest {
  readonly account: AccountId;
  readonly parts: readonly ({ readonly cancel: OrderId } | { readonly order: LimitedOrder })[];
}

export interface TransferRequest {
  readonly from: AccountId;
  readonly to: AccountId;
  /** Quote money. */
  readonly amount: Micros;
}

/** One execution as the taker sees it: the maker's order and account. */
export interface TakerFill {
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly price: Ticks;
  readonly size: Lots;
}

export interface Placed {
  readonly kind: 'accepted';
  readonly actionId: ActionId;
  /** The resting part. An order that was filled at once has no public id. */
  readonly posted?: { readonly orderId: OrderId; readonly price: Ticks; readonly size: Lots } | undefined;
  readonly fills: readonly TakerFill[];
}

export interface Cancelled {
  readonly kind: 'accepted';
  readonly actionId: ActionId;
  readonly orderId: OrderId;
  readonly account: AccountId;
}

export interface AtomicAccepted {
  readonly kind: 'accepted';
  readonly actionId: ActionId;
  /** One for each part, in the same order. */
  readonly results: readonly (Placed | Cancelled)[];
}

export interface Accepted {
  readonly kind: 'accepted';
  readonly actionId: ActionId;
}

/** A refused command, which changes nothing. The action id is the next one, which stays unused. */
export interface Refused<E extends CompoundRefusal = Refusal> {
  readonly kind: 'refused';
  readonly actionId: ActionId;
  readonly error: E;
}

export type PlaceOutcome = Placed | Refused;
export type CancelOutcome = Cancelled | Refused;
export type LimitedOutcome = Placed | Refused<CompoundRefusal>;
export type AtomicOutcome = AtomicAccepted | Refused<CompoundRefusal>;
export type TransferOutcome = Accepted | Refused;
