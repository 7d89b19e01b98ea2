// Our orders and their fills, and the trades of a market.
import type { Millis } from '../../base/clock.ts';
import { type Side, signOf } from './book.ts';
import type { ActionId, ClientOrderId, MarketId, OrderId, TradeId, UpdateId } from './ids.ts';
import type { Lots, Micros, Ticks } from './numbers.ts';

/**
 * `LIMIT` trades with what it crosses, and what is left rests. `POST_ONLY` is refused if it crosses. `IMMEDIATE_OR_CANCEL` trades with what it crosses, and
 * what is left is cancelled. `FILL_OR_KILL` trades whole or not at all.
 */
export type FillMode = 'LIMIT' | 'POST_ONLY' | 'IMMEDIATE_OR_CANCEL' | 'FILL_OR_KILL';

/**
 * `pending`: sent, not answered. `open`: resting. `cancelling`: a cancel is in flight or answered, and no later account has shown the order gone.
 * `unknown`: it may or may not be at the exchange; only proof changes that. An order in any other state is no longer live.
 */
export type OrderStatus = 'pending' | 'open' | 'cancelling' | 'unknown';

export interface Order {
  readonly clientOrderId: ClientOrderId;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  /** The size that can still be filled. */
  readonly remaining: Lots;
  readonly fillMode: FillMode;
  readonly status: OrderStatus;
  /** The exchange's id; undefined until it is known. */
  readonly orderId?: OrderId | undefined;
  /** True if the id may be another order's: only the terms say that it is this one's, or an account lists it under another client order id. */
  readonly uncertainId?: true | undefined;
  readonly sentAt: Millis;
  /**
   * The exchange's time in seconds as last observed when the order was sent, or as signed: none of its fills is older. Undefined if it was never
   * observed.
   */
  readonly engineThen?: number | undefined;
  /** When its status last changed by an event of ours. An account requested earlier proves nothing about it. */
  readonly touchedAt: Millis;
  /** The account's `updateId` when our last action on it was sent: an account that has not moved past it proves nothing about the action. */
  readonly accountThen?: UpdateId | undefined;
  /** Engine time in seconds after which the sent bytes can never execute; set while `unknown`. */
  readonly deadAfter?: number | undefined;
  /** How long the sent bytes could execute when they were signed; undefined: the order life of the exchange. */
  readonly life?: Millis | undefined;
  /**
   * True while the newest account lacks the order although it could have listed it: the order is gone, or the account is wrong. Neither is proved
   * yet.
   */
  readonly missing?: boolean | undefined;
  /** True if accounts and trades prove the order absent, and the exchange is now to be asked for it, because they may all be wrong. */
  readonly ask?: true | undefined;
  /** True for a former foreign order, which is cancelled regardless of the intents. */
  readonly unwanted?: boolean | undefined;
}

/**
 * Returns a copy with some fields changed. All orders are made by this function and `orderOf`, because the objects of one literal have one layout in
 * memory. Each place with a spread (`{ ...order, status }`) would make another layout, and code that meets more than four takes several times as long.
 */
export const orderWith = (order: Order, changes: Partial<Order>): Order => Object.assign(orderOf(order), changes);

/** Returns an order with the layout of all orders. */
export const orderOf = (order: Order): Order => ({
  clientOrderId: order.clientOrderId,
  market: order.market,
  side: order.side,
  price: order.price,
  size: order.size,
  fillMode: order.fillMode,
  remaining: order.remaining,
  status: order.status,
  orderId: order.orderId,
  uncertainId: order.uncertainId,
  sentAt: order.sentAt,
  engineThen: order.engineThen,
  touchedAt: order.touchedAt,
  accountThen: order.accountThen,
  deadAfter: order.deadAfter,
  life: order.life,
  missing: order.missing,
  ask: order.ask,
  unwanted: order.unwanted,
});

/** True for the error of an action that a fault or a limit of ours kept from being sent: `NOT_SENT`, alone or followed by the cause. */
export const isNotSent = (error: string | undefined): boolean => error?.startsWith('NOT_SENT') === true;

export const canRest = (mode: FillMode): boolean => mode === 'LIMIT' || mode === 'POST_ONLY';

/** True if two states of an order add the same exposure; an answer, or the progress of a cancel, does not change it. */
export const haveSameExposure = (one: Order, other: Order): boolean =>
  one.remaining === other.remaining && (one.status === 'unknown') === (other.status === 'unknown');

/** One of our trades, as the exchange's record shows it, unless `provisional` is set. */
export interface Fill {
  readonly tradeId: TradeId;
  readonly actionId: ActionId;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  readonly role: 'maker' | 'taker';
  /** Positive if charged; undefined if the exchange did not report it. */
  readonly fee?: Micros | undefined;
  /** The part of a spot purchase that the exchange kept as its fee; `fee` is then its value at the price of the fill. */
  readonly baseFee?: Lots | undefined;
  /** The maker's order: ours if we were the maker. Empty if the record names none. */
  readonly orderId: OrderId;
  /** Our id of the order, if known. */
  readonly clientOrderId?: ClientOrderId | undefined;
  /** Exchange time. */
  readonly time: Millis;
  /** Set if the exchange reported an impossible price or fee. `price` and `fee` are then substitutes. */
  readonly provisional?: Provisional | undefined;
}

/** Returns by how much a fill changes the position. */
export const positionChange = ({ side, size, baseFee }: Pick<Fill, 'side' | 'size' | 'baseFee'>): number =>
  signOf(side) * size - (baseFee ?? 0);

/** What the exchange reported of a provisional fill. */
export interface Provisional {
  readonly price: Ticks;
  readonly fee?: Micros | undefined;
  /** The price of our order; undefined if the order is not known. */
  readonly limit?: Ticks | undefined;
}

/** A booked fill that counts with another price, fee or order from now on. */
export interface FillCorrection {
  readonly fill: Fill;
  /** As it was counted before. */
  readonly before: Pick<Fill, 'price' | 'fee'>;
  readonly wasProvisional: boolean;
}

/** A trade of the market, by anyone. */
export interface Trade {
  readonly tradeId: TradeId;
  readonly market: MarketId;
  readonly takerSide: Side;
  readonly price: Ticks;
  readonly size: Lots;
  readonly time: Millis;
}
