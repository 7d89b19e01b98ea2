// Orders at the local process: seen, placed, changed, cancelled. It signs, so each of these is a transaction that it awaits.
import { assert } from '../../../base/assert.ts';
import * as wire from '../../../wire/local.ts';
import { pathOf, type Requests } from './request.ts';
import { movedRead, movedWrite } from './routes.ts';

export interface NewOrder {
  readonly market: string;
  readonly side: wire.TradeSide;
  /** Null for a market order. */
  readonly price: number | null;
  readonly type: 'limit' | 'market';
  readonly size: number;
  readonly reduceOnly?: boolean | undefined;
  readonly ioc?: boolean | undefined;
  readonly postOnly?: boolean | undefined;
  readonly clientId?: string | undefined;
}

/** A cancel brings words of confirmation, and no proof: the order is gone when it is no longer listed. */
export interface OrderCalls {
  /** GET /orders: those that rest, of one market or of all. */
  openOrders(query?: { market?: string | undefined }): Promise<wire.LocalOrder[]>;
  /**
   * GET /orders/{order_id}, or, where `market` is given, GET /markets/{market_name}/trades?order_id={order_id}. `notFound` where there is no such
   * order, or `http` 500: some servers say so of all that they do not know.
   */
  order(query: { orderId: string; market?: string | undefined }): Promise<wire.LocalOrder>;
  /** POST /orders/{order_id}/modify: another order in its place, under a new id. Some servers make it post-only and drop its client id. */
  modify(change: { orderId: string; price: number; size: number }): Promise<wire.OrderEcho>;
  /** POST /orders. Compare the flags that come back with those asked for: not every server heeds them. */
  place(order: NewOrder): Promise<wire.OrderEcho>;
  /** DELETE /orders/{order_id} */
  cancel(orderId: string): Promise<string>;
  /** DELETE /orders/by_client_id/{client_order_id}, or /orders/by_client_id/{market_name}/{client_order_id}. */
  cancelByClientId(query: { clientId: string; market: string }): Promise<string>;
  /** DELETE /orders: all of them. Ends as `noReply` on a server that never answers when one of its cancels was rejected. */
  cancelAll(): Promise<string>;
  /** DELETE /positions/{market_name}: the whole position, at what the market gives. */
  closePosition(market: string): Promise<wire.Closing>;
  /** An answer was another order's: all that is under way fails, and all connections are made anew. */
  reset(reason: string): void;
}

export function orderCalls({ read, act, reset }: Requests, flagsAs: 'boolean' | 'text'): OrderCalls {
  const byId = ({ orderId }: { orderId: string }) => read(pathOf(['orders', orderId]), orderWith(orderId));
  const byIdOrListing = movedRead<{ orderId: string; market: string }, wire.LocalOrder>({
    usual: byId,
    other: ({ orderId, market }) => read(pathOf(['markets', market, 'trades'], { order_id: orderId }), orderWith(orderId)),
  });
  const cancelAt = (...path: string[]) => act({ method: 'DELETE', path: pathOf(path) }, wire.cancelConfirmation);
  return {
    async openOrders({ market } = {}) {
      const orders = await read(pathOf(['orders'], { market }), wire.localOrders);
      return market === undefined ? orders : orders.filter((order) => order.market === market); // some servers ignore the filter
    },
    order: ({ orderId, market }) => (market === undefined ? byId({ orderId }) : byIdOrListing({ orderId, market })),
    async modify({ orderId, price, size }) {
      requireAmounts({ price, size });
      return act({ method: 'POST', path: pathOf(['orders', orderId, 'modify']), body: { price, size } }, wire.orderEcho);
    },
    async place(order) {
      requireAmounts(order);
      return act({ method: 'POST', path: '/orders', body: flagsAs === 'text' ? withTextFlags(order) : { ...order } }, wire.orderEcho);
    },
    cancel: (orderId) => cancelAt('orders', orderId),
    cancelByClientId: movedWrite({
      usual: ({ clientId }) => cancelAt('orders', 'by_client_id', clientId),
      other: ({ clientId, market }) => cancelAt('orders', 'by_client_id', market, clientId),
    }),
    cancelAll: () => cancelAt('orders'),
    closePosition: (market) => act({ method: 'DELETE', path: pathOf(['positions', market]) }, wire.closing),
    reset,
  };
}

/** A listing that ignores the id it was asked for must not pass another order off as this one. */
const orderWith = (orderId: string) => wire.localOrder.refine(({ id }) => id === orderId, 'another order than was asked for');

/** JSON writes NaN as null, which is a market order's price. */
function requireAmounts({ price, size }: { price: number | null; size: number }): void {
  assert(price === null || (Number.isFinite(price) && price > 0), `an order cannot have the price ${price}`);
  assert(Number.isFinite(size) && size > 0, `an order cannot have the size ${size}`);
}

const withTextFlags = ({ reduceOnly, ioc, postOnly, ...order }: NewOrder) => ({
  ...order,
  reduceOnly: reduceOnly?.toString(),
  ioc: ioc?.toString(),
  postOnly: postOnly?.toString(),
});
