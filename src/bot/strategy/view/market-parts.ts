// The parts of a market's view: trades, candles, orders and fills in decimals.
import type { Millis } from '../../../base/clock.ts';
import type { Side } from '../../domain/book.ts';
import type { Candle } from '../../domain/candle.ts';
import type { ExitName } from '../../domain/intent.ts';
import type { Market } from '../../domain/market.ts';
import { toDecimal } from '../../domain/numbers.ts';
import type { Fill, Order, OrderStatus, Trade } from '../../domain/order.ts';
import type { TriggeredExit } from '../../world/position/exit-state.ts';
import type { PriceLevel } from '../intents/intents.ts';

/** A trade in the market, by anyone: price, size, and the members below. */
export interface TradeView extends PriceLevel {
  /** The side of the taker. */
  readonly takerSide: Side;
  readonly time: Millis;
}

/** A finished candle of the mark price, or of the tape in a backtest. */
export interface CandleView {
  /** Its opening time: a multiple of its length, in UTC. */
  readonly start: Millis;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  /** Traded volume in base units; undefined if unknown. */
  readonly volume: number | undefined;
}

/** One of our orders: price, original size, and the members below. */
export interface OrderView extends PriceLevel {
  readonly id: string;
  readonly side: Side;
  /** The part of `size` that can still be filled. */
  readonly remaining: number;
  readonly status: OrderStatus;
  /** When it was sent. */
  readonly placedAt: Millis;
  /** True if the newest account lacks the order although it could have listed it: its state is not known yet, and no new order takes its place. */
  readonly missing: boolean;
}

/** One of our fills: price, size, and the members below. */
export interface FillView extends PriceLevel {
  readonly side: Side;
  readonly role: 'maker' | 'taker';
  /** In quote money, positive when charged; undefined if the exchange did not say. */
  readonly fee: number | undefined;
  readonly time: Millis;
}

/** An exit that was triggered. */
export interface ExitedView {
  readonly exit: ExitName;
  /** The position that it closes. */
  readonly position: 'long' | 'short';
  /** Time of the trigger. */
  readonly at: Millis;
  /** The price of the stop or of the take profit. */
  readonly price: number;
  /** False while the position is being closed. */
  readonly isClosed: boolean;
}

export const exitedView = ({ exit, side, at, price, isClosed }: TriggeredExit): ExitedView => ({
  exit,
  position: side === 'bid' ? 'long' : 'short',
  at,
  price,
  isClosed,
});

export const tradeView = ({ price, size, takerSide, time }: Trade, market: Market): TradeView => ({
  price: market.price(price),
  size: market.size(size),
  takerSide,
  time,
});

export const candleView = ({ start, open, high, low, close, volume }: Candle, market: Market): CandleView => ({
  start,
  open: market.price(open),
  high: market.price(high),
  low: market.price(low),
  close: market.price(close),
  volume: volume === undefined ? undefined : market.size(volume),
});

export const orderView = (
  { price, size, clientOrderId: id, side, remaining, status, sentAt: placedAt, missing = false }: Order,
  market: Market,
): OrderView => ({
  price: market.price(price),
  size: market.size(size),
  id,
  side,
  remaining: market.size(remaining),
  status,
  placedAt,
  missing,
});

export const fillView = ({ price, size, side, role, fee, time }: Fill, market: Market): FillView => ({
  price: market.price(price),
  size: market.size(size),
  side,
  role,
  fee: fee === undefined ? undefined : toDecimal(fee),
  time,
});

/** Returns a function that converts a list only if it has changed. Each call returns a new copy. */
export function mapIfChanged<From, To>(convert: (one: From) => To): (list: readonly From[]) => readonly To[] {
  let last: readonly From[] = [];
  let converted: readonly To[] = [];
  return (list) => {
    if (list !== last) converted = list.map((one) => convert(one));
    last = list;
    return [...converted];
  };
}
