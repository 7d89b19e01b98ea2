// The websocket of Hyperliquid: books, trades and our fills, earlier than the polls, which go on.
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import type { Dial } from '../../base/transport/transport.ts';
import { readAs } from '../../base/wire/shapes.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { PushMessage, PushSource } from '../../bot/exchange/kit/streams/push.ts';
import * as shapes from './shapes.ts';
import { bookOf, coinOf, fillOf, marketOfCoin, tradeOf } from './snapshots.ts';

export const SOCKET_PATH = '/ws';
/** How our orders end, and begin, by our own actions and by fills, which come as such. */
const EXPECTED: ReadonlySet<string> = new Set(['open', 'filled', 'canceled', 'triggered']);

export function pushOf(markets: readonly Market[], { dial, user }: { dial: Dial; user: string }) {
  let pings = 0;
  const subscriptions = [
    ...markets.flatMap((market) => ['l2Book', 'trades'].map((type) => ({ type, coin: coinOf(market) }))),
    ...['userFills', 'orderUpdates'].map((type) => ({ type, user })),
  ];
  return {
    dial,
    hello: () => subscriptions.map((subscription) => JSON.stringify({ method: 'subscribe', subscription })),
    /** The exchange numbers no pings, and one is on its way at a time. */
    ping(number: number) {
      pings = number;
      return JSON.stringify({ method: 'ping' });
    },
    read(text: string): PushMessage | undefined {
      if (!text.startsWith('{')) return undefined; // it greets in words
      const { channel, data } = readAs(shapes.pushed, readJson(text, JSON_LIMITS.frame), 'a message');
      if (channel === 'pong') return { kind: 'pong', number: pings };
      if (channel === 'l2Book') return bookIn(markets, data);
      if (channel === 'trades') return tradesIn(markets, data);
      if (channel === 'userFills') return fillsIn(markets, data);
      if (channel !== 'orderUpdates') return undefined;
      const updates = readAs(shapes.orderUpdates, data, 'the orders');
      return updates.every(({ status }) => EXPECTED.has(status)) ? undefined : { kind: 'changed' };
    },
  } satisfies PushSource;
}

function bookIn(markets: readonly Market[], data: unknown): PushMessage | undefined {
  const book = readAs(shapes.book, data, 'a book');
  const market = marketOfCoin(markets, book.coin);
  return market === undefined ? undefined : { kind: 'book', book: bookOf(market, book) };
}

/** Older trades, which come first after each subscription, are known by their ids. */
function tradesIn(markets: readonly Market[], data: unknown): PushMessage | undefined {
  const rows = readAs(shapes.trades, data, 'the trades');
  const market = marketOfCoin(markets, rows[0]?.coin ?? '');
  if (market === undefined) return undefined;
  const trades = rows.map((row) => tradeOf(market, row)).sort((one, other) => one.time - other.time);
  return { kind: 'trades', market: market.id, trades };
}

/** The fills that a subscription begins with are no news: the polls list them. Several at once are read by a poll. */
function fillsIn(markets: readonly Market[], data: unknown): PushMessage | undefined {
  const { isSnapshot, fills } = readAs(shapes.pushedFills, data, 'our fills');
  if (isSnapshot === true) return undefined;
  const [row, ...more] = fills.filter(({ coin }) => marketOfCoin(markets, coin) !== undefined);
  const market = row && marketOfCoin(markets, row.coin);
  if (row === undefined || market === undefined) return undefined;
  return more.length > 0 ? { kind: 'changed' } : { kind: 'fill', fill: fillOf(market, row) };
}
