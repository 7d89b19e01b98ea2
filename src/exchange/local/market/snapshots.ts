// The process's JSON as our own nouns. A value that makes no sense throws: half an answer is none.
import type { Position, RestingOrder } from '../../../domain/account.ts';
import type { Book, Level } from '../../../domain/book.ts';
import type { Candle } from '../../../domain/candle.ts';
import type { LiveInfo } from '../../../domain/event.ts';
import type { ActionId, TradeId, UpdateId } from '../../../domain/ids.ts';
import type { Market } from '../../../domain/market.ts';
import { lots, micros } from '../../../domain/numbers.ts';
import type { Fill, Trade } from '../../../domain/order.ts';
import type { Side } from '../../../domain/side.ts';
import type {
  Candle as CandleRow,
  LocalMarket,
  LocalOrder,
  LocalOrderbook,
  LocalPosition,
  LocalTrade,
  OrderFill,
  TradeSide,
} from '../../../wire/local.ts';
import { invalidValue, lotsOf, moneyOf, someLotsOf, ticksNear, ticksOf } from '../../kit/validate.ts';
import type { Funding } from '../account/funding.ts';
import type { Listed } from './listing.ts';

/** Rates as the account states them: fractions of what is traded. */
export interface FeeRates {
  readonly maker: number | undefined;
  readonly taker: number | undefined;
}

/** True of what one version of the process states of every account, whatever is charged. */
export const sayNothing = ({ maker, taker }: FeeRates): boolean => maker === 0 && taker === 0.001;

/** Lower than any action that a fill could name: a position here does not tell which ones it holds. */
const NO_ACTION: ActionId = '0';

export const sideOf = (side: TradeSide): Side => (side === 'buy' ? 'bid' : 'ask');
export const tradeSideOf = (side: Side): TradeSide => (side === 'bid' ? 'buy' : 'sell');

/** `updateId` is a count of ours. Crossed and empty books pass, for they make sense; one that is off the tick, or has a price twice, does not. */
export const bookOf = (market: Market, { bids, asks }: LocalOrderbook, updateId: UpdateId): Book => ({
  market: market.id,
  updateId,
  bids: levelsOf(market, bids),
  asks: levelsOf(market, asks),
});

function levelsOf(market: Market, listed: LocalOrderbook['bids']): readonly Level[] {
  const levels = listed.map(([price, size]): Level => ({ price: ticksOf(market, price), size: someLotsOf(market, size) }));
  const prices = new Set(levels.map(({ price }) => price));
  if (prices.size !== levels.length) throw invalidValue(market, 'a price twice in one side of the book');
  return levels;
}

/** One for each of `listed`. There is no index: the current price, which is the mark, stands for it. Funding is what the last hour cost. */
export function infosOf(listed: readonly Listed[], rows: readonly LocalMarket[], funding: Funding): readonly LiveInfo[] {
  return listed.map(({ name, market }) => {
    const row = rows.find((candidate) => candidate.name === name);
    if (row === undefined) throw invalidValue(market, 'no longer among the markets of the process');
    const mark = row.price === undefined ? undefined : ticksNear(market, row.price);
    const cost = funding.costOf(name);
    const fundingRate = cost === undefined || row.price === undefined ? undefined : cost / row.price;
    return { market: market.id, index: mark, mark, frozen: !row.enabled, ...(fundingRate !== undefined && { fundingRate }) };
  });
}

export const tradeOf = ({ market }: Listed, { price, side, size, time }: LocalTrade, tradeId: TradeId): Trade => ({
  tradeId,
  market: market.id,
  takerSide: sideOf(side),
  price: ticksOf(market, price),
  size: someLotsOf(market, size),
  time: Date.parse(time),
});

/** All but the newest, which may not be over, oldest first. */
export function candlesOf({ market }: Listed, rows: readonly CandleRow[]): readonly Candle[] {
  const told = rows.map(({ startTime, open, high, low, close }): Candle => {
    const [start, end] = [ticksNear(market, open), ticksNear(market, close)];
    return { start: Date.parse(startTime), open: start, high: ticksNear(market, high), low: ticksNear(market, low), close: end };
  });
  return told.sort((a, b) => a.start - b.start).slice(0, -1);
}

/** The record names neither order nor action, so each fill is an action of its own. Its fee is what the stated rate makes it. */
export function fillOf({ market }: Listed, row: OrderFill, { tradeId, rates }: { tradeId: TradeId; rates: FeeRates }): Fill {
  const [price, size] = [ticksOf(market, row.price), someLotsOf(market, row.size)];
  const rate = rates[row.liquidity];
  return {
    tradeId,
    actionId: tradeId,
    orderId: '',
    market: market.id,
    side: sideOf(row.side),
    price,
    size,
    role: row.liquidity,
    ...(rate !== undefined && { fee: micros(Math.round(market.notional(price, size) * rate)) }),
    time: Date.parse(row.time),
  };
}

export function orderOf(market: Market, { id, side, price, size, remainingSize, clientId }: LocalOrder): RestingOrder {
  if (price === undefined) throw invalidValue(market, `order ${id} without a price`);
  const originalSize = lotsOf(market, size);
  return {
    orderId: id,
    market: market.id,
    side: sideOf(side),
    price: ticksOf(market, price),
    size: remainingSize === undefined ? originalSize : lotsOf(market, remainingSize),
    originalSize,
    ...(clientId !== undefined && { clientOrderId: clientId }),
  };
}

/** Funding leaves the balance as it is paid: what stands here is all that `funding` knows to have been paid, in quote tokens. */
export function positionOf(
  market: Market,
  { netSize, entryPrice, unrealizedPnl = 0 }: LocalPosition,
  { paid }: { paid: number },
): Position {
  const held = lotsOf(market, Math.abs(netSize));
  return {
    market: market.id,
    size: lots(netSize < 0 ? -held : held),
    ...(held > 0 && entryPrice !== undefined && { entry: entryPrice }),
    tradingPnl: moneyOf(unrealizedPnl, 'unrealizedPnl'),
    fundingPaymentPnl: moneyOf(0 - paid, 'funding'),
    actionId: NO_ACTION,
  };
}
