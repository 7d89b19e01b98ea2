// The endpoints of the hosted API that show markets, trades and fees.

import { type Json, jsonReply, RefusedRequest } from '../../../base/server/reply.ts';
import { type Route, route } from '../../../base/server/routing.ts';
import type { HttpReply } from '../../../base/transport/transport.ts';
import type { MarketId, TokenId } from '../../../bot/domain/ids.ts';
import type { Market } from '../../../bot/domain/market.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { FundingHour } from '../../exchange/state/funding.ts';
import { pageReply, requireKnown, WrittenAnswers } from '../reply-values.ts';
import { historyPage } from './history-replies.ts';
import * as replies from './market-replies.ts';
import { cursorOf, idOf, pageSizeOf, required, sideOf, timeOf } from './parameters.ts';

export function marketEndpoints(exchange: Exchange): readonly Route[] {
  const { markets } = exchange;

  /** Answers with the exchange's view of the market in the path, or 404. */
  const ofMarket =
    <View>(view: (id: MarketId) => View | undefined, reply: (market: Market, view: View) => Json) =>
    ({ path }: { path: { market: string } }): HttpReply => {
      const market = marketNamed(exchange, path.market);
      return jsonReply(reply(market, requireKnown(view(market.id))));
    };

  const info = jsonReply(replies.infoReply(exchange)); // never changes
  const written = new WrittenAnswers<HttpReply>();

  return [
    route({ path: '/info', answer: () => info }),
    route({ path: '/fee/brackets/info', answer: () => jsonReply(replies.feeBracketsReply(exchange)) }),
    route({
      path: '/markets/live',
      answer: () => jsonReply({ markets: markets.map((market) => replies.liveReply(market, requireKnown(exchange.live(market.id)))) }),
    }),
    route({ path: '/market/{market}/stats', answer: ofMarket((id) => exchange.stats(id), replies.statsReply) }),
    route({
      path: '/market/{market}/orderbook',
      answer: ({ path, request }) => {
        const market = marketNamed(exchange, path.market);
        const book = requireKnown(exchange.book(market.id));
        return written.answer(request, book.updateId, () => jsonReply(replies.orderbookReply(market, book)));
      },
    }),
    route({
      path: '/trades',
      query: {
        marketId: idOf,
        makerId: idOf,
        takerId: idOf,
        takerSide: sideOf,
        since: timeOf,
        until: timeOf,
        startInclusive: cursorOf,
        pageSize: pageSizeOf,
      },
      answer: ({ query, request }) =>
        written.answer(request, exchange.trades({ pageSize: 1 }).items[0]?.tradeId, () =>
          jsonReply(pageReply(exchange.trades(query), (trade) => replies.tradeReply(requireKnown(markets[trade.market]), trade))),
        ),
    }),
    route({ path: '/accounts/liquidations/takes', answer: () => jsonReply(exchange.takes().map(replies.takeReply)) }),
    ...priceEndpoints(exchange),
  ];
}

/** Prices of the past, and prices of tokens. */
function priceEndpoints(exchange: Exchange): readonly Route[] {
  return [
    route({
      path: '/market/{market}/price/prev',
      query: { atOrBefore: timeOf },
      answer: ({ path, query }) => {
        const market = marketNamed(exchange, path.market);
        const until = required(query.atOrBefore, 'atOrBefore') + 1; // exclusive
        return jsonReply(replies.previousPriceReply(market, exchange.trades({ marketId: market.id, until, pageSize: 1 }).items[0]));
      },
    }),
    route({
      path: '/market/{market}/history/PT1H',
      query: { startInclusive: cursorOf, pageSize: pageSizeOf },
      answer: ({ path, query: { pageSize = HOURS_PER_PAGE, ...query } }) => {
        const market = marketNamed(exchange, path.market);
        const rows = exchange.records.fundingHours(market.id);
        const reply = (hour: FundingHour): Json => replies.marketHourReply(market, hour);
        return jsonReply(historyPage(rows, { ...query, pageSize }, { idOf: ({ action }) => action, reply }));
      },
    }),
    route({
      path: '/tokens/{token}/stats',
      answer: ({ path }) => {
        const token = exchange.tokens[idOf(path.token, 'the token id')];
        if (token === undefined) throw new RefusedRequest(404, null);
        const market = pricingMarket(exchange.markets, token.tokenId);
        return jsonReply(replies.tokenStatsReply(token, market && { market, live: requireKnown(exchange.live(market.id)) }));
      },
    }),
  ];
}

/** Rows on a page of hours, if the request does not say. */
const HOURS_PER_PAGE = 24;

/** Returns the market whose index is a token's price, if one trades it: its spot market, otherwise its perpetual. */
const pricingMarket = (markets: readonly Market[], token: TokenId): Market | undefined => {
  const traded = markets.filter(({ spec }) => spec.baseTokenId === token);
  return traded.find(({ spec }) => spec.kind === 'spot') ?? traded[0];
};

/** Returns the market with the id in a path. Throws 404 with the id if there is none. */
export function marketNamed({ markets }: Exchange, text: string): Market {
  const id = idOf(text, 'the market id');
  const market = markets[id];
  if (market === undefined) throw new RefusedRequest(404, { market_id: id });
  return market;
}
