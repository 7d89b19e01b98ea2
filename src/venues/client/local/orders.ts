// Calls to read, place, change and cancel orders at the local process. The process signs, so each write is a transaction that it awaits.
import { assert } from '../../../base/errors.ts';
import { ClientError } from '../../../base/transport/client-error.ts';
import * as wire from '../../wire/json/local.ts';
import { pathOf, type Requests } from './request.ts';
import { readAtEitherPath, writeAtEitherPath } from './routes.ts';

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

/** A cancel returns a confirmation text, which proves nothing: the order is gone once it is no longer listed. */
export interface OrderCalls {
  /** GET /orders: the resting orders, of one market or of all. */
  openOrders(query?: { market?: string | undefined }): Promise<wire.LocalOrder[]>;
  /**
   * GET /orders/{order_id}, or, if `market` is given, GET /markets/{market_name}/trades?order_id={order_id}. Rejects with `notFound` if there is no
   * such order, or with `http` 500, which some servers answer for unknown orders.
   */
  order(query: { orderId: string; market?: string | undefined }): Promise<wire.LocalOrder>;
  /** POST /orders/{order_id}/modify: replaces the order by another one with a new id. Some servers make it post-only and drop its client id. */
  modify(change: { orderId: string; price: number; size: number }): Promise<wire.OrderEcho>;
  /**
   * POST /orders. Compare the flags of the answer with the requested ones: some servers ignore them. An answer that names another order is a `noReply`,
   * and fails all pending requests.
   */
  place(order: NewOrder): Promise<wire.OrderEcho>;
  /** DELETE /orders/{order_id} */
  cancel(orderId: string): Promise<string>;
  /** DELETE /orders/by_client_id/{client_order_id}, or /orders/by_client_id/{market_name}/{client_order_id}. */
  cancelByClientId(query: { clientId: string; market: string }): Promise<string>;
  /** DELETE /orders: all of them. Ends as `noReply` on a server that never answers if one of its cancels was rejected. */
  cancelAll(): Promise<string>;
  /** DELETE /positions/{market_name}: closes the whole position at the market price. */
  closePosition(market: string): Promise<wire.PositionClosing>;
}

export function orderCalls({ read, act, reset }: Requests, flagsAs: 'boolean' | 'text'): OrderCalls {
  const byId = ({ orderId }: { orderId: string }) => read(pathOf(['orders', orderId]), orderWith(orderId));
  const byIdOrListing = readAtEitherPath<{ orderId: string; market: string }, wire.LocalOrder>({
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
      const body = flagsAs === 'text' ? withTextFlags(order) : { ...order };
      const echo = await act({ method: 'POST', path: '/orders', body }, wire.orderEcho);
      const mismatch = echoMismatch(order, echo);
      if (mismatch === undefined) return echo;
      reset(mismatch);
      throw new ClientError({ kind: 'noReply', message: mismatch });
    },
    cancel: (orderId) => cancelAt('orders', orderId),
    cancelByClientId: writeAtEitherPath({
      usual: ({ clientId }) => cancelAt('orders', 'by_client_id', clientId),
      other: ({ clientId, market }) => cancelAt('orders', 'by_client_id', market, clientId),
    }),
    cancelAll: () => cancelAt('orders'),
    closePosition: (market) => act({ method: 'DELETE', path: pathOf(['positions', market]) }, wire.closing),
  };
}

/** Rejects a listing that ignored the requested id: another order must not be taken for this one. */
const orderWith = (orderId: string) => wire.localOrder.refine(({ id }) => id === orderId, 'another order than the requested one');

/** Returns why the answer belongs to another order; undefined if no field contradicts. */
function echoMismatch(order: NewOrder, echo: wire.OrderEcho): string | undefined {
  const differs =
    (echo.clientId !== undefined && order.clientId !== undefined && echo.clientId !== order.clientId) ||
    (echo.market !== undefined && echo.market !== order.market) ||
    (echo.side !== undefined && echo.side !== order.side) ||
    (echo.price !== undefined && !isNear(echo.price, order.price)) ||
    (echo.size !== undefined && !isNear(echo.size, order.size));
  if (!differs) return undefined;
  const what = [echo.side, echo.size, echo.market, echo.price, echo.clientId].filter((value) => value !== undefined).join(' ');
  return `the answer belongs to another order (${what})`;
}

/** A server that adds floats writes 0.30000000000000004 for 0.3. */
const NOISE = 1e-9;

const isNear = (echoed: number, sent: number | null): boolean => sent === null || Math.abs(echoed - sent) <= sent * NOISE;

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
