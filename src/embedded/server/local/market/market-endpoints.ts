// The endpoints of the local API that show markets and their history. Lists are newest first.

import { badRequest } from '../../../../base/server/reply.ts';
import { type Route, route } from '../../../../base/server/routing.ts';
import type { HttpReply } from '../../../../base/transport/transport.ts';
import { requireKnown } from '../../reply-values.ts';
import { orderReply } from '../account-replies.ts';
import { candlesOf, findOrder, type LocalApiContext } from '../context.ts';
import * as replies from '../market-replies.ts';
import { depthOf, orderIdOf, pageNumberOf, resolutionOf, secondsOf, textOf } from '../parameters.ts';
import { pageByNumber, pageOf, resultReply } from '../reply.ts';

const CANDLES_PER_PAGE = 300;

export function marketEndpoints(context: LocalApiContext): readonly Route[] {
  const { exchange, names } = context;
  return [
    route({ path: '/markets', answer: () => resultReply(exchange.markets.map((market) => replies.marketReply(context, market))) }),
    route({ path: '/markets/{market}', answer: ({ path }) => resultReply(replies.marketReply(context, names.find(path.market))) }),
    route({
      path: '/markets/{market}/orderbook',
      query: { depth: depthOf },
      answer: ({ path, query }) => {
        const market = names.find(path.market);
        return resultReply(replies.orderbookReply(market, requireKnown(exchange.book(market.id)), query.depth));
      },
    }),
    route({
      path: '/markets/{market}/candles',
      query: { resolution: resolutionOf, page: pageNumberOf, start_time: secondsOf, end_time: secondsOf },
      answer: ({ path, query: { resolution, page, start_time: from = 0, end_time: until = Number.POSITIVE_INFINITY } }) => {
        const market = names.find(path.market);
        if (resolution === undefined) throw badRequest('resolution is missing; expected the seconds of a candle, such as 60');
        const candles = candlesOf(context, market, resolution).filter(({ start }) => start >= from && start <= until);
        return resultReply(pageOf(candles, { page, size: CANDLES_PER_PAGE }).map((candle) => replies.candleReply(market, candle)));
      },
    }),
    route({
      path: '/markets/{market}/trades',
      query: { page: pageNumberOf, order_id: orderIdOf },
      answer: ({ path, query: { page, order_id: orderId } }) => {
        const market = names.find(path.market);
        if (orderId !== undefined) return resultReply(orderReply(context, findOrder(context, orderId, market)));
        const { items } = pageByNumber((startInclusive) => exchange.trades({ marketId: market.id, startInclusive }), page);
        return resultReply(items.map((trade) => replies.tradeReply(market, trade)));
      },
    }),
    route({ path: '/funding_rates', query: { page: pageNumberOf, future: textOf, market_name: textOf }, answer: fundingRates(context) }),
  ];
}

/** Answers with the funding rates of one future, or of all. */
const fundingRates =
  (context: LocalApiContext) =>
  ({ query }: { query: { page?: number; future?: string; market_name?: string } }): HttpReply => {
    const { exchange, names } = context;
    const name = query.future ?? query.market_name;
    const markets = name === undefined ? exchange.markets : [names.findFuture(name)];
    const hours = markets.flatMap(({ id }) => exchange.records.fundingHours(id)).toSorted((a, b) => b.time - a.time);
    return resultReply(pageOf(hours, query).map((hour) => replies.fundingRateReply(context, hour)));
  };
