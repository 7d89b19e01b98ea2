// Hyperliquid's answers about markets: their listing, books, trades, candles and funding.
import type { Millis } from '../../../base/clock.ts';
import type { Json } from '../../../base/server/reply.ts';
import type { Level, Side } from '../../../bot/domain/book.ts';
import { resolutionText, spanOf } from '../../../bot/domain/candle.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { lots, type Ticks } from '../../../bot/domain/numbers.ts';
import { sideLetter } from '../../../venues/wire/hyperliquid/terms.ts';
import type { SimTrade } from '../../exchange/history/trades.ts';
import { requireKnown } from '../reply-values.ts';
import { coinOf, type HyperliquidContext, moneyText, plain, tokenIndex, tokenOf } from './context.ts';

const LEVELS = 20;
const TRADES = 10;
const CANDLES = 5_000;
/** The most rows of funding in one answer. */
export const FUNDINGS = 500;

export const maxLeverage = ({ spec }: Market): number => Math.floor(1 / spec.imf);

export const metaReply = (context: HyperliquidContext): Json => ({
  universe: context.perps.map((market) => ({
    name: coinOf(context, market),
    szDecimals: market.spec.sizeDecimals,
    maxLeverage: maxLeverage(market),
    marginTableId: maxLeverage(market),
  })),
  marginTables: [],
  collateralToken: 0,
});

export const spotMetaReply = (context: HyperliquidContext): Json => ({
  tokens: [
    { name: 'USDC', szDecimals: 8, weiDecimals: 8, index: 0, tokenId: tokenHash(0), isCanonical: true },
    ...context.spots.map((market) => {
      const [index, weiDecimals] = [tokenIndex(context, market), market.spec.sizeDecimals];
      const name = tokenOf(context, market);
      return { name, szDecimals: market.orderDecimals, weiDecimals, index, tokenId: tokenHash(index), isCanonical: false };
    }),
  ],
  universe: context.spots.map((market, before) => ({
    name: coinOf(context, market),
    tokens: [tokenIndex(context, market), 0],
    index: before + 1,
    isCanonical: false,
  })),
});

/** A text in the form of a token's id; nothing reads it. */
const tokenHash = (index: number): string => `0x${index.toString(16).padStart(32, '0')}`;

export function spotContextReply(context: HyperliquidContext, market: Market): Json {
  const { dayNtlVlm, dayBaseVlm, markPx, midPx, prevDayPx } = contextReply(context, market);
  return { coin: coinOf(context, market), dayNtlVlm, dayBaseVlm, markPx, midPx, prevDayPx, circulatingSupply: '0' };
}

export function contextReply({ exchange }: HyperliquidContext, market: Market) {
  const { index, mark, fundingRate = 0, openInterest = 0 } = requireKnown(exchange.live(market.id));
  const { bids, asks } = requireKnown(exchange.book(market.id));
  const { volumeBase24h, volumeQuote24h, prevClose24h } = requireKnown(exchange.stats(market.id));
  const [bid, ask] = [bids[0]?.price, asks[0]?.price];
  const mid = bid === undefined || ask === undefined ? null : plain((market.price(bid) + market.price(ask)) / 2);
  return {
    dayNtlVlm: moneyText(volumeQuote24h),
    dayBaseVlm: market.sizeText(volumeBase24h),
    funding: plain(fundingRate),
    impactPxs: bid === undefined || ask === undefined ? null : [market.priceText(bid), market.priceText(ask)],
    markPx: market.priceText(requireKnown(mark)),
    midPx: mid,
    openInterest: plain(openInterest),
    oraclePx: market.priceText(requireKnown(index)),
    premium: plain((requireKnown(mark) - requireKnown(index)) / requireKnown(index)),
    prevDayPx: market.priceText(prevClose24h ?? requireKnown(mark)),
  };
}

/** Levels between the prices that orders may have are added to the next one behind. */
export function bookReply(context: HyperliquidContext, market: Market) {
  const { exchange } = context;
  const { bids, asks } = requireKnown(exchange.book(market.id));
  return {
    coin: coinOf(context, market),
    time: Math.floor(exchange.now()),
    levels: [levels(market, 'bid', bids), levels(market, 'ask', asks)],
  };
}

function levels(market: Market, side: Side, exact: readonly Level[]): Json {
  const shown = new Map<Ticks, { size: number; count: number }>();
  for (const { price, size } of exact) {
    const at = market.restAt(side, market.price(price));
    const level = shown.get(at) ?? { size: 0, count: 0 };
    if (level.count === 0 && shown.size === LEVELS) break;
    shown.set(at, { size: level.size + size, count: level.count + 1 });
  }
  return [...shown].map(([price, { size, count }]) => ({ px: market.priceText(price), sz: market.sizeText(lots(size)), n: count }));
}

/** Newest first. */
export function tradesReply(context: HyperliquidContext, market: Market): Json {
  const { items } = context.exchange.trades({ marketId: market.id, pageSize: TRADES });
  return items.map((trade) => tradeReply(context, market, trade));
}

/** Oldest first. `newest` is the id of the last; undefined if there is none. */
export interface NewRows {
  readonly rows: readonly Json[];
  readonly newest: number | undefined;
}

/** The trades after the one with this id. */
export function newTrades(context: HyperliquidContext, market: Market, after: number): NewRows {
  const all = context.exchange.records.tradesSince({ marketId: market.id }, { after, most: 1_000 });
  const newest = all.at(-1);
  return { rows: all.map((trade) => tradeReply(context, market, trade)), newest: newest && Number(newest.tradeId) };
}

const tradeReply = (context: HyperliquidContext, market: Market, { tradeId, takerSide, price, size, time, ...trade }: SimTrade): Json => {
  const [taker, maker] = [userOf(context, trade.takerId), userOf(context, trade.makerId)];
  return {
    coin: coinOf(context, market),
    side: sideLetter(takerSide),
    px: market.priceText(price),
    sz: market.sizeText(size),
    time,
    hash: NO_HASH,
    tid: Number(tradeId),
    users: takerSide === 'bid' ? [taker, maker] : [maker, taker],
  };
};

/** The hash of an action that has none, which Hyperliquid shows for some as well. */
export const NO_HASH = `0x${'0'.repeat(64)}`;
/** Stands for the simulated traders, who have no address. */
const NOBODY = `0x${'0'.repeat(40)}`;

const userOf = ({ exchange }: HyperliquidContext, account: number): string => {
  const user = exchange.records.userOf(account);
  return user?.startsWith('0x') ? user : NOBODY;
};

export interface CandleQuery {
  readonly interval: string;
  readonly startTime: Millis;
  readonly endTime: Millis;
}

/** Oldest first, the running candle included. The prices are those of the mark, and there is no volume. */
export function candlesReply(context: HyperliquidContext, market: Market, { interval, startTime, endTime }: CandleQuery): Json {
  const span = spanOf(interval);
  const own = context.exchange.records.candles(market.id, span);
  const all = context.pasts.get(market.id)?.of(span, own) ?? own;
  const asked = all.filter(({ start }) => start >= startTime && start <= endTime).slice(0, CANDLES);
  return asked.toReversed().map(({ start, open, high, low, close }) => ({
    t: start,
    T: start + span - 1,
    s: coinOf(context, market),
    i: resolutionText(span),
    o: market.priceText(open),
    c: market.priceText(close),
    h: market.priceText(high),
    l: market.priceText(low),
    v: '0',
    n: 0,
  }));
}

/** Oldest first. */
export function fundingReply(context: HyperliquidContext, market: Market, range: TimeRange): Json {
  const hours = context.exchange.records.fundingHours(market.id).toReversed();
  const asked = hours.filter(({ time }) => isWithin(range, time));
  return asked.slice(0, FUNDINGS).map(({ time, rate, mark, indexPrice }) => ({
    coin: coinOf(context, market),
    fundingRate: plain(rate),
    premium: plain((mark - indexPrice) / indexPrice),
    time,
  }));
}

export interface TimeRange {
  readonly startTime: Millis;
  readonly endTime?: Millis | undefined;
}

/** Both ends are included. */
export const isWithin = ({ startTime, endTime = Number.POSITIVE_INFINITY }: TimeRange, time: Millis): boolean =>
  time >= startTime && time <= endTime;
