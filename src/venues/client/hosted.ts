// Every endpoint of the hosted exchange as a call: JSON by `base/transport/json-request.ts`, lists with a page cursor, and actions, whose receipts are
// returned as undecoded bytes. An adapter calls it, and `tickwright/client` publishes it.
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { Millis } from '../../base/clock.ts';
import { assert } from '../../base/errors.ts';
import { timeText } from '../../base/text/duration.ts';
import { ClientError, replyTo } from '../../base/transport/client-error.ts';
import { type JsonRequest, jsonOver, statusError } from '../../base/transport/json-request.ts';
import type { HttpReply, HttpRequest, Transport } from '../../base/transport/transport.ts';
import { unframe, WireError } from '../../base/wire/framing.ts';
import type { Side } from '../../bot/domain/book.ts';
import type { AccountId, MarketId, OrderId } from '../../bot/domain/ids.ts';
import { cursorPages } from '../shared/cursor-pages.ts';
import * as wire from '../wire/json/hosted.ts';

/** How long each kind of request may take, from its start to the last byte of its answer. */
export interface HostedTimeouts {
  /** Every GET; 3 s by default. */
  readonly readMs: Millis;
  /** An order or a cancel; 5 s by default. */
  readonly actionMs: Millis;
  /** The creation of a session, which is slow for users who have many; 60 s by default. */
  readonly sessionMs: Millis;
}

export interface TradesQuery {
  readonly marketId?: MarketId | undefined;
  readonly makerId?: AccountId | undefined;
  readonly takerId?: AccountId | undefined;
  readonly takerSide?: Side | undefined;
  /** Exchange time, inclusive; the epoch by default. */
  readonly since?: Millis | undefined;
  /** Exchange time, exclusive. The last observed engine time, so that all pages read the same window. */
  readonly until: Millis;
  /** 1 to 50; 50 by default. */
  readonly pageSize?: number | undefined;
}

export interface Page<T> {
  readonly items: readonly T[];
  /** The cursor of the next page; undefined on the last page. */
  readonly nextStartInclusive?: string | undefined;
}

/** Each call makes one attempt per page and rejects with a ClientError; ids that exceed 2^53 are exact. */
export interface HostedClient {
  /** GET /timestamp: the engine's logical time; the API document does not name its unit. */
  timestamp(): Promise<number>;
  /** GET /info: markets and tokens, static. */
  info(): Promise<wire.Info>;
  /** GET /markets/live: index, mark, projected funding and open interest of every market. */
  marketsLive(): Promise<{ markets: wire.MarketLiveInfo[] }>;
  /** GET /market/{id}/orderbook: total size per level in decimals, best first. Rejects with `notFound` if there is no such market. */
  orderbook(market: MarketId): Promise<wire.Orderbook>;
  /** GET /market/{id}/stats: the last 24 hours in decimals. Rejects with `notFound` if there is no such market. */
  stats(market: MarketId): Promise<wire.HostedMarketStats>;
  /** GET /account/{id}: balances, positions, resting orders, margins. Rejects with `notFound` if there is no such account. */
  account(account: AccountId): Promise<wire.AccountReply>;
  /** GET /account/{id}/orders: its orders, finished ones included, page by page to the end. */
  accountOrders(account: AccountId, query?: { pageSize?: number; startInclusive?: OrderId }): AsyncIterable<Page<wire.OrderInfo>>;
  /** GET /order/{order_id}: an order, finished ones included. Rejects with `notFound` if there is none. */
  order(order: OrderId): Promise<wire.OrderInfo>;
  /** GET /user/{pubkey}: the accounts and sessions of a user key in Base58. Rejects with `notFound` if the key has no account. */
  user(pubkey: string): Promise<wire.User>;
  /** GET /fee/brackets/info: maker and taker fees per tier, in parts per million. */
  feeBrackets(): Promise<wire.HostedFeeBracket[]>;
  /** GET /account/{id}/fee/tier: its zero-based tier, 0 to 9. */
  feeTier(account: AccountId): Promise<number>;
  /** GET /market/{id}/fees/{role}/{account}: the fee of a fill, as a fraction of its value; older servers return a charge as a negative number. */
  feeRate(query: { market: MarketId; role: 'maker' | 'taker'; account: AccountId }): Promise<number>;
  /** GET /trades: newest first, page by page until the cursor is null or absent. A cursor that comes twice is a `shape` error. */
  trades(query: TradesQuery): AsyncIterable<Page<wire.ListedTrade>>;
  /** GET /accounts/liquidations/takes: backstop take-all events; prices and sizes are raw mantissas. */
  takes(): Promise<wire.TakeAllInfo[]>;
  /** GET /schema.proto: the source of the action schema. */
  schemaText(): Promise<string>;
  /**
   * POST /action: `body` is the framed action and its signature. Returns the receipt's bytes undecoded; a status other than 200 still returns its
   * body if that is one frame. An engine error is inside the receipt. Only `notSent` proves that nothing happened.
   */
  action(body: Uint8Array): Promise<Uint8Array>;
  /** POST /action, with the timeout that creating a session needs. */
  createSession(body: Uint8Array): Promise<Uint8Array>;
  /** Fails all pending requests and opens new connections. Called when a receipt turns out to be the answer to another action. */
  reset(reason: string): void;
  /**
   * Sends no later action on the connection of this receipt, because an older answer may be pending there. Called when a receipt has no fields to compare
   * with its action.
   */
  renew(receipt: Uint8Array): void;
}

/**
 * Returns the seconds of a `/timestamp` reading, whose unit the API document does not name: ten digits can only be seconds, thirteen only
 * milliseconds, and a truncated reading has another number of digits. Throws a ClientError `shape` for anything else.
 */
export function secondsOfReading(reading: number): number {
  if (reading >= 1e9 && reading < 1e10) return Math.floor(reading);
  if (reading >= 1e12 && reading < 1e13) return Math.floor(reading / 1_000);
  const message = `GET /timestamp says ${reading}, which is neither seconds nor milliseconds since 1970`;
  throw new ClientError({ kind: 'shape', status: 200, message });
}

const nextOf = ({ nextStartInclusive }: Page<unknown>): string | undefined => nextStartInclusive;

const DEFAULT_TIMEOUTS: HostedTimeouts = { readMs: 3_000, actionMs: 5_000, sessionMs: 60_000 };
const MAX_PAGE_SIZE = 50;
const SCHEMA_MAX_BYTES = 1024 * 1024;
const RECEIPT_MAX_BYTES = 128 * 1024;

/** The shapes that a run polls; each has fields that no other one has. */
const POLLED_SHAPES = [wire.account, wire.info, wire.marketsLive, wire.orderbook, wire.timestamp, wire.tradesPage];

export function hostedClient({
  transport,
  timeouts,
}: {
  transport: Transport;
  timeouts?: Partial<HostedTimeouts> | undefined;
}): HostedClient {
  const { readMs, actionMs, sessionMs } = { ...DEFAULT_TIMEOUTS, ...timeouts };
  const { json, text, action } = requestsOver(transport, readMs);
  const books = new NewestBooks();
  return {
    timestamp: () => json('/timestamp', wire.timestamp),
    info: () => json('/info', wire.info),
    marketsLive: () => json('/markets/live', wire.marketsLive),
    orderbook: (market) => json(`/market/${market}/orderbook`, wire.orderbook, (book) => books.keep(market, book)),
    stats: (market) => json(`/market/${market}/stats`, wire.marketStats),
    account: (account) => json(`/account/${account}`, wire.account),
    accountOrders: (account, query) =>
      cursorPages(
        `GET /account/${account}/orders`,
        (startInclusive = query?.startInclusive) =>
          json(`/account/${account}/orders${queryText({ pageSize: pageSizeOf(query), startInclusive })}`, wire.ordersPage),
        nextOf,
      ),
    order: (order) => json(`/order/${order}`, wire.orderInfo),
    user: (pubkey) => json(`/user/${encodeURIComponent(pubkey)}`, wire.user),
    feeBrackets: () => json('/fee/brackets/info', wire.feeBrackets),
    feeTier: (account) => json(`/account/${account}/fee/tier`, wire.feeTier),
    feeRate: ({ market, role, account }) => json(`/market/${market}/fees/${role}/${account}`, wire.feeRate),
    trades: (query) =>
      cursorPages(
        'GET /trades',
        (startInclusive) =>
          json(`/trades${queryText({ ...tradesParameters(query), startInclusive })}`, wire.tradesPage, (page) => otherRoleOf(query, page)),
        nextOf,
      ),
    takes: () => json('/accounts/liquidations/takes', wire.takeAllInfos),
    schemaText: () => text('/schema.proto'),
    action: (body) => action(body, actionMs),
    createSession: (body) => action(body, sessionMs),
    reset: (reason) => transport.reset?.(reason),
    renew: (receipt) => transport.renew?.(receipt),
  };
}

function tradesParameters({ since, until, pageSize, ...filters }: TradesQuery): Parameters {
  return {
    ...filters,
    since: since === undefined ? undefined : timeText(since),
    until: timeText(until),
    pageSize: pageSizeOf({ pageSize }),
  };
}

/**
 * Returns a text if the page answers the query for the account's other role (maker instead of taker, or the reverse): the account has the other role
 * in all trades, and lacks the queried role in some. (In a trade with itself it has both.) A server that ignores the filter is not detected here: it
 * would list trades of others.
 */
function otherRoleOf({ makerId, takerId }: TradesQuery, { items }: z.output<typeof wire.tradesPage>): string | undefined {
  const isAll = (side: 'makerId' | 'takerId', account: AccountId): boolean => items.every((trade) => trade[side] === account);
  if (makerId !== undefined && isAll('takerId', makerId) && !isAll('makerId', makerId)) return 'trades that the account took';
  if (takerId !== undefined && isAll('makerId', takerId) && !isAll('takerId', takerId)) return 'trades that the account made';
  return undefined;
}

function pageSizeOf({ pageSize = MAX_PAGE_SIZE }: { pageSize?: number | undefined } = {}): number {
  assert(pageSize >= 1 && pageSize <= MAX_PAGE_SIZE, `a page has 1 to ${MAX_PAGE_SIZE} items, not ${pageSize}`);
  return pageSize;
}

type Parameters = Readonly<Record<string, string | number | undefined>>;

function queryText(parameters: Parameters): string {
  const given = Object.entries(parameters).filter((parameter): parameter is [string, string | number] => parameter[1] !== undefined);
  return `?${given.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&')}`;
}

interface Requests {
  readonly json: <S extends z.ZodType>(path: string, shape: S, mismatchIn?: JsonRequest<S>['mismatchIn']) => Promise<z.output<S>>;
  readonly text: (path: string) => Promise<string>;
  readonly action: (body: Uint8Array, timeoutMs: Millis) => Promise<Uint8Array>;
}

function requestsOver(transport: Transport, readMs: Millis): Requests {
  const ask = jsonOver(transport, { reasonIn: () => undefined, distinct: POLLED_SHAPES });
  const send = async (
    request: HttpRequest,
    { isAnswer, ...limits }: { timeoutMs: Millis; maxBytes: number; isAnswer: (reply: HttpReply) => boolean },
  ): Promise<Uint8Array> => {
    const what = `${request.method} ${request.path}`;
    const reply = await replyTo(transport, request, { what, ...limits });
    if (!isAnswer(reply)) throw statusError(reply, { what });
    return reply.body;
  };
  return {
    json: (path, shape, mismatchIn) => ask({ method: 'GET', path, shape, timeoutMs: readMs, mismatchIn }),
    async text(path) {
      const limits = { timeoutMs: readMs, maxBytes: SCHEMA_MAX_BYTES };
      return new TextDecoder().decode(await send({ method: 'GET', path }, { ...limits, isAnswer: ({ status }) => status === 200 }));
    },
    // Some servers send a receipt with an error status; the receipt is the better evidence.
    action: (body, timeoutMs) =>
      send(
        { method: 'POST', path: '/action', body, contentType: 'application/octet-stream' },
        { timeoutMs, maxBytes: RECEIPT_MAX_BYTES, isAnswer: (reply) => reply.status === 200 || isFrame(reply.body) },
      ),
  };
}

/** Keeps the newest order book of each market. Books of two markets are never equal, because each has its own update id. */
class NewestBooks {
  readonly #books = new Map<MarketId, wire.Orderbook>();

  /** Keeps the book; returns a text instead if it is the newest one of another market. */
  keep(market: MarketId, book: wire.Orderbook): string | undefined {
    for (const [other, newest] of this.#books)
      if (other !== market && newest.updateId === book.updateId && isDeepStrictEqual(newest, book))
        return 'the order book of another market';
    this.#books.set(market, book);
    return undefined;
  }
}

function isFrame(body: Uint8Array): boolean {
  try {
    unframe(body, { maxLength: RECEIPT_MAX_BYTES, trailing: 'refused' });
    return true;
  } catch (error) {
    if (!(error instanceof WireError)) throw error;
    return false;
  }
}
