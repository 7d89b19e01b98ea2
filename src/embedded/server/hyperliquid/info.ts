// `POST /info`: finds the answer to a question by its type.
import { z } from 'zod';
import { type Json, jsonReply, RefusedRequest } from '../../../base/server/reply.ts';
import type { HttpReply } from '../../../base/transport/transport.ts';
import { maybe } from '../../../base/wire/shapes.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { address } from '../../../venues/wire/hyperliquid/terms.ts';
import * as account from './account-info.ts';
import { allMarkets, coinOf, type HyperliquidContext, marketOfCoin } from './context.ts';
import * as markets from './market-info.ts';

const time = z.number().int();
const ofUser = z.object({ user: address });
const ofCoin = z.object({ coin: z.string() });
const range = z.object({ startTime: time, endTime: maybe(time) });

type Answer = (context: HyperliquidContext, body: unknown) => Json;

/** A question whose body must have a shape. */
const asked =
  <S extends z.ZodType>(shape: S, answer: (context: HyperliquidContext, question: z.output<S>) => Json): Answer =>
  (context, body) => {
    const question = shape.safeParse(body);
    if (!question.success) throw malformed();
    return answer(context, question.data);
  };

const plainly = (answer: (context: HyperliquidContext) => Json): Answer => asked(z.object({}), answer);

/** An unknown coin is answered with null. */
const withMarket = (context: HyperliquidContext, coin: string, answer: (market: Market) => Json): Json => {
  const market = marketOfCoin(context, coin);
  return market === undefined ? null : answer(market);
};

const MID: Answer = plainly((context) =>
  Object.fromEntries(
    allMarkets(context).flatMap((market) => {
      const mark = context.exchange.live(market.id)?.mark;
      return mark === undefined ? [] : [[coinOf(context, market), market.priceText(mark)]];
    }),
  ),
);

const forUser = (answer: (context: HyperliquidContext, user: string) => Json): Answer =>
  asked(ofUser, (context, { user }) => answer(context, user));

const forMarket = (answer: (context: HyperliquidContext, market: Market) => Json): Answer =>
  asked(ofCoin, (context, { coin }) => withMarket(context, coin, (market) => answer(context, market)));

/** The resting orders, with all fields or with those that `openOrders` shows. */
const openOrders = ({ full }: { full: boolean }): Answer =>
  forUser((context, user) => account.openOrders(context, user).map((order) => account.orderReply(context, order, { full })));

const ANSWERS: Readonly<Record<string, Answer>> = {
  meta: plainly(markets.metaReply),
  spotMeta: plainly(markets.spotMetaReply),
  metaAndAssetCtxs: plainly((context) => [
    markets.metaReply(context),
    context.perps.map((market) => markets.contextReply(context, market)),
  ]),
  spotMetaAndAssetCtxs: plainly((context) => [
    markets.spotMetaReply(context),
    context.spots.map((market) => markets.spotContextReply(context, market)),
  ]),
  perpDexs: plainly(() => [null]),
  allMids: MID,
  exchangeStatus: plainly(({ exchange }) => ({ time: Math.floor(exchange.now()), specialStatuses: null })),
  l2Book: forMarket(markets.bookReply),
  recentTrades: forMarket(markets.tradesReply),
  candleSnapshot: asked(
    z.object({
      req: z.object({ coin: z.string(), interval: z.enum(['1m', '5m', '15m', '1h', '4h', '1d']), startTime: time, endTime: time }),
    }),
    (context, { req }) => withMarket(context, req.coin, (market) => markets.candlesReply(context, market, req)),
  ),
  fundingHistory: asked(z.intersection(ofCoin, range), (context, { coin, ...times }) =>
    withMarket(context, coin, (market) => markets.fundingReply(context, market, times)),
  ),
  clearinghouseState: forUser(account.stateReply),
  spotClearinghouseState: forUser(account.spotStateReply),
  openOrders: openOrders({ full: false }),
  frontendOpenOrders: openOrders({ full: true }),
  orderStatus: asked(z.object({ user: address, oid: z.union([z.number().int(), z.string()]) }), (context, question) =>
    account.orderStatusReply(context, question.user, question.oid),
  ),
  historicalOrders: forUser(account.historyReplies),
  userFills: forUser(account.fillReplies),
  userFillsByTime: asked(z.intersection(ofUser, range), (context, question) => account.fillsBetween(context, question.user, question)),
  userFunding: asked(z.intersection(ofUser, range), (context, question) => account.userFundingReply(context, question.user, question)),
  userFees: forUser(account.userFeesReply),
  userRole: forUser(account.roleReply),
  extraAgents: forUser(account.agentsReply),
  userAbstraction: forUser(() => 'disabled'),
  userRateLimit: forUser(({ quota }, user) => {
    const { used, allowed, volume } = quota.of(user);
    return { cumVlm: volume.toFixed(2), nRequestsUsed: used, nRequestsCap: allowed, nRequestsSurplus: 0 };
  }),
  activeAssetData: asked(z.intersection(ofUser, ofCoin), (context, question) =>
    withMarket(context, question.coin, (market) => ({
      user: question.user,
      coin: question.coin,
      leverage: { type: 'cross', value: markets.maxLeverage(market) },
      maxTradeSzs: ['0.0', '0.0'],
      availableToTrade: ['0.0', '0.0'],
      markPx: market.priceText(context.exchange.live(market.id)!.mark!),
    })),
  ),
};

/** The answer to a body that cannot be read, which names no reason, as at Hyperliquid. */
export const malformed = (): RefusedRequest => new RefusedRequest(422, 'Failed to deserialize the JSON body into the target type');

export function infoReply(context: HyperliquidContext, body: unknown): HttpReply {
  const { type = '' } = z.object({ type: z.string() }).safeParse(body).data ?? {};
  const answer = Object.hasOwn(ANSWERS, type) ? ANSWERS[type] : undefined;
  if (answer === undefined) throw malformed();
  return jsonReply(answer(context, body));
}
