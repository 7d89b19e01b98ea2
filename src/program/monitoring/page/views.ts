// Converts the parts of a run's state to the page's format: books with our orders, orders, findings, candles.
import type { Level, Side } from '../../../bot/domain/book.ts';
import type { Market } from '../../../bot/domain/market.ts';
import { type Lots, lots, ticks } from '../../../bot/domain/numbers.ts';
import type { Order } from '../../../bot/domain/order.ts';
import type { MidCandle } from '../chart-candles.ts';
import type { MonitoredOrders } from '../orders.ts';
import type { HeldFinding, RunWatch, WatchedMarket } from '../watch.ts';
import type { PageBook, PageHeld, PageOrder, PageState } from './contract.ts';

/** Number of levels on each side of a book. */
const DEPTH = 25;

/** Returns a book with our orders; undefined before the first book. */
export function bookOf({ market, book }: WatchedMarket, orders: MonitoredOrders): PageBook | undefined {
  if (book === undefined) return undefined;
  const ours = orders.of(market.id);
  const side = (name: Side, levels: readonly Level[]): PageBook['bids'] =>
    levels.slice(0, DEPTH).map((level) => levelOf(level, { market, orders: ours.filter((order) => order.side === name), all: orders }));
  return { market: market.symbol, asked: book.asked, bids: side('bid', book.value.bids), asks: side('ask', book.value.asks) };
}

/** Returns a level. If we have orders there: also our size, and, if it is known, the size ahead of the first of our orders. */
function levelOf(
  { price, size }: Level,
  { market, orders, all }: { readonly market: Market; readonly orders: readonly Order[]; readonly all: MonitoredOrders },
): PageBook['bids'][number] {
  const ownOrders = orders.filter((order) => order.price === price);
  const level: [string, string] = [market.priceText(price), market.sizeText(size)];
  if (ownOrders.length === 0) return level;
  const ownSize = ownOrders.reduce((sum, { remaining }) => sum + remaining, 0);
  const ahead = ownOrders.flatMap(({ clientOrderId }) => all.queues.ahead(clientOrderId) ?? []);
  return [...level, market.sizeText(lots(ownSize)), ...(ahead.length === 0 ? [] : [market.sizeText(lots(Math.min(...ahead)))])];
}

export function orderOf(order: Order, market: Market, ahead: Lots | undefined): PageOrder {
  const { clientOrderId, orderId, side, price, remaining, status, sentAt } = order;
  return {
    clientOrderId,
    orderId,
    market: market.symbol,
    side,
    price: market.priceText(price),
    remaining: market.sizeText(remaining),
    status,
    sentAt,
    ahead: ahead === undefined ? undefined : market.sizeText(ahead),
  };
}

export function heldOf({ guard, market, side, verdict, reason, since }: HeldFinding, watch: RunWatch): PageHeld {
  const symbol = market === undefined ? undefined : watch.markets.get(market)?.market.symbol;
  // The page shows `close` and `hold` alike.
  return { guard, market: symbol, side, verdict: verdict === 'close' ? 'hold' : verdict, since, text: reason };
}

export function candlesOf({ market, candles }: WatchedMarket): PageState['candles'][string] {
  const decimals = market.spec.priceDecimals + 1; // mid prices may be half ticks
  const price = (halfTicks: number): string => (market.price(ticks(1)) * (halfTicks / 2)).toFixed(decimals);
  const row = ({ start, open, high, low, close, volume }: MidCandle): PageState['candles'][string]['seconds'][number] => [
    start,
    price(open),
    price(high),
    price(low),
    price(close),
    market.sizeText(lots(volume)),
  ];
  return { seconds: candles.secondCandles.map(row), minutes: candles.minuteCandles.map(row) };
}
