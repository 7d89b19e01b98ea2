// Converts the process's JSON into domain types. Throws for an invalid value, so that no partly valid answer is used.
import type { Position, RestingOrder } from '../../bot/domain/account.ts';
import type { Book } from '../../bot/domain/book.ts';
import type { Candle } from '../../bot/domain/candle.ts';
import type { LiveInfo } from '../../bot/domain/event.ts';
import type { TradeId } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import { micros } from '../../bot/domain/numbers.ts';
import type { Fill, Trade } from '../../bot/domain/order.ts';
import type { Unnumbered } from '../../bot/exchange/kit/venue-client.ts';
import { candleIn, orderIn, positionIn, sideOf, tradeIn } from '../shared/convert.ts';
import { invalidValue, levelsOf, ticksNear } from '../shared/validate.ts';
import type {
  LocalCandle as CandleRow,
  LocalAccount,
  LocalMarket,
  LocalOrder,
  LocalOrderbook,
  LocalPosition,
  LocalTrade,
  OrderFill,
} from '../wire/json/local.ts';
import type { LocalFunding } from './funding.ts';
import type { LocalListedMarket } from './listing.ts';

/** The fee rates reported with the account, as fractions of the traded value. */
export type ReportedFees = Pick<LocalAccount, 'makerFee' | 'takerFee'>;

/** True for the rates that one version of the process reports for every account, whatever the exchange charges. */
export const areFixedRates = ({ makerFee, takerFee }: ReportedFees): boolean => makerFee === 0 && takerFee === 0.001;

/** Accepts crossed and empty books, because they can occur. Throws if a level is off the tick, or if a price occurs twice. */
export const bookOf = (market: Market, { bids, asks }: LocalOrderbook): Unnumbered<Book> => ({
  market: market.id,
  bids: levelsOf(market, bids),
  asks: levelsOf(market, asks),
});

/**
 * Returns one info for each of `listed`. There is no index price: the current price, which is the mark, is used for it. Funding is the cost of the
 * last hour.
 */
export function infosOf(listed: readonly LocalListedMarket[], rows: readonly LocalMarket[], funding: LocalFunding): readonly LiveInfo[] {
  return listed.map(({ name, market }) => {
    const row = rows.find((candidate) => candidate.name === name);
    if (row === undefined) throw invalidValue(market, 'no longer among the markets of the process');
    const mark = row.price === undefined ? undefined : ticksNear(market, row.price);
    const cost = funding.costOf(name);
    const fundingRate = cost === undefined || row.price === undefined ? undefined : cost / row.price;
    return { market: market.id, index: mark, mark, frozen: !row.enabled, ...(fundingRate !== undefined && { fundingRate }) };
  });
}

export const tradeOf = (
  { market }: LocalListedMarket,
  { price, side, size, time }: Pick<LocalTrade, 'price' | 'side' | 'size' | 'time'>,
  tradeId: TradeId,
): Trade => tradeIn(market, { tradeId, takerSide: sideOf(side), price, size, time: Date.parse(time) });

/** Returns all candles but the newest, which may not be complete, oldest first. */
export const candlesOf = ({ market }: LocalListedMarket, rows: readonly CandleRow[]): readonly Candle[] =>
  rows
    .map(({ startTime, ...prices }) => candleIn(market, { start: Date.parse(startTime), ...prices }))
    .sort((a, b) => a.start - b.start)
    .slice(0, -1);

/** The list of fills has neither order nor action ids, so each fill gets its own action id. Its fee is computed from the reported rate. */
export function fillOf(listed: LocalListedMarket, row: OrderFill, { tradeId, rates }: { tradeId: TradeId; rates: ReportedFees }): Fill {
  const { takerSide: side, ...trade } = tradeOf(listed, row, tradeId);
  const rate = rates[`${row.liquidity}Fee`];
  const fee = rate === undefined ? undefined : micros(Math.round(listed.market.notional(trade.price, trade.size) * rate));
  return { ...trade, actionId: tradeId, orderId: '', side, role: row.liquidity, ...(fee !== undefined && { fee }) };
}

export function orderOf(market: Market, { id, side, price, size, remainingSize = size, clientId }: LocalOrder): RestingOrder {
  if (price === undefined) throw invalidValue(market, `order ${id} without a price`);
  return orderIn(market, { orderId: id, side: sideOf(side), price, size: remainingSize, originalSize: size, clientOrderId: clientId });
}

/** `paid`: funding paid since the run began, in quote tokens; the process deducts it from the balance at once. */
export const positionOf = (market: Market, { netSize, entryPrice, unrealizedPnl }: LocalPosition, { paid }: { paid: number }): Position =>
  positionIn(market, { size: netSize, entry: entryPrice, tradingPnl: unrealizedPnl, fundingPaymentPnl: 0 - paid });
