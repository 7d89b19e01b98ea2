// Markets and accounts in the JSON form of the hosted API: decimals, field names of the document.
import type { Account, Order } from './accounts.ts';
import type { Settings } from './faults.ts';
import type { Json } from './json.ts';
import { LISTINGS, type Listing, priceOf, sizeOf } from './market.ts';
import type { MatchingEngine } from './matching-engine.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;

export function marketInfo({ marketId, symbol, baseTokenId, quoteTokenId, priceDecimals, sizeDecimals, imf, mmf, cmf }: Listing): Json {
  return { marketId, symbol, baseTokenId, quoteTokenId, priceDecimals, sizeDecimals, imf, mmf, cmf };
}

export function liveInfo(engine: MatchingEngine, listing: Listing, now: number): Json {
  return {
    marketId: listing.marketId,
    indexPrice: priceOf(listing, engine.indexOf(listing)),
    indexPriceConf: priceOf(listing, Math.ceil(engine.indexOf(listing) * 2e-4)),
    frozen: false,
    markPrice: priceOf(listing, engine.indexOf(listing)),
    projectedFundingRate: 0,
    nextFundingTime: nextHour(now),
    openInterest: openInterest(engine, listing),
  };
}

export function orderbook(engine: MatchingEngine, listing: Listing): Json {
  const [bids, asks] = (['bid', 'ask'] as const).map((side) =>
    engine.levels(listing, side).map((level) => [priceOf(listing, level.price), sizeOf(listing, level.size)] as const),
  );
  return { updateId: engine.updateId, bids: bids ?? [], asks: asks ?? [], bidsSummary: summaryOf(bids), asksSummary: summaryOf(asks) };
}

export function stats(engine: MatchingEngine, listing: Listing, now: number): Json {
  const recent = engine.trades.filter((trade) => trade.listing === listing && trade.time >= now - DAY_MS);
  const prices = recent.map((trade) => priceOf(listing, trade.price));
  const index = priceOf(listing, engine.indexOf(listing));
  const base = recent.reduce((sum, trade) => sum + sizeOf(listing, trade.size), 0);
  return {
    indexPrice: index,
    indexPriceConf: index * 2e-4,
    frozen: false,
    volumeBase24h: base,
    volumeQuote24h: recent.reduce((sum, trade) => sum + sizeOf(listing, trade.size) * priceOf(listing, trade.price), 0),
    high24h: prices.length === 0 ? null : prices.reduce((a, b) => Math.max(a, b)),
    low24h: prices.length === 0 ? null : prices.reduce((a, b) => Math.min(a, b)),
    close24h: prices.at(-1) ?? null,
    prevClose24h: null,
    perpStats: {
      mark_price: index,
      funding_rate: 0,
      next_funding_time: nextHour(now),
      open_interest: openInterest(engine, listing),
      aggregated_funding_index: 0,
    },
  };
}

export function accountInfo(engine: MatchingEngine, settings: Settings, account: Account): Json {
  const id = (value: bigint): Json => (settings.idsAsStrings ? value.toString() : value);
  const { omf, mf, imf, cmf, mmf, pon, pn } = engine.marginsOf(account);
  const margins = {
    omf: usd(omf),
    mf: usd(mf),
    imf: usd(imf),
    cmf: usd(cmf),
    mmf: usd(mmf),
    pon: usd(pon),
    pn: usd(pn),
    bankruptcy: mf < 0,
  };
  return {
    updateId: engine.updateId,
    balances: [{ tokenId: 0, token: 'USDC', amount: usd(account.balance) }],
    positions: LISTINGS.flatMap((listing) => positionInfo({ engine, account, listing, id })),
    orders: [...account.orders.values()].map((order) => openOrder(order, settings, id)),
    margins,
  };
}

function positionInfo({
  engine,
  account,
  listing,
  id,
}: {
  engine: MatchingEngine;
  account: Account;
  listing: Listing;
  id: (value: bigint) => Json;
}): Json[] {
  const position = account.positions.get(listing);
  const orders = [...account.orders.values()].filter((order) => order.listing === listing);
  if (position === undefined && orders.length === 0) return [];
  const size = account.sizeIn(listing);
  const pnl = account.tradingPnl(listing, engine.indexOf(listing)) / 1e6;
  const perp = {
    baseSize: sizeOf(listing, Math.abs(size)),
    price: size === 0 ? 0 : (position?.cost ?? 0) / 1e6 / sizeOf(listing, size),
    isLong: size > 0,
    tradingPnl: pnl,
    sizePricePnl: pnl,
    fundingPaymentPnl: 0,
    updatedFundingRateIndex: 0,
  };
  const actionId = position?.actionId ?? orders.at(-1)?.actionId ?? 0n;
  return [{ marketId: listing.marketId, openOrders: orders.length, perp: size === 0 ? null : perp, actionId: id(actionId) }];
}

const openOrder = (order: Order, settings: Settings, id: (value: bigint) => Json): Json => ({
  orderId: id(order.orderId),
  marketId: order.listing.marketId,
  side: order.side,
  price: priceOf(order.listing, order.price),
  size: sizeOf(order.listing, order.remaining),
  originalOrderSize: sizeOf(order.listing, order.originalSize),
  clientOrderId: order.clientOrderId === undefined || !settings.echoClientOrderId ? null : id(order.clientOrderId),
});

const summaryOf = (levels: readonly (readonly [number, number])[] = []): Json => ({
  sum: levels.reduce((sum, [, size]) => sum + size, 0),
  count: levels.length,
});

const usd = (micros: number): number => micros / 1e6;

/** A constant plus all long and short positions of the recorded accounts, in base units. */
function openInterest(engine: MatchingEngine, listing: Listing): number {
  const held = [...engine.accounts.values()].reduce((sum, account) => sum + Math.abs(account.sizeIn(listing)), 0);
  return sizeOf(listing, 1_000_000 + held);
}

const nextHour = (now: number): string => timeText((Math.floor(now / HOUR_MS) + 1) * HOUR_MS);
export const timeText = (ms: number): string => new Date(ms).toISOString();
