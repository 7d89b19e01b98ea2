// One market as an author sees it in one turn: decimals, and the two ways of wanting something in it.
import type { Millis } from '../base/clock.ts';
import { type Book, best, bookFault, type Level } from '../domain/book.ts';
import type { Candle } from '../domain/candle.ts';
import type { Quote, Target } from '../domain/intent.ts';
import type { Market } from '../domain/market.ts';
import { type Lots, lots, type Micros, type Ticks, ticks, toDecimal } from '../domain/numbers.ts';
import type { Fill, Order, OrderStatus, Trade } from '../domain/order.ts';
import type { Side } from '../domain/side.ts';
import type { World } from '../world/world.ts';
import { type PriceLevel, type QuoteWish, quoteOf, type TargetWish, targetOf } from './wants.ts';

/** Prices in quote money, sizes in base units, times in milliseconds since the epoch. What is not known is undefined. */
export interface MarketView {
  readonly symbol: string;
  /** The steps of prices and sizes. */
  readonly tick: number;
  readonly lot: number;
  readonly bestBid: number | undefined;
  readonly bestAsk: number | undefined;
  /** Between the best two; undefined while the book has not been seen, has an empty side or is crossed, or a gate holds the market. */
  readonly mid: number | undefined;
  /** Best first. Our own resting orders are in it. */
  readonly depth: { readonly bids: readonly PriceLevel[]; readonly asks: readonly PriceLevel[] };
  /** Since the last turn, oldest first, whoever made them. */
  readonly trades: readonly TradeView[];
  /** Finished minutes of the mark price, oldest first, of the last four hours at most: the exchange's own, or of what was polled. */
  readonly candles: readonly CandleView[];
  readonly mark: number | undefined;
  readonly index: number | undefined;
  /** A fraction an hour, and when it is next charged. */
  readonly funding: { readonly rate: number; readonly at: Millis | undefined } | undefined;
  readonly frozen: boolean;
  /** Ours that are, or may be, at the exchange. */
  readonly orders: readonly OrderView[];
  /** Ours since the last turn, oldest first. */
  readonly fills: readonly FillView[];
  /** Signed, as the newest account has it: a fill told since then is not yet in it. */
  readonly position: number;
  /** Average price of the position; undefined when flat. */
  readonly entry: number | undefined;
  /** Of the open position, in quote money. */
  readonly pnl: { readonly trading: number; readonly funding: number };
  /** These orders resting. */
  readonly quote: (wish: QuoteWish) => Quote;
  /** This position held. */
  readonly target: (wish: TargetWish) => Target;
}

export interface TradeView extends PriceLevel {
  readonly takerSide: Side;
  readonly time: Millis;
}

export interface CandleView {
  readonly start: Millis;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

export interface OrderView extends PriceLevel {
  readonly id: string;
  readonly side: Side;
  /** What can still be filled of `size`. */
  readonly remaining: number;
  readonly status: OrderStatus;
}

export interface FillView extends PriceLevel {
  readonly side: Side;
  readonly role: 'maker' | 'taker';
  /** In quote money, positive when charged; undefined where the exchange did not say. */
  readonly fee: number | undefined;
  readonly time: Millis;
}

/**
 * Takes hold of this turn's values at once and converts the lists only when they are asked for. While a market is not open its prices are not
 * shown: an absurd book must not find its way into an average.
 */
export function marketViewOf(market: Market, world: World, { open }: { open: boolean }): MarketView {
  const book = open ? world.book(market.id)?.value : undefined;
  const known = world.info(market.id)?.value;
  const info = open ? known : undefined;
  const position = world.account?.value.positions.find((held) => held.market === market.id);
  const held = position?.size ?? lots(0);
  const [orders, fills, trades] = [world.orders(market.id), world.fills(market.id), world.trades(market.id)];
  const price = (at: Ticks | undefined): number | undefined => (at === undefined ? undefined : market.price(at));
  return {
    symbol: market.symbol,
    tick: market.price(ticks(1)),
    lot: market.size(lots(1)),
    ...topOf(book, market),
    mark: price(info?.mark),
    index: price(info?.index),
    funding: info?.fundingRate === undefined ? undefined : { rate: info.fundingRate, at: info.nextFunding },
    frozen: known?.frozen === true,
    position: market.size(held),
    entry: position?.entry,
    pnl: { trading: money(position?.tradingPnl), funding: money(position?.fundingPaymentPnl) },
    get depth() {
      return { bids: levelsOf(book?.bids, market), asks: levelsOf(book?.asks, market) };
    },
    get trades() {
      return trades.map((trade) => tradeView(trade, market));
    },
    get candles() {
      return open ? world.candles.of(market.id).map((candle) => candleView(candle, market)) : [];
    },
    get orders() {
      return orders.map((order) => orderView(order, market));
    },
    get fills() {
      return fills.map((fill) => fillView(fill, market));
    },
    quote: (wish) => quoteOf(wish, market),
    target: (wish) => targetOf(wish, { market, held, book }),
  };
}

function topOf(book: Book | undefined, market: Market): Pick<MarketView, 'bestBid' | 'bestAsk' | 'mid'> {
  const [bid, ask] = book === undefined ? [] : [best(book, 'bid'), best(book, 'ask')];
  const bestBid = bid === undefined ? undefined : market.price(bid.price);
  const bestAsk = ask === undefined ? undefined : market.price(ask.price);
  const sound = book !== undefined && bookFault(book) === undefined;
  return { bestBid, bestAsk, mid: sound && bestBid !== undefined && bestAsk !== undefined ? (bestBid + bestAsk) / 2 : undefined };
}

const levelsOf = (levels: readonly Level[] = [], market: Market): readonly PriceLevel[] => levels.map((level) => decimals(level, market));

const tradeView = (trade: Trade, market: Market): TradeView => ({
  ...decimals(trade, market),
  takerSide: trade.takerSide,
  time: trade.time,
});

const candleView = ({ start, open, high, low, close }: Candle, market: Market): CandleView => ({
  start,
  open: market.price(open),
  high: market.price(high),
  low: market.price(low),
  close: market.price(close),
});

const orderView = (order: Order, market: Market): OrderView => ({
  ...decimals(order, market),
  id: order.clientOrderId,
  side: order.side,
  remaining: market.size(order.remaining),
  status: order.status,
});

const fillView = (fill: Fill, market: Market): FillView => ({
  ...decimals(fill, market),
  side: fill.side,
  role: fill.role,
  fee: fill.fee === undefined ? undefined : toDecimal(fill.fee),
  time: fill.time,
});

const decimals = ({ price, size }: { price: Ticks; size: Lots }, market: Market): PriceLevel => ({
  price: market.price(price),
  size: market.size(size),
});

/** The profit of a position that is not held is nothing. */
const money = (value: Micros | undefined): number => (value === undefined ? 0 : toDecimal(value));
