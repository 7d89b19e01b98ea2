// The endpoints of the local API that show its account. Lists are newest first. Endpoints that were renamed are served at both paths.

import { type Route, route } from '../../../../base/server/routing.ts';
import type { HttpReply } from '../../../../base/transport/transport.ts';
import * as replies from '../account-replies.ts';
import { findOrder, type LocalApiContext, marketOf, stateOf } from '../context.ts';
import { booleanOf, orderIdOf, pageNumberOf, textOf } from '../parameters.ts';
import { historyReply, pageByNumber, pageOf, resultReply } from '../reply.ts';

export function accountEndpoints(context: LocalApiContext): readonly Route[] {
  const { exchange, account, names } = context;
  const history = { query: { market: textOf, page: pageNumberOf }, answer: historyOf(context) };
  return [
    route({ path: '/account', answer: () => resultReply(replies.accountReply(context, stateOf(context))) }),
    // `showAvgPrice` is accepted, and ignored.
    route({ path: '/positions', query: { showAvgPrice: booleanOf }, answer: () => positions(context) }),
    route({
      path: '/orders',
      query: { market: textOf },
      answer: ({ query }) => {
        const market = query.market === undefined ? undefined : names.find(query.market);
        const orders = exchange.records.openOrders(account).filter((order) => market === undefined || order.market === market.id);
        return resultReply(orders.map((order) => replies.orderReply(context, order)));
      },
    }),
    route({ path: '/orders/history', ...history }),
    route({ path: '/trades/history', ...history }),
    route({
      path: '/orders/{order}',
      answer: ({ path }) => resultReply(replies.orderReply(context, findOrder(context, orderIdOf(path.order, 'the order id')))),
    }),
    route({
      path: '/funding_payments',
      query: { page: pageNumberOf, future: textOf, market: textOf },
      // `future` is the old name of `market`.
      answer: ({ query: { page, future, market = future } }) => {
        const wanted = market === undefined ? undefined : names.findFuture(market);
        const payments = exchange.records.fundingPayments(account).filter((paid) => wanted === undefined || paid.market === wanted.id);
        return resultReply(pageOf(payments, { page }).map((payment) => replies.fundingPaymentReply(context, payment)));
      },
    }),
  ];
}

/** Answers with the positions that are held, and with empty ones in markets with open orders. */
function positions(context: LocalApiContext): HttpReply {
  const state = stateOf(context);
  const futures = state.positions.filter(({ market }) => marketOf(context, market).spec.kind === 'perp');
  return resultReply(futures.map((position) => replies.positionReply(context, state, position)));
}

/** Answers with the account's fills in one market or in all. */
const historyOf =
  (context: LocalApiContext) =>
  ({ query }: { query: { market?: string; page?: number } }): HttpReply => {
    const { exchange, account, names } = context;
    const marketId = query.market === undefined ? undefined : names.find(query.market).id;
    const page = pageByNumber((startInclusive) => exchange.trades({ account, marketId, startInclusive }), query.page);
    const fills = page.items.flatMap((trade) => replies.fillReplies(context, trade));
    return historyReply(fills, page.nextStartInclusive !== undefined);
  };
