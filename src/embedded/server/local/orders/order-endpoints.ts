// The endpoints of the local API that place, change and cancel orders, and close positions.
import { assert } from '../../../../base/errors.ts';
import type { Json } from '../../../../base/server/reply.ts';
import { type Route, route } from '../../../../base/server/routing.ts';
import type { HttpReply, HttpRequest } from '../../../../base/transport/transport.ts';
import type { Market } from '../../../../bot/domain/market.ts';
import { lots } from '../../../../bot/domain/numbers.ts';
import type { PlaceRequest } from '../../../exchange/commands.ts';
import type { OrderRecord } from '../../../exchange/state/orders.ts';
import { orderReply } from '../account-replies.ts';
import { bodyOf, positive } from '../bodies.ts';
import { findOrder, type LocalApiContext, marketOf, stateOf } from '../context.ts';
import { orderIdOf } from '../parameters.ts';
import { refusal, requireAccepted, resultReply, txIdOf } from '../reply.ts';
import { lotsFrom, newOrderIn, ticksFrom } from './new-order.ts';

export function orderEndpoints(context: LocalApiContext): readonly Route[] {
  const { exchange, names } = context;
  const placeAndReply = (request: PlaceRequest): HttpReply =>
    resultReply({ txId: txIdOf(requireAccepted(exchange.place(request)).actionId) });
  return [
    route({ method: 'POST', path: '/orders', answer: ({ request }) => placeAndReply(newOrderIn(context, request)) }),
    route({
      method: 'POST',
      path: '/orders/{order}/modify',
      answer: ({ path, request }) => resultReply(modify(context, path.order, request)),
    }),
    route({
      method: 'DELETE',
      path: '/positions/{market}',
      answer: ({ path }) => placeAndReply(closingOrder(context, names.findFuture(path.market))),
    }),
    ...cancelEndpoints(context),
  ];
}

/** These endpoints only queue the cancels. The exchange executes them at its next step; until then the orders are open and can be filled. */
function cancelEndpoints(context: LocalApiContext): readonly Route[] {
  const { exchange, account, names, clientIds } = context;
  const queueCancels = (which: (order: OrderRecord) => boolean): number => {
    const orders = exchange.records.openOrders(account).filter(which);
    for (const { orderId } of orders) exchange.queueCancel({ account, orderId });
    return orders.length;
  };
  const cancelOrRefuse = (which: (order: OrderRecord) => boolean): HttpReply => {
    if (queueCancels(which) === 0) throw refusal('ORDER_NOT_FOUND');
    return resultReply('The order is queued for cancellation');
  };
  const cancelAll = (): HttpReply => {
    queueCancels(() => true);
    return resultReply('All open orders are queued for cancellation');
  };
  return [
    route({ method: 'DELETE', path: '/orders', answer: cancelAll }),
    route({
      method: 'DELETE',
      path: '/orders/{order}',
      answer: ({ path }) => {
        const id = orderIdOf(path.order, 'the order id');
        return cancelOrRefuse(({ orderId }) => orderId === id);
      },
    }),
    route({
      method: 'DELETE',
      path: '/orders/by_client_id/{client}',
      answer: ({ path }) => {
        const id = clientIds.numberOf(path.client);
        return cancelOrRefuse(({ clientOrderId }) => clientOrderId === id);
      },
    }),
    route({
      method: 'DELETE',
      path: '/orders/by_client_id/{market}/{client}',
      answer: ({ path }) => {
        const wanted = names.find(path.market);
        const id = clientIds.numberOf(path.client);
        return cancelOrRefuse(({ market, clientOrderId }) => market === wanted.id && clientOrderId === id);
      },
    }),
  ];
}

/** Replaces an order. Returns the new order, which has a new id. */
function modify(context: LocalApiContext, id: string, request: HttpRequest): Json {
  const { exchange, account, names } = context;
  const order = findOrder(context, orderIdOf(id, 'the order id'));
  const market = marketOf(context, order.market);
  const fields = bodyOf(request, { price: positive, size: positive });
  const [price, size] = [ticksFrom(market, names.of(market), fields.price), lotsFrom(market, names.of(market), fields.size)];
  requireAccepted(exchange.replace({ account, orderId: order.orderId, price, size }));
  const [replacement] = exchange.orderHistory(account, { pageSize: 1 }).items;
  assert(replacement !== undefined, 'an order was accepted that is not in the history');
  return orderReply(context, replacement);
}

/** Returns a market order that closes the whole position. */
function closingOrder(context: LocalApiContext, market: Market): PlaceRequest {
  const size = stateOf(context).positions.find((position) => position.market === market.id)?.size ?? 0;
  if (size === 0) throw refusal('POSITION_NOT_FOUND');
  const side = size > 0 ? 'ask' : 'bid';
  return { account: context.account, market: market.id, side, fillMode: 'IMMEDIATE_OR_CANCEL', size: lots(Math.abs(size)) };
}
