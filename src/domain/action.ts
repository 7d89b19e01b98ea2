// What we do to the exchange. There is nothing else that we can do.
import type { Millis } from '../base/clock.ts';
import type { ClientOrderId, MarketId, OrderId, UpdateId } from './ids.ts';
import type { Lots, Ticks } from './numbers.ts';
import type { FillMode, Order } from './order.ts';
import type { Side } from './side.ts';

export interface PlaceOrder {
  readonly kind: 'place';
  readonly clientOrderId: ClientOrderId;
  readonly market: MarketId;
  readonly side: Side;
  readonly price: Ticks;
  readonly size: Lots;
  readonly fillMode: FillMode;
  /** The exchange shall cut it to what closes the position, where it knows how; the guards hold it to that in any case. */
  readonly reduceOnly?: true | undefined;
}

export interface CancelOrder {
  readonly kind: 'cancel';
  /** Ours; the exchange is told the order id. */
  readonly clientOrderId: ClientOrderId;
  readonly market: MarketId;
  readonly orderId: OrderId;
}

export type Action = PlaceOrder | CancelOrder;

/** On its way since that moment; `account` is the number of the account that stood then, `engine` the exchange's time in seconds as last heard. */
export function orderSent(
  { clientOrderId, market, side, price, size, fillMode }: PlaceOrder,
  { at, account, engine }: { at: Millis; account: UpdateId | undefined; engine: number | undefined },
): Order {
  return {
    clientOrderId,
    market,
    side,
    price,
    size,
    fillMode,
    remaining: size,
    status: 'pending',
    orderId: undefined,
    sentAt: at,
    engineThen: engine,
    touchedAt: at,
    accountThen: account,
    deadAfter: undefined,
    missing: undefined,
  };
}

/**
 * Engine seconds after the timestamp of signed bytes at the end of which they can never execute: the exchange's window of 60, one because it counts
 * whole seconds, two for what it took in time and executes late.
 */
export const LIFE_OF_BYTES = 60 + 1 + 2;
