// The actions that the bot can send to the exchange. There are no others.
import type { Millis } from '../../base/clock.ts';
import type { Side } from './book.ts';
import type { ClientOrderId, MarketId, OrderId, UpdateId } from './ids.ts';
import type { Lots, Ticks } from './numbers.ts';
import { type FillMode, type Order, orderOf } from './order.ts';

/** An order to place. */
export interface PlaceOrder {
  readonly kind: 'place';
  readonly clientOrderId: ClientOrderId;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  readonly fillMode: FillMode;
  /** Asks the exchange to limit the order to closing the position, if it supports that; the guards enforce it in any case. */
  readonly reduceOnly?: true | undefined;
  /** An order of ours at the same price that is cancelled together with this placement. The placement is not sent while that cancel has no answer. */
  readonly replaces?: ClientOrderId | undefined;
}

/** A resting order to cancel. */
export interface CancelOrder {
  readonly kind: 'cancel';
  /** Our id; the exchange gets the order id. */
  readonly clientOrderId: ClientOrderId;
  readonly market: MarketId;
  readonly orderId: OrderId;
  /** Set if the answer is to show that the order is gone: the order is read first, and the cancel is not sent if that shows it open. */
  readonly unlessOpen?: true | undefined;
}

/** What a client is asked to send: an order, or a cancel. */
export type Action = PlaceOrder | CancelOrder;

/**
 * Returns the order as pending from `at`. `account` is the update number of the newest account, `engine` the exchange's time in seconds as last
 * observed.
 */
export function orderSent(
  { clientOrderId, market, side, price, size, fillMode }: PlaceOrder,
  { at, account, engine }: { at: Millis; account: UpdateId | undefined; engine: number | undefined },
): Order {
  return orderOf({
    clientOrderId,
    market,
    side,
    price,
    size,
    fillMode,
    remaining: size,
    status: 'pending',
    sentAt: at,
    engineThen: engine,
    touchedAt: at,
    accountThen: account,
  });
}

/**
 * An order can no longer execute this many seconds after the time it is signed with, unless the rules of the exchange state another number: 60 for
 * the window in which it is accepted, 1 because the exchange counts whole seconds, 2 for an order that is accepted in time and executed late.
 */
export const DEFAULT_ORDER_LIFE = 60 + 1 + 2;
