// Collects the data of the live view (`ViewModel`) from the watch of the run and the latest lines.
import { MINUTE, type Millis } from '../../base/clock.ts';
import { timeText } from '../../base/text/duration.ts';
import { SIDES } from '../../bot/domain/book.ts';
import { lots, ticks } from '../../bot/domain/numbers.ts';
import type { Order } from '../../bot/domain/order.ts';
import type { Finding } from '../../bot/domain/turn.ts';
import type { Seen } from '../../bot/world/seen.ts';
import { type StatusExtras, statusOf } from '../monitoring/page/status.ts';
import { bookOf, orderOf } from '../monitoring/page/views.ts';
import type { RunWatch, WatchedMarket } from '../monitoring/watch.ts';
import type { MarketViewModel, StreamAge, ViewModel } from './view-model.ts';

export type LatestLines = Pick<ViewModel, 'alarms' | 'fills' | 'changes' | 'logs'>;

interface ViewModelOptions {
  readonly title: ViewModel['title'];
  readonly link?: ViewModel['link'];
  readonly now: Millis;
  readonly extras: StatusExtras;
  /** The findings of guards and gates that hold now. */
  readonly findings: readonly Finding[];
  readonly latest: LatestLines;
}

export function viewModelOf(watch: RunWatch, { title, link, now, extras, findings, latest }: ViewModelOptions): ViewModel {
  const { startedAt, live } = watch.facts;
  return {
    title,
    live,
    link,
    now,
    elapsedMs: now - startedAt,
    status: statusOf(watch, extras),
    markets: [...watch.markets.values()].map((market) => marketViewModel(market, watch, now)),
    profits: watch.equity.points.map(({ pnl }) => pnl),
    ages: agesOf(watch, now),
    held: heldOf(findings, watch, now),
    ...latest,
  };
}

function marketViewModel(watched: WatchedMarket, { orders }: RunWatch, now: Millis): MarketViewModel {
  const { market, candles } = watched;
  const secondCandles = candles.secondCandles;
  const traded = secondCandles.reduce((sum, { start, volume }) => (start > now - MINUTE ? sum + volume : sum), 0);
  const ours = orders.of(market.id);
  return {
    symbol: market.symbol,
    book: bookOf(watched, orders),
    top: topOf(watched),
    orders: SIDES.flatMap((side) => nearestFirst(ours.filter((order) => order.side === side))).map((order) =>
      orderOf(order, market, orders.queues.ahead(order.clientOrderId)),
    ),
    prices: secondCandles.map(({ close }) => close),
    traded: market.sizeText(lots(traded)),
  };
}

/** Returns mid price and spread of the best prices; undefined while a side of the book is empty. */
function topOf({ market, book }: WatchedMarket): MarketViewModel['top'] {
  const [bid, ask] = [book?.value.bids[0], book?.value.asks[0]];
  if (bid === undefined || ask === undefined) return undefined;
  const [mid, spread] = [(market.price(bid.price) + market.price(ask.price)) / 2, ticks(ask.price - bid.price)];
  return { mid: mid.toFixed(market.spec.priceDecimals + 1), spread: market.priceText(spread), bps: (market.price(spread) / mid) * 10_000 };
}

const nearestFirst = (orders: readonly Order[]): Order[] =>
  orders.toSorted((a, b) => (a.side === 'bid' ? b.price - a.price : a.price - b.price));

/** Returns the findings with their current reasons, and since when each holds. */
function heldOf(findings: readonly Finding[], watch: RunWatch, now: Millis): ViewModel['held'] {
  return findings.map(({ market, ...finding }) => ({
    ...finding,
    market: market === undefined ? undefined : watch.markets.get(market)?.market.symbol,
    since: timeText(watch.heldSince({ market, ...finding }) ?? now),
  }));
}

/** Returns the age of each kind of data; for data per market, the largest age. */
function agesOf({ markets, account }: RunWatch, now: Millis): StreamAge[] {
  const ageOf = (answer: Seen<unknown> | undefined): Millis | undefined =>
    answer === undefined ? undefined : Math.max(0, now - answer.asked);
  const watched = [...markets.values()];
  return [
    { stream: 'book', ageMs: oldest(watched.map(({ book }) => ageOf(book))) },
    { stream: 'info', ageMs: oldest(watched.map(({ info }) => ageOf(info))) },
    { stream: 'account', ageMs: ageOf(account) },
  ];
}

/** Returns the largest age; undefined if one is undefined. */
function oldest(ages: readonly (Millis | undefined)[]): Millis | undefined {
  const known = ages.filter((age) => age !== undefined);
  return known.length < ages.length ? undefined : Math.max(...known);
}
