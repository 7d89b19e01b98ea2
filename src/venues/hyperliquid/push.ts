// The websocket of Hyperliquid: books, trades and our fills, earlier than the polls, which go on.
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';
import type { Dial } from '../../base/transport/transport.ts';
import { readAs } from '../../base/wire/shapes.ts';
import type { Market } from '../../bot/domain/market.ts';
import type { PushMessage, PushSource } from '../shared/push.ts';
import * as shapes from './shapes.ts';
import { bookOf, coinOf, fillOf, inMarkets, tradeOf } from './snapshots.ts';

export const SOCKET_PATH = '/ws';
/** The statuses that follow from our own actions and from fills, which are reported otherwise. Any other one leads to a read of the account. */
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
      return Object.hasOwn(READERS, channel) ? READERS[channel]?.(markets, data) : undefined;
    },
  } satisfies PushSource;
}

/** By channel: what a message means; undefined for one that is not needed, such as that of a market that is not traded. */
const READERS: Readonly<Record<string, (markets: readonly Market[], data: unknown) => PushMessage | undefined>> = {
  l2Book(markets, data) {
    const [book] = inMarkets(markets, [readAs(shapes.book, data, 'a book')], bookOf);
    return book && { kind: 'book', book };
  },
  /** Older trades, which come first after each subscription, are known by their ids. */
  trades(markets, data) {
    const trades = inMarkets(markets, readAs(shapes.trades, data, 'the trades'), tradeOf).toSorted((one, other) => one.time - other.time);
    return trades[0] && { kind: 'trades', market: trades[0].market, trades };
  },
  /** The fills that a subscription begins with are no news: the polls list them. Several at once are read by a poll. */
  userFills(markets, data) {
    const { isSnapshot, fills } = readAs(shapes.pushedFills, data, 'our fills');
    const [fill, ...more] = isSnapshot === true ? [] : inMarkets(markets, fills, fillOf);
    return more.length > 0 ? { kind: 'changed' } : fill && { kind: 'fill', fill };
  },
  orderUpdates(_, data) {
    const updates = readAs(shapes.orderUpdates, data, 'the orders');
    return updates.every(({ status }) => EXPECTED.has(status)) ? undefined : { kind: 'changed' };
  },
};
