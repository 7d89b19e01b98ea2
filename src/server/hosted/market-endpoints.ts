// The endpoints of the hosted API that show markets, trades and fees.
import type { HttpReply } from '../../base/transport.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Exchange } from '../../embedded/exchange.ts';
import { type Json, jsonReply, Refused } from '../reply.ts';
import { requireKnown } from '../reply-values.ts';
import { type Route, route } from '../routing.ts';
import { pageReply } from './json-ids.ts';
import * as replies from './market-replies.ts';
import { cursorOf, idOf, pageSizeOf, sideOf, timeOf } from './parameters.ts';

export function marketEndpoints(exchange: Exchange): readonly Route[] {
  const { markets } = exchange;

  /** Answers with the exchange's view of the market in the path, or 404. */
  const ofMarket =
    <View>(view: (id: MarketId) => View | undefined, reply: (market: Market, view: View) => Json) =>
    ({ path }: { path: { market: string } }): HttpReply => {
      const market = marketNamed(exchange, path.market);
      return jsonReply(reply(market, requireKnown(view(market.id))));
    };

  return [
    route({ path: '/info', answer: () => jsonReply(replies.infoReply(exchange)) }),
    route({ path: '/fee/brackets/info', answer: () => jsonReply(replies.feeBracketsReply()) }),
    route({
      path: '/markets/live',
      answer: () => jsonReply({ markets: markets.map((market) => replies.liveReply(market, requireKnown(exchange.live(market.id)))) }),
    }),
    route({ path: '/market/{market}/stats', answer: ofMarket((id) => exchange.stats(id), replies.statsReply) }),
    route({ path: '/market/{market}/orderbook', answer: ofMarket((id) => exchange.book(id), replies.orderbookReply) }),
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
      answer: ({ query }) =>
        jsonReply(pageReply(exchange.trades(query), (trade) => replies.tradeReply(requireKnown(markets[trade.market]), trade))),
    }),
    route({ path: '/accounts/liquidations/takes', answer: () => jsonReply(exchange.takes().map(replies.takeReply)) }),
  ];
}

/** Returns the market with the id in a path. Throws 404 with the id if there is none. */
export function marketNamed({ markets }: Exchange, text: string): Market {
  const id = idOf(text, 'the market id');
  const market = markets[id];
  if (market === undefined) throw new Refused(404, { market_id: id });
  return market;
}
