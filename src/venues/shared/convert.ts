// Makes domain types of what an exchange lists in decimals: an adapter only names the fields. Throws for an invalid value, so that no partly valid answer
// is used. The numbers themselves: `validate.ts`.
import type { Position, RestingOrder } from '../../bot/domain/account.ts';
import type { Side } from '../../bot/domain/book.ts';
import type { Candle } from '../../bot/domain/candle.ts';
import { NO_ACTION } from '../../bot/domain/ids.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { Micros } from '../../bot/domain/numbers.ts';
import type { Fill, Trade } from '../../bot/domain/order.ts';
import { heldLotsOf, lotsOf, moneyOf, positiveLotsOf, ticksNear, ticksOf } from './validate.ts';

/** Returns a side that the exchange writes as `buy` or `sell`. */
export const sideOf = (side: 'buy' | 'sell'): Side => (side === 'buy' ? 'bid' : 'ask');

/** Returns a side as `buy` or `sell`. */
export const tradeSideOf = (side: Side): 'buy' | 'sell' => (side === 'bid' ? 'buy' : 'sell');

/** A domain type with decimals in place of these ticks, lots or micros, and without its market. */
export type InDecimals<T, K extends keyof T> = Omit<T, K | 'market'> & { readonly [Name in K]: number };

/** Converts the rows of the markets that are traded, and leaves out all others: those of which `marketOf` returns none. */
export const convertListed = <M, R, T>(
  rows: readonly R[],
  marketOf: (row: R) => M | undefined,
  convert: (market: M, row: R) => T,
): readonly T[] =>
  rows.flatMap((row) => {
    const market = marketOf(row);
    return market === undefined ? [] : [convert(market, row)];
  });

/** Returns a resting order whose price and sizes are decimals. */
export const orderIn = (
  market: Market,
  { orderId, side, price, size, originalSize, clientOrderId }: InDecimals<RestingOrder, 'price' | 'size' | 'originalSize'>,
): RestingOrder => ({
  orderId,
  market: market.id,
  side,
  price: ticksOf(market, price),
  size: lotsOf(market, size),
  originalSize: lotsOf(market, originalSize),
  ...(clientOrderId !== undefined && { clientOrderId }),
});

/** Returns a public trade whose price and size are decimals. */
export const tradeIn = (market: Market, { tradeId, takerSide, price, size, time }: InDecimals<Trade, 'price' | 'size'>): Trade => ({
  tradeId,
  market: market.id,
  takerSide,
  price: ticksOf(market, price),
  size: positiveLotsOf(market, size),
  time,
});

/** What a list of our own trades shows beside the trade. */
export interface DecimalFill extends Pick<Fill, 'orderId'>, Required<Pick<Fill, 'role'>> {
  /** Negative for a rebate. */
  readonly fee: number;
  /** True if the fee is in the tokens of a spot purchase: its value is that at the price of the trade. */
  readonly isFeeInBase: boolean;
}

/**
 * Returns the fill of our order from a trade. For exchanges whose receipts have the id of the order, and none of an action. As a taker, the order's id
 * stands for the action, and the other id is that of the trade: two fills with equal ids, sizes and times count as one.
 */
export function fillIn(market: Market, { takerSide: side, ...trade }: Trade, { orderId, role, fee, isFeeInBase }: DecimalFill): Fill {
  const ids = role === 'taker' ? { actionId: orderId, orderId: trade.tradeId } : { actionId: trade.tradeId, orderId };
  const fill = { ...trade, side, ...ids, role };
  if (!isFeeInBase) return { ...fill, fee: moneyOf(fee, 'a fee') };
  const baseFee = heldLotsOf(market, fee);
  return { ...fill, baseFee, fee: market.notional(trade.price, baseFee) };
}

/** A position in decimals. What is absent is 0; a flat position has no entry. */
export interface DecimalPosition extends Partial<Pick<Position, 'entry' | 'fundingIndex' | 'actionId'>> {
  /** Negative for a short one. */
  readonly size: number;
  readonly tradingPnl?: number | undefined;
  readonly fundingPaymentPnl?: number | undefined;
}

/** Returns a position whose size and amounts are decimals. */
export function positionIn(
  market: Market,
  { size, entry, tradingPnl = 0, fundingPaymentPnl = 0, actionId = NO_ACTION, ...more }: DecimalPosition,
): Position {
  const held = heldLotsOf(market, size);
  return {
    market: market.id,
    size: held,
    ...(held !== 0 && entry !== undefined && { entry }),
    tradingPnl: moneyOf(tradingPnl, 'tradingPnl'),
    fundingPaymentPnl: moneyOf(fundingPaymentPnl, 'fundingPaymentPnl'),
    actionId,
    ...more,
  };
}

/** Returns a candle whose prices are decimals; they need not be on the tick. */
export const candleIn = (
  market: Market,
  { start, open, high, low, close }: InDecimals<Candle, 'open' | 'high' | 'low' | 'close'>,
): Candle => ({
  start,
  open: ticksNear(market, open),
  high: ticksNear(market, high),
  low: ticksNear(market, low),
  close: ticksNear(market, close),
});

/** Returns amounts of quote tokens in micros. Throws an error that names the amount that cannot be counted. */
export const inMicros = <K extends string>(amounts: Readonly<Record<K, number>>): Readonly<Record<K, Micros>> =>
  Object.fromEntries(Object.entries<number>(amounts).map(([name, amount]) => [name, moneyOf(amount, name)])) as Record<K, Micros>;
