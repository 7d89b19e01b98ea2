// Hyperliquid's answers about an account: positions, orders, fills, funding, fees and its keys.

import type { Json } from '../../../base/server/reply.ts';
import { opposite } from '../../../bot/domain/book.ts';
import type { AccountId, MarketId } from '../../../bot/domain/ids.ts';
import { lots, micros, toDecimal } from '../../../bot/domain/numbers.ts';
import { sideLetter, tifOf } from '../../../venues/wire/hyperliquid/terms.ts';
import type { SimTrade } from '../../exchange/history/trades.ts';
import { QUOTE } from '../../exchange/state/listing.ts';
import { type OrderRecord, remaining } from '../../exchange/state/orders.ts';
import type { PositionState } from '../../exchange/views.ts';
import { type MarketAtMark, profitAtMark, requireKnown } from '../reply-values.ts';
import {
  accountIdOf,
  accountOf,
  accountsOf,
  coinOf,
  type HyperliquidContext,
  isShown,
  marketWith,
  moneyText,
  plain,
  tokenIndex,
  tokenOf,
} from './context.ts';
import { FUNDINGS, isWithin, maxLeverage, type NewRows, NO_HASH, type TimeRange } from './market-info.ts';

const NEWEST = 2_000;

/** An address without an account has an empty one. */
export function stateReply(context: HyperliquidContext, user: string): Json {
  const { state } = accountOf(context, user, 'perp') ?? {};
  const held = (state?.positions ?? []).filter(({ size, market }) => size !== 0 && isShown(context, market));
  const zero = micros(0);
  const { mf, omf, imf, mmf } = state?.margins ?? { mf: zero, omf: zero, imf: zero, mmf: zero };
  const sum = (of: (position: PositionState) => number): number => held.reduce((total, position) => total + of(position), 0);
  const used = sum((position) => valueOf(context, position) * marketWith(context, position.market).spec.imf);
  const equity = mf + sum((position) => profitAtMark(marketOf(context, position), position) - position.tradingPnl);
  const summary = {
    accountValue: moneyText(micros(equity)),
    totalNtlPos: plain(sum((position) => valueOf(context, position))),
    totalRawUsd: plain(toDecimal(micros(equity)) - sum((position) => Math.sign(position.size) * valueOf(context, position))),
    totalMarginUsed: plain(used),
  };
  return {
    marginSummary: summary,
    crossMarginSummary: summary,
    crossMaintenanceMarginUsed: moneyText(mmf),
    withdrawable: moneyText(micros(Math.max(0, omf - imf))),
    assetPositions: held.map((position) => ({
      type: 'oneWay',
      position: positionReply(context, position, paidIn(context, user, position.market)),
    })),
    time: Math.floor(context.exchange.now()),
  };
}

function costOf(context: HyperliquidContext, order: OrderRecord): number {
  const { market, price } = order;
  return price === undefined || !isShown(context, market) ? 0 : marketWith(context, market).notional(price, remaining(order));
}

/** `hold`: what resting orders need. Tokens that the account has none of are left out. */
export function spotStateReply(context: HyperliquidContext, user: string): Json {
  const { id, state } = accountOf(context, user, 'spot') ?? {};
  const orders = id === undefined ? [] : context.exchange.records.openOrders(id);
  const spent = orders.reduce((sum, order) => sum + (order.side === 'bid' ? costOf(context, order) : 0), 0);
  const balances = [
    { coin: 'USDC', token: 0, tokenId: QUOTE, hold: moneyText(micros(spent)) },
    ...context.spots.map((market) => {
      const offered = orders.filter((order) => order.market === market.id && order.side === 'ask');
      const hold = market.sizeText(lots(offered.reduce((sum, order) => sum + remaining(order), 0)));
      return { coin: tokenOf(context, market), token: tokenIndex(context, market), tokenId: market.spec.baseTokenId, hold };
    }),
  ];
  return {
    balances: balances.flatMap(({ tokenId: held, ...row }) => {
      const amount = state?.balances.find(({ tokenId }) => tokenId === held)?.amount ?? 0;
      return amount === 0 ? [] : [{ ...row, total: plain(amount), entryNtl: '0.0' }];
    }),
  };
}

const marketOf = (context: HyperliquidContext, { market: id }: PositionState): MarketAtMark => ({
  market: marketWith(context, id),
  mark: requireKnown(context.exchange.live(id)?.mark),
});

/** At the mark price, as on Hyperliquid; the embedded exchange judges margins at the index price. */
function valueOf(context: HyperliquidContext, position: PositionState): number {
  const { market, mark } = marketOf(context, position);
  return market.price(mark) * Math.abs(market.size(position.size));
}

/** All that the account has ever paid in a market. */
const paidIn = (context: HyperliquidContext, user: string, market: MarketId): number =>
  context.exchange.records
    .fundingPayments(requireKnown(accountIdOf(context, user)))
    .reduce((sum, row) => sum + (row.market === market ? row.payment : 0), 0);

/** The sum since the position was opened, or last changed, counts since its last fill. */
function positionReply(context: HyperliquidContext, position: PositionState, paid: number): Json {
  const { market: id, size, entry = 0, fundingPaymentPnl } = position;
  const market = marketWith(context, id);
  const value = valueOf(context, position);
  const profit = profitAtMark(marketOf(context, position), position);
  const funding = plain(0 - toDecimal(fundingPaymentPnl));
  return {
    coin: coinOf(context, market),
    szi: market.sizeText(size),
    entryPx: plain(entry),
    leverage: { type: 'cross', value: maxLeverage(market) },
    maxLeverage: maxLeverage(market),
    positionValue: plain(value),
    unrealizedPnl: moneyText(profit),
    returnOnEquity: plain(value === 0 ? 0 : toDecimal(profit) / (value * market.spec.imf)),
    liquidationPx: null,
    marginUsed: plain(value * market.spec.imf),
    cumFunding: { allTime: moneyText(micros(paid)), sinceOpen: funding, sinceChange: funding },
  };
}

/** Newest first. */
export const openOrders = (context: HyperliquidContext, user: string): readonly OrderRecord[] =>
  accountsOf(context, user)
    .flatMap((id) => context.exchange.records.openOrders(id))
    .filter(({ market }) => isShown(context, market));

/** The fields that `openOrders` shows, and further ones of `frontendOpenOrders`. */
export function orderReply(context: HyperliquidContext, order: OrderRecord, { full }: { full: boolean }): Json {
  const market = marketWith(context, order.market);
  const more = {
    origSz: market.sizeText(order.size),
    orderType: order.price === undefined ? 'Market' : 'Limit',
    tif: tifOf(order.fillMode) ?? 'Ioc',
    reduceOnly: order.reduceOnly,
    isTrigger: false,
    isPositionTpsl: false,
    triggerPx: '0.0',
    triggerCondition: 'N/A',
    children: [],
  };
  return {
    coin: coinOf(context, market),
    side: sideLetter(order.side),
    limitPx: order.price === undefined ? '0' : market.priceText(order.price),
    sz: market.sizeText(remaining(order)),
    oid: Number(order.orderId),
    timestamp: order.addedAt,
    cloid: cloidOf(context, order) ?? (full ? null : undefined),
    ...(full && more),
  };
}

const cloidOf = ({ clientIds }: HyperliquidContext, { clientOrderId }: OrderRecord): string | undefined =>
  clientOrderId === undefined ? undefined : clientIds.textOf(clientOrderId);

/** The newest two thousand, newest first, finished orders included; of one cloid that was used again, the latest. */
const allOrders = (context: HyperliquidContext, user: string): readonly OrderRecord[] =>
  accountsOf(context, user)
    .flatMap((id) => context.exchange.records.orders(id))
    .filter(({ market }) => isShown(context, market))
    .sort((one, other) => Number(other.orderId) - Number(one.orderId))
    .slice(0, NEWEST);

/** Returns the test whether an order has this oid or cloid. */
export const isNamed = ({ clientIds }: HyperliquidContext, name: number | string): ((order: OrderRecord) => boolean) => {
  if (typeof name === 'number') return ({ orderId }) => Number(orderId) === name;
  const id = clientIds.numberOf(name.toLowerCase());
  return ({ clientOrderId }) => clientOrderId === id;
};

export const findOrder = (context: HyperliquidContext, user: string, oid: number | string): OrderRecord | undefined =>
  allOrders(context, user).find(isNamed(context, oid));

export function orderStatusReply(context: HyperliquidContext, user: string, oid: number | string): Json {
  const order = findOrder(context, user, oid);
  return order === undefined ? { status: 'unknownOid' } : { status: 'order', order: historyReply(context, order) };
}

export const historyReplies = (context: HyperliquidContext, user: string): Json =>
  allOrders(context, user).map((order) => historyReply(context, order));

export const historyReply = (context: HyperliquidContext, order: OrderRecord): Json => ({
  order: orderReply(context, order, { full: true }),
  status: order.finalized ?? 'open',
  statusTimestamp: order.updatedAt,
});

interface OwnTrade {
  readonly account: AccountId;
  readonly trade: SimTrade;
}

/** Oldest first; a trade of an account with itself cannot be. */
function fillsOf(
  context: HyperliquidContext,
  user: string,
  { since, after = 0, most }: { since: number; after?: number; most: number },
): readonly OwnTrade[] {
  return accountsOf(context, user)
    .flatMap((account) => context.exchange.records.tradesSince({ account, since }, { after, most }).map((trade) => ({ account, trade })))
    .filter(({ trade }) => isShown(context, trade.market))
    .sort((one, other) => Number(one.trade.tradeId) - Number(other.trade.tradeId));
}

/** The fills after the one with this id. */
export function newFills(context: HyperliquidContext, user: string, after: number): NewRows {
  const all = fillsOf(context, user, { since: 0, after, most: NEWEST });
  const newest = all.at(-1);
  return { rows: all.map((own) => fillReply(context, own)), newest: newest && Number(newest.trade.tradeId) };
}

/** Oldest first, from the start on. */
export const fillsBetween = (context: HyperliquidContext, user: string, range: TimeRange): Json =>
  fillsOf(context, user, { since: range.startTime, most: Number.MAX_SAFE_INTEGER })
    .filter(({ trade }) => isWithin(range, trade.time))
    .slice(0, NEWEST)
    .map((own) => fillReply(context, own));

/** Newest first. */
export const fillReplies = (context: HyperliquidContext, user: string): readonly Json[] =>
  fillsOf(context, user, { since: 0, most: NEWEST })
    .slice(-NEWEST)
    .toReversed()
    .map((own) => fillReply(context, own));

/** The fee of a spot purchase is in the tokens that were bought. */
function fillReply(context: HyperliquidContext, { account, trade }: OwnTrade): Json {
  const market = marketWith(context, trade.market);
  const isTaker = trade.takerId === account;
  const oid = isTaker ? trade.takerOrderId : trade.orderId;
  const side = isTaker ? trade.takerSide : opposite(trade.takerSide);
  const inBase = side === 'bid' ? trade.baseFee : undefined;
  const order = oid === undefined ? undefined : context.exchange.records.order(oid);
  return {
    coin: coinOf(context, market),
    px: market.priceText(trade.price),
    sz: market.sizeText(trade.size),
    side: sideLetter(side),
    time: Math.floor(trade.time),
    hash: NO_HASH,
    oid: Number(oid ?? 0),
    crossed: isTaker,
    fee: inBase === undefined ? moneyText(isTaker ? trade.takerFee : trade.makerFee) : market.sizeText(inBase),
    feeToken: inBase === undefined ? 'USDC' : tokenOf(context, market),
    tid: Number(trade.tradeId),
    cloid: order && cloidOf(context, order),
    twapId: null,
  };
}

/** Oldest first; `usdc` is negative if the account paid. */
export function userFundingReply(context: HyperliquidContext, user: string, range: TimeRange): Json {
  const account = accountIdOf(context, user);
  const payments = account === undefined ? [] : context.exchange.records.fundingPayments(account).toReversed();
  const asked = payments.filter(({ time, market }) => isWithin(range, time) && isShown(context, market));
  return asked.slice(0, FUNDINGS).map(({ time, market, rate, payment }) => {
    const coin = coinOf(context, marketWith(context, market));
    return {
      time,
      hash: NO_HASH,
      delta: { type: 'funding', coin, usdc: moneyText(micros(0 - payment)), fundingRate: plain(rate), nSamples: 1 },
    };
  });
}

export function userFeesReply(context: HyperliquidContext, user: string): Json {
  const account = accountIdOf(context, user);
  const rate = (role: 'maker' | 'taker'): string => {
    const ppm = account === undefined ? undefined : context.exchange.feeRatePpm({ account, role });
    return plain((ppm ?? context.exchange.feeBrackets[0]![role === 'maker' ? 'makerPpm' : 'takerPpm']) / 1e6);
  };
  const [add, cross] = [rate('maker'), rate('taker')];
  return { userCrossRate: cross, userAddRate: add, userSpotCrossRate: cross, userSpotAddRate: add, activeReferralDiscount: '0' };
}

export function roleReply(context: HyperliquidContext, user: string): Json {
  const agent = context.signingRights.agent(user);
  if (agent !== undefined) return { role: 'agent', data: { user: agent.master } };
  return { role: accountIdOf(context, user) === undefined ? 'missing' : 'user' };
}

export const agentsReply = ({ signingRights }: HyperliquidContext, user: string): Json =>
  signingRights.agentsOf(user).map(({ name, address, validUntil }) => ({ name, address, validUntil }));
