// The HTTP API and the websocket messages of the third exchange.
import { createHmac } from 'node:crypto';
import type { HttpReply, HttpRequest } from 'tickwright/venue-testing';
import { type FillRow, type Instrument, type Kind, keyOf, type Order, type Side, type ThirdExchange } from './exchange.ts';

const PAGE = 20;
/** Number of older trades that a new subscriber gets. */
const OLDER_TRADES = 10;
const price = (ticks: number): string => (ticks * 0.25).toFixed(2);
const size = (lots: number): string => (lots * 0.001).toFixed(3);
/** Lots in tokens, with all decimals of a balance. */
const tokens = (lots: number): string => (lots * 0.001).toFixed(8);
const money = (dollars: number): string => dollars.toFixed(6);
const steps = (text: unknown, step: number): number => Math.round(Number(text) / step);

const reply = (status: number, value: unknown): HttpReply => ({
  status,
  contentType: 'application/json',
  body: new TextEncoder().encode(JSON.stringify(value)),
});
const ok = (value: unknown): HttpReply => reply(200, value);

/** Returns the request handler. Headers name the account and sign the request; public endpoints need neither. */
export function apiOf(exchange: ThirdExchange): (request: HttpRequest) => HttpReply {
  return (request) => {
    const url = new URL(request.path, 'http://third');
    const route = routes.find(([method, path]) => method === request.method && path.test(url.pathname));
    if (route === undefined) return reply(404, { error: 'NO_SUCH_PATH' });
    const [, path, answer] = route;
    const account = String(request.headers?.['x-key'] ?? '');
    if (!PUBLIC.test(url.pathname) && !isSigned(request, account)) return reply(401, { error: 'BAD_SIGNATURE' });
    const cursor = url.searchParams.get('before') || undefined;
    return answer(exchange, { account, cursor, pathId: path.exec(url.pathname)?.[1] ?? '', body: bodyOf(request) });
  };
}

const PUBLIC = /^\/v1\/(instruments|info|trades)/;

const signature = (account: string, text: Uint8Array): string => createHmac('sha256', keyOf(account).secret).update(text).digest('hex');

const isSigned = ({ method, path, body = new Uint8Array(), headers }: HttpRequest, account: string): boolean =>
  headers?.['x-signature'] === signature(account, Buffer.concat([Buffer.from(`${method} ${path} `), body]));

interface ApiRequest {
  readonly account: string;
  readonly cursor: string | undefined;
  readonly pathId: string;
  readonly body: Readonly<Record<string, unknown>>;
}

type Answer = (exchange: ThirdExchange, asked: ApiRequest) => HttpReply;

const bodyOf = ({ body }: HttpRequest): ApiRequest['body'] =>
  body === undefined || body.length === 0 ? {} : (JSON.parse(new TextDecoder().decode(body)) as ApiRequest['body']);

const routes: readonly (readonly [HttpRequest['method'], RegExp, Answer])[] = [
  ['GET', /^\/v1\/instruments$/, ({ instrument }) => ok([instrument])],
  ['POST', /^\/v1\/info$/, (exchange, { body }) => (body['ask'] === 'book' ? ok(bookOf(exchange)) : ok([tickerOf(exchange)]))],
  [
    'GET',
    /^\/v1\/trades\/([\w-]+)$/,
    (exchange, { cursor }) =>
      ok({ before: cursor ?? '', trades: page(exchange.fills.filter(isTaker), cursor).map((row) => tradeOf(row, exchange.instrument)) }),
  ],
  [
    'GET',
    /^\/v1\/fills$/,
    (exchange, { account, cursor }) =>
      ok({
        before: cursor ?? '',
        fills: page(
          exchange.fills.filter(({ account: of }) => of === account),
          cursor,
        ).map((row) => fillOf(row, exchange.instrument)),
      }),
  ],
  ['GET', /^\/v1\/account$/, (exchange, { account }) => ok(accountOf(exchange, account))],
  ['POST', /^\/v1\/orders$/, place],
  [
    'POST',
    /^\/v1\/orders\/settle$/,
    (exchange, { account, body }) =>
      ok({ clientId: body['clientId'], state: exchange.wasAccepted(account, String(body['clientId'])) ? 'accepted' : 'never' }),
  ],
  [
    'DELETE',
    /^\/v1\/orders\/([\w-]+)$/,
    (exchange, { account, pathId }) =>
      exchange.cancel(pathId, account) ? ok({ cancelled: pathId }) : reply(404, { error: 'NO_SUCH_ORDER' }),
  ],
];

/** Largest difference between the `sent` time of an order and the exchange's clock. */
const LIFE_MS = 10_000;

function place(exchange: ThirdExchange, { account, body }: ApiRequest): HttpReply {
  if (!(Math.abs(exchange.now - Date.parse(String(body['sent']))) <= LIFE_MS)) return reply(400, { error: 'TOO_OLD' });
  if (!(exchange.now <= Date.parse(String(body['until'])))) return reply(400, { error: 'TOO_OLD' });
  const placeRequest = {
    account,
    clientId: String(body['clientId']),
    side: body['side'] as Side,
    price: steps(body['price'], 0.25),
    size: steps(body['size'], 0.001),
    kind: body['kind'] as Kind,
    reduceOnly: body['reduceOnly'] === true,
  };
  const placed = exchange.place(placeRequest);
  if ('refused' in placed) return reply(400, { error: placed.refused });
  const { order, fills } = placed;
  const rests = exchange.orders.includes(order);
  return ok({
    id: order.id,
    clientId: order.clientId,
    resting: size(rests ? order.left : 0),
    fills: fills.map((row) => fillOf(row, exchange.instrument)),
  });
}

const isTaker = ({ role }: FillRow): boolean => role === 'taker';

/** Returns a page, newest first, that starts after the row with the id `cursor`. */
function page(rows: readonly FillRow[], cursor: string | undefined): readonly FillRow[] {
  const newest = rows.toReversed();
  const from = cursor === undefined ? 0 : newest.findIndex(({ id }) => id === cursor) + 1;
  return newest.slice(from, from + PAGE);
}

const tradeOf = (row: FillRow, { name }: Instrument) => ({
  id: row.id,
  instrument: name,
  side: row.side,
  price: price(row.price),
  size: size(row.size),
  at: new Date(row.at).toISOString(),
});

const fillOf = (row: FillRow, instrument: Instrument) => ({
  ...tradeOf(row, instrument),
  orderId: row.orderId,
  role: row.role,
  fee: row.baseFee === undefined ? money(row.fee) : tokens(row.baseFee),
  feeAsset: row.baseFee === undefined ? instrument.quote : instrument.base,
});

const tickerOf = ({ mark, frozen, instrument }: ThirdExchange) => ({
  instrument: instrument.name,
  mark: price(mark),
  index: price(mark),
  state: frozen ? 'frozen' : 'trading',
});

function bookOf({ orders, sequence, instrument }: ThirdExchange) {
  const side = (wanted: Side): string[][] => {
    const totals = new Map<number, number>();
    for (const { side: of, price: at, left } of orders) if (of === wanted) totals.set(at, (totals.get(at) ?? 0) + left);
    const sign = wanted === 'buy' ? -1 : 1;
    return [...totals].sort(([a], [b]) => sign * (a - b)).map(([at, total]) => [price(at), size(total)]);
  };
  return { instrument: instrument.name, sequence, bids: side('buy'), asks: side('sell') };
}

function accountOf(exchange: ThirdExchange, name: string) {
  const { cash, position, cost, pnl, equity, initial, maintenance, orders } = exchange.account(name);
  const { name: market, kind, base, quote } = exchange.instrument;
  const held = {
    instrument: market,
    size: size(position),
    entry: position === 0 ? null : String((cost / position) * 0.25),
    pnl: money(pnl),
  };
  return {
    id: `account-of-${name}`,
    equity: money(equity),
    initialMargin: money(initial),
    maintenanceMargin: money(maintenance),
    balances: [{ asset: quote, amount: money(cash) }, ...(kind === 'spot' ? [{ asset: base, amount: tokens(position) }] : [])],
    positions: position === 0 || kind === 'spot' ? [] : [held],
    orders: orders.map((order) => orderOf(order, market)),
  };
}

const orderOf = (order: Order, instrument: string) => ({
  id: order.id,
  clientId: order.clientId,
  instrument,
  side: order.side,
  price: price(order.price),
  size: size(order.size),
  left: size(order.left),
});

/** The server side of the websocket: pushes books and fills to subscribers. */
export class PushHub {
  readonly #exchange: ThirdExchange;
  readonly #listeners = new Map<(text: string) => void, string>();

  constructor(exchange: ThirdExchange) {
    this.#exchange = exchange;
    exchange.onChange = (fills) => this.#changed(fills);
  }

  /** Adds a socket. Returns the functions to call for each message and when the socket has closed. */
  subscribe(send: (text: string) => void): { onMessage: (text: string) => void; onClose: () => void } {
    return {
      onMessage: (text) => {
        const message = JSON.parse(text) as { type: string; number?: number; key?: string; signature?: string };
        if (message.type === 'ping') send(JSON.stringify({ type: 'pong', number: message.number }));
        if (message.type === 'subscribe' && message.key !== undefined) {
          if (message.signature !== signature(message.key, Buffer.from('subscribe'))) return;
          this.#listeners.set(send, message.key);
          const older = this.#exchange.fills.filter(isTaker).slice(-OLDER_TRADES);
          send(JSON.stringify({ type: 'trades', trades: older.map((row) => tradeOf(row, this.#exchange.instrument)) }));
        }
      },
      onClose: () => void this.#listeners.delete(send),
    };
  }

  #changed(fills: readonly FillRow[]): void {
    if (this.#listeners.size === 0) return;
    const book = JSON.stringify({ type: 'book', book: bookOf(this.#exchange) });
    const ticker = JSON.stringify({ type: 'ticker', ticker: tickerOf(this.#exchange) });
    const { instrument } = this.#exchange;
    const trades = fills.filter(isTaker).map((row) => tradeOf(row, instrument));
    for (const [send, account] of this.#listeners) {
      send(book);
      send(ticker);
      if (trades.length > 0) send(JSON.stringify({ type: 'trades', trades }));
      if (fills.some((row) => row.account === account)) send(JSON.stringify({ type: 'accountChanged' }));
      for (const row of fills) if (row.account === account) send(JSON.stringify({ type: 'fill', fill: fillOf(row, instrument) }));
    }
  }
}
