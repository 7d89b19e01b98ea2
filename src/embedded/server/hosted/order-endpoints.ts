// The endpoints of the hosted API that show one order, and its trades.

import { jsonReply, RefusedRequest } from '../../../base/server/reply.ts';
import { type Route, route } from '../../../base/server/routing.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import { pageReply, requireKnown } from '../reply-values.ts';
import { orderRecordReply } from './account-replies.ts';
import { tradeReply } from './market-replies.ts';
import { cursorOf, pageSizeOf } from './parameters.ts';

export function orderEndpoints(exchange: Exchange): readonly Route[] {
  const marketOf = (id: number) => requireKnown(exchange.markets[id]);
  return [
    route({
      path: '/order/{order}',
      answer: ({ path }) => {
        const order = exchange.records.order(orderId(path.order));
        if (order === undefined) throw new RefusedRequest(404, null);
        return jsonReply(orderRecordReply(marketOf(order.market), order, exchange));
      },
    }),
    // An unknown order has no trades; the real exchange describes no 404 for it.
    route({
      path: '/order/{order}/trades',
      query: { startInclusive: cursorOf, pageSize: pageSizeOf },
      answer: ({ path, query }) => {
        const id = orderId(path.order);
        const trades = exchange.trades({ ...query, orderId: id, account: exchange.records.order(id)?.account });
        return jsonReply(pageReply(trades, (trade) => tradeReply(marketOf(trade.market), trade)));
      },
    }),
  ];
}

const orderId = (text: string): string => cursorOf(text, 'the order id');
