// The answers of the hosted API about markets, tokens, trades and fees.

import type { Json } from '../../../base/server/reply.ts';
import { timeText } from '../../../base/text/duration.ts';
import { type Book, type Level, levelsOf, type Side } from '../../../bot/domain/book.ts';
import type { LiveInfo } from '../../../bot/domain/event.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { lots, type Ticks, toDecimal } from '../../../bot/domain/numbers.ts';
import type { Exchange } from '../../exchange/exchange.ts';
import type { TakeAll } from '../../exchange/history/statement.ts';
import type { SimTrade } from '../../exchange/history/trades.ts';
import type { FundingHour } from '../../exchange/state/funding.ts';
import type { ListedToken } from '../../exchange/state/listing.ts';
import type { MarketStats } from '../../exchange/views.ts';
import { idNumber, orNull } from '../reply-values.ts';

export const infoReply = ({ markets, tokens }: Exchange): Json => ({
  markets: markets.map(({ spec }) => ({
    marketId: spec.id,
    symbol: spec.symbol,
    baseTokenId: spec.baseTokenId,
    quoteTokenId: spec.quoteTokenId,
    priceDecimals: spec.priceDecimals,
    sizeDecimals: spec.sizeDecimals,
    imf: spec.imf,
    mmf: spec.mmf,
    cmf: spec.cmf,
  })),
  tokens: tokens.map((token) => ({ tokenId: token.tokenId, ...tokenReply(token) })),
});

const tokenReply = ({ symbol, decimals, mintAddr, weightBps }: ListedToken) => ({ symbol, decimals, mintAddr, weightBps });

export const feeBracketsReply = ({ feeBrackets }: Exchange): Json =>
  feeBrackets.map(({ tier, makerPpm, takerPpm }) => [tier, { maker_fee_ppm: makerPpm, taker_fee_ppm: takerPpm }]);

export const liveReply = (market: Market, live: LiveInfo): Json => ({
  marketId: market.id,
  ...oracleReply(market, live),
  frozen: live.frozen,
  markPrice: price(market, live.mark),
  projectedFundingRate: live.fundingRate ?? null,
  nextFundingTime: orNull(live.nextFunding, timeText),
  openInterest: live.openInterest ?? 0,
});

export const statsReply = (market: Market, stats: MarketStats): Json => ({
  ...oracleReply(market, stats),
  frozen: stats.frozen,
  volumeBase24h: market.size(stats.volumeBase24h),
  volumeQuote24h: toDecimal(stats.volumeQuote24h),
  high24h: price(market, stats.high24h),
  low24h: price(market, stats.low24h),
  close24h: price(market, stats.close24h),
  prevClose24h: price(market, stats.prevClose24h),
  perpStats: market.spec.kind === 'perp' ? perpStatsReply(market, stats) : null,
});

/** The API document allows no null here, unlike in `liveReply`: just after a payment, when there is no premium yet, the rate is 0. */
const perpStatsReply = (market: Market, stats: MarketStats): Json => ({
  mark_price: price(market, stats.mark),
  funding_rate: stats.fundingRate ?? 0,
  next_funding_time: orNull(stats.nextFunding, timeText),
  open_interest: stats.openInterest ?? 0,
  aggregated_funding_index: stats.aggregatedFundingIndex,
});

const oracleReply = (market: Market, { index, indexConf }: LiveInfo): { indexPrice: number | null; indexPriceConf: number | null } => ({
  indexPrice: price(market, index),
  indexPriceConf: price(market, indexConf),
});

const price = (market: Market, value: Ticks | undefined): number | null => orNull(value, (ticks) => market.price(ticks));

export const orderbookReply = (market: Market, book: Book): Json => ({
  updateId: idNumber(book.updateId),
  bids: levelsReply(market, book, 'bid'),
  asks: levelsReply(market, book, 'ask'),
  bidsSummary: summaryReply(market, levelsOf(book, 'bid')),
  asksSummary: summaryReply(market, levelsOf(book, 'ask')),
});

const levelsReply = (market: Market, book: Book, side: Side): Json =>
  levelsOf(book, side).map((level) => [market.price(level.price), market.size(level.size)]);

const summaryReply = (market: Market, levels: readonly Level[]): Json => ({
  sum: market.size(lots(levels.reduce((sum, { size }) => sum + size, 0))),
  count: levels.length,
});

export const tradeReply = (market: Market, trade: SimTrade): Json => ({
  time: timeText(trade.time),
  actionId: idNumber(trade.actionId),
  tradeId: idNumber(trade.tradeId),
  takerId: trade.takerId,
  takerSide: trade.takerSide,
  makerId: trade.makerId,
  marketId: trade.market,
  orderId: idNumber(trade.orderId),
  price: market.price(trade.price),
  baseSize: market.size(trade.size),
  makerFee: toDecimal(trade.makerFee),
  takerFee: toDecimal(trade.takerFee),
});

export const previousPriceReply = (market: Market, trade: SimTrade | undefined): Json => ({
  marketId: market.id,
  price: price(market, trade?.price),
});

export const marketHourReply = (market: Market, hour: FundingHour): Json => ({
  marketId: market.id,
  time: timeText(hour.time),
  actionId: hour.action,
  fundingIndex: hour.index,
  fundingRate: hour.rate,
  indexPrice: market.price(hour.indexPrice),
  markPrice: market.price(hour.mark),
});

/** `priced`: the market whose index is the token's price; undefined for a token that no market trades, such as the quote token. */
export const tokenStatsReply = (token: ListedToken, priced: { market: Market; live: LiveInfo } | undefined): Json => ({
  ...tokenReply(token),
  oracleSymbol: token.symbol,
  indexPrice: orNull(priced, ({ market, live }) => ({ median: price(market, live.index), confidence: price(market, live.indexConf) })),
});

/** Prices and sizes are in ticks and lots, as inside the exchange. */
export const takeReply = (take: TakeAll): Json => ({
  time: timeText(take.time),
  actionId: idNumber(take.actionId),
  takerAccountId: take.takerAccountId,
  takerSide: take.takerSide,
  marketId: take.marketId,
  settlementPrice: take.settlementPrice,
  baseSize: take.baseSize,
  makerAccountId: take.makerAccountId,
  bankruptcyPrice: take.bankruptcyPrice,
});
