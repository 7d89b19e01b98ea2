// Hyperliquid's answers about an account: positions, orders, fills, funding, fees and its keys.

import type { Json } from '../../../base/server/reply.ts';
import type { AccountId, MarketId } from '../../../bot/domain/ids.ts';
import { micros, toDecimal } from '../../../bot/domain/numbers.ts';
import { opposite } from '../../../bot/domain/side.ts';
import type { SimTrade } from '../../exchange/history/trades.ts';
import { type OrderRecord, remaining } from '../../exchange/state/orders.ts';
import type { PositionState } from '../../exchange/views.ts';
import { requireKnown } from '../reply-values.ts';
import { accountOf, coinOf, type HyperliquidContext, moneyText, perpWith, plain, sideLetter, sizeText } from './context.ts';
import { maxLeverage, NO_HASH, type TimeRange } from './market-info.ts';

const NEWEST = 2_000;

/** An address without an account has an empty one. */
export function stateReply(context: HyperliquidContext, user: string): Json {
  const { state } = accountOf(context, user) ?? {};
  const held = (state?.positions ?? []).filter(({ size, market }) => size !== 0 && isShown(context, market));
  const zero = micros(0);
  const { mf, omf, imf, mmf, pn } = state?.margins ?? { mf: zero, omf: zero, imf: zero, mmf: zero, pn: zero };
  const used = held.reduce((sum, position) => sum + valueOf(context, position) * perpWith(context, position.market).spec.imf, 0);
  const summary = {
    accountValue: moneyText(mf),
    totalNtlPos: moneyText(pn),
    totalRawUsd: moneyText(
      micros(state?.balances.reduce((sum, { tokenId, amount }) => sum + (tokenId === 0 ? Math.round(amount * 1e6) : 0), 0) ?? 0),
    ),
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
    time: context.exchange.now(),
  };
}

const isShown = ({ perps }: HyperliquidContext, market: number): boolean => perps.some(({ id }) => id === market);

/** At the index price, by which the exchange judges margins. */
function valueOf(context: HyperliquidContext, { market: id, size }: Pick<PositionState, 'market' | 'size'>): number {
  const market = perpWith(context, id);
  return market.price(requireKnown(context.exchange.live(id)?.index)) * Math.abs(market.size(size));
}

/** All that the account has ever paid in a market. */
const paidIn = (context: HyperliquidContext, user: string, market: MarketId): number =>
  context.exchange.records
    .fundingPayments(accountOf(context, user)!.id)
    .reduce((sum, row) => sum + (row.market === market ? row.payment : 0), 0);

/** The sum since the position was opened, or last changed, counts since its last fill. */
function positionReply(
  context: HyperliquidContext,
  { market: id, size, entry = 0, tradingPnl, fundingPaymentPnl }: PositionState,
  paid: number,
): Json {
  const market = perpWith(context, id);
  const value = valueOf(context, { market: id, size });
  const funding = plain(0 - toDecimal(fundingPaymentPnl));
  return {
    coin: coinOf(context, market),
    szi: `${size < 0 ? '-' : ''}${sizeText(market, size)}`,
    entryPx: plain(entry),
    leverage: { type: 'cross', value: maxLeverage(market) },
    maxLeverage: maxLeverage(market),
    positionValue: plain(value),
    unrealizedPnl: moneyText(tradingPnl),
    returnOnEquity: plain(value === 0 ? 0 : toDecimal(tradingPnl) / (value * market.spec.imf)),
    liquidationPx: null,
    marginUsed: plain(value * market.spec.imf),
    cumFunding: { allTime: moneyText(micros(paid)), sinceOpen: funding, sinceChange: funding },
  };
}

/** Newest first. */
export const openOrders = (context: HyperliquidContext, user: string): readonly OrderRecord[] => {
  const account = accountOf(context, user);
  return account === undefined ? [] : context.exchange.records.openOrders(account.id).filter(({ market }) => isShown(context, market));
};

/** The fields that `openOrders` shows, and further ones of `frontendOpenOrders`. */
export function orderReply(context: HyperliquidContext, order: OrderRecord, { full }: { full: boolean }): Json {
  const market = perpWith(context, order.market);
  const more = {
    origSz: market.sizeText(order.size),
    orderType: order.price === undefined ? 'Market' : 'Limit',
    tif: TIFS[order.fillMode],
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

const TIFS = { LIMIT: 'Gtc', POST_ONLY: 'Alo', IMMEDIATE_OR_CANCEL: 'Ioc', FILL_OR_KILL: 'Ioc' } as const;

const cloidOf = ({ clientIds }: HyperliquidContext, { clientOrderId }: OrderRecord): string | undefined =>
  clientOrderId === undefined ? undefined : clientIds.textOf(clientOrderId);

/** Newest first, finished orders included; of one cloid that was used again, the latest. */
const allOrders = (context: HyperliquidContext, user: string): readonly OrderRecord[] => {
  const account = accountOf(context, user);
  if (account === undefined) return [];
  const finished: OrderRecord[] = [];
  for (let from: string | undefined, more = true; more; ) {
    const { items, nextStartInclusive } = context.exchange.orderHistory(account.id, { startInclusive: from, pageSize: 50 });
    finished.push(...items);
    from = nextStartInclusive;
    more = from !== undefined && finished.length < NEWEST;
  }
  return finished.filter(({ market }) => isShown(context, market));
};

export const findOrder = (context: HyperliquidContext, user: string, oid: number | string): OrderRecord | undefined =>
  allOrders(context, user).find((order) =>
    typeof oid === 'number' ? Number(order.orderId) === oid : cloidOf(context, order) === oid.toLowerCase(),
  );

export function orderStatusReply(context: HyperliquidContext, user: string, oid: number | string): Json {
  const order = findOrder(context, user, oid);
  return order === undefined ? { status: 'unknownOid' } : { status: 'order', order: historyReply(context, order) };
}

export const historyReplies = (context: HyperliquidContext, user: string): Json =>
  allOrders(context, user).map((order) => historyReply(context, order));

const historyReply = (context: HyperliquidContext, order: OrderRecord): Json => ({
  order: orderReply(context, order, { full: true }),
  status: order.finalized ?? 'open',
  statusTimestamp: order.updatedAt,
});

/** Newest first; a trade of the account with itself cannot be. */
export function fillsOf(context: HyperliquidContext, user: string, since = 0): readonly SimTrade[] {
  const account = accountOf(context, user);
  if (account === undefined) return [];
  return context.exchange.records
    .tradesSince({ account: account.id, since }, { after: 0, most: NEWEST })
    .filter(({ market }) => isShown(context, market))
    .toReversed();
}

/** Oldest first, from the start on. */
export const fillsBetween = (
  context: HyperliquidContext,
  user: string,
  { startTime, endTime = Number.POSITIVE_INFINITY }: TimeRange,
): Json => {
  const account = accountOf(context, user);
  if (account === undefined) return [];
  const all = context.exchange.records.tradesSince({ account: account.id, since: startTime }, { after: 0, most: Number.MAX_SAFE_INTEGER });
  return all
    .filter(({ market, time }) => isShown(context, market) && time <= endTime)
    .slice(0, NEWEST)
    .map((trade) => fillReply(context, account.id, trade));
};

export const fillReplies = (context: HyperliquidContext, user: string): Json => {
  const account = accountOf(context, user);
  return account === undefined ? [] : fillsOf(context, user).map((trade) => fillReply(context, account.id, trade));
};

export function fillReply(context: HyperliquidContext, account: AccountId, trade: SimTrade): Json {
  const market = perpWith(context, trade.market);
  const isTaker = trade.takerId === account;
  const oid = isTaker ? trade.takerOrderId : trade.orderId;
  const [order] = oid === undefined ? [] : context.exchange.orderHistory(account, { startInclusive: oid, pageSize: 1 }).items;
  return {
    coin: coinOf(context, market),
    px: market.priceText(trade.price),
    sz: market.sizeText(trade.size),
    side: sideLetter(isTaker ? trade.takerSide : opposite(trade.takerSide)),
    time: trade.time,
    hash: NO_HASH,
    oid: Number(oid ?? 0),
    crossed: isTaker,
    fee: moneyText(isTaker ? trade.takerFee : trade.makerFee),
    feeToken: 'USDC',
    tid: Number(trade.tradeId),
    cloid: order?.orderId === oid && order !== undefined ? cloidOf(context, order) : undefined,
    twapId: null,
  };
}

/** Oldest first; `usdc` is negative if the account paid. */
export function userFundingReply(
  context: HyperliquidContext,
  user: string,
  { startTime, endTime = Number.POSITIVE_INFINITY }: TimeRange,
): Json {
  const account = accountOf(context, user);
  const payments = account === undefined ? [] : context.exchange.records.fundingPayments(account.id).toReversed();
  const asked = payments.filter(({ time, market }) => time >= startTime && time <= endTime && isShown(context, market));
  return asked.slice(0, 500).map(({ time, market, rate, payment }) => {
    const coin = coinOf(context, perpWith(context, market));
    return {
      time,
      hash: NO_HASH,
      delta: { type: 'funding', coin, usdc: moneyText(micros(0 - payment)), fundingRate: plain(rate), nSamples: 1 },
    };
  });
}

export function userFeesReply(context: HyperliquidContext, user: string): Json {
  const account = accountOf(context, user)?.id;
  const rate = (role: 'maker' | 'taker'): string => {
    const ppm = account === undefined ? undefined : context.exchange.feeRatePpm({ account, role });
    return plain((ppm ?? context.exchange.feeBrackets[0]![role === 'maker' ? 'makerPpm' : 'takerPpm']) / 1e6);
  };
  const [add, cross] = [rate('maker'), rate('taker')];
  return { userCrossRate: cross, userAddRate: add, userSpotCrossRate: cross, userSpotAddRate: add, activeReferralDiscount: '0' };
}

export function roleReply(context: HyperliquidContext, user: string): Json {
  const agent = context.keys.agent(user);
  if (agent !== undefined) return { role: 'agent', data: { user: agent.master } };
  return { role: accountOf(context, user) === undefined ? 'missing' : 'user' };
}

export const agentsReply = ({ keys }: HyperliquidContext, user: string): Json =>
  keys.agentsOf(user).map(({ name, address, validUntil }) => ({ name, address, validUntil }));
