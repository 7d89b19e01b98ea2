// Hyperliquid's websocket: books, trades, and the fills and orders of an address. A client subscribes by messages; what it gets first may be old.
import { z } from 'zod';
import { type Json, RefusedRequest } from '../../../base/server/reply.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import { address } from '../../../venues/wire/hyperliquid/terms.ts';
import type { StreamHub } from '../hosted/streams/hub.ts';
import { whenChanged } from '../when-changed.ts';
import { fillReplies, findOrder, historyReply, newFills, openOrders } from './account-info.ts';
import { type HyperliquidContext, marketOfCoin } from './context.ts';
import { bookReply, type NewRows, newTrades, tradesReply } from './market-info.ts';

const subscription = z.discriminatedUnion('type', [
  z.object({ type: z.enum(['l2Book', 'trades']), coin: z.string() }),
  z.object({ type: z.enum(['userFills', 'orderUpdates']), user: address }),
]);
type Subscription = z.output<typeof subscription>;
const message = z.discriminatedUnion('method', [
  z.object({ method: z.literal('ping') }),
  z.object({ method: z.enum(['subscribe', 'unsubscribe']), subscription }),
]);

/** What a subscription sends: `first` once, then `news` after each change. Undefined: nothing. */
interface Source {
  readonly first: Json | undefined;
  news(): Json | undefined;
}

/** Serves the path `/ws`. `catchUp` advances the exchange to the present. */
export function hyperliquidSocket(context: HyperliquidContext, catchUp: () => void): StreamHub {
  const sockets = new Set<() => void>();
  const sendChanges = whenChanged(context.exchange, () => {
    for (const sendNews of sockets) sendNews();
  });
  return {
    sendChanges,
    open: (path) => {
      if (path !== '/ws') throw new RefusedRequest(404, `no websocket at ${path}`);
      return (send, receive) => {
        const sources = new Map<string, Source & { readonly channel: string }>();
        const say = (channel: string, data: Json): void => send(JSON.stringify({ channel, data }));
        const sendNews = (): void => {
          for (const source of sources.values()) {
            const news = source.news();
            if (news !== undefined) say(source.channel, news);
          }
        };
        sockets.add(sendNews);
        receive?.((text) => {
          catchUp();
          sendChanges(); // earlier changes are no news of what is subscribed now
          const asked = message.safeParse(parsed(text)).data;
          const source = asked?.method === 'subscribe' ? sourceOf(context, asked.subscription) : undefined;
          if (asked === undefined || (asked.method === 'subscribe' && source === undefined)) return say('error', `Error parsing: ${text}`);
          if (asked.method === 'ping') return send(JSON.stringify({ channel: 'pong' }));
          const key = JSON.stringify(asked.subscription);
          say('subscriptionResponse', asked);
          if (source === undefined) sources.delete(key);
          else sources.set(key, { ...source, channel: asked.subscription.type });
          if (source?.first !== undefined) say(asked.subscription.type, source.first);
        });
        return () => void sockets.delete(sendNews);
      };
    },
  };
}

function parsed(text: string): unknown {
  try {
    return readJson(text, JSON_LIMITS.request);
  } catch {
    return undefined;
  }
}

/** Undefined for an unknown coin. */
function sourceOf(context: HyperliquidContext, wanted: Subscription): Source | undefined {
  if ('user' in wanted) return wanted.type === 'userFills' ? fillSource(context, wanted.user) : orderSource(context, wanted.user);
  const market = marketOfCoin(context, wanted.coin);
  if (market === undefined) return undefined;
  if (wanted.type === 'trades') {
    const newest = context.exchange.trades({ marketId: market.id, pageSize: 1 }).items[0]?.tradeId;
    return {
      first: tradesReply(context, market),
      news: rowsAfter(Number(newest ?? 0), (after) => newTrades(context, market, after)),
    };
  }
  const book = (): { readonly levels: Json } & { readonly [name: string]: Json } => bookReply(context, market);
  const first = book();
  let sent = JSON.stringify(first.levels);
  return {
    first,
    news() {
      const now = book();
      const text = JSON.stringify(now.levels);
      if (text === sent) return undefined;
      sent = text;
      return now;
    },
  };
}

function fillSource(context: HyperliquidContext, address: string): Source {
  const newRows = rowsAfter(newFills(context, address, 0).newest ?? 0, (after) => newFills(context, address, after));
  return {
    first: { isSnapshot: true, user: address, fills: fillReplies(context, address) },
    news() {
      const fills = newRows();
      return fills && { user: address, fills };
    },
  };
}

/** Returns a function that reads the rows after the newest one that it has read; undefined if there are none. */
function rowsAfter(last: number, read: (after: number) => NewRows): () => readonly Json[] | undefined {
  let after = last;
  return () => {
    const { rows, newest = after } = read(after);
    after = newest;
    return rows.length === 0 ? undefined : rows;
  };
}

/** An order is news when it rests, when a part of it is filled, and when it has ended. */
function orderSource(context: HyperliquidContext, address: string): Source {
  const sizes = (): Map<string, number> => new Map(openOrders(context, address).map(({ orderId, filled }) => [orderId, filled]));
  let before = sizes();
  return {
    first: undefined,
    news() {
      const now = sizes();
      const changed = [...new Set([...before.keys(), ...now.keys()])].filter((oid) => before.get(oid) !== now.get(oid));
      before = now;
      const rows = changed.flatMap((oid) => {
        const order = findOrder(context, address, Number(oid));
        return order === undefined ? [] : [historyReply(context, order)];
      });
      return rows.length === 0 ? undefined : rows;
    },
  };
}
