// The client of the third exchange: requests that are signed with a secret, and a socket that reports books and fills sooner.
import { createHmac } from 'node:crypto';
import type { z } from 'zod';
import type { Clock } from '../../../src/base/clock.ts';
import type { Dial, HttpRequest, Transport } from '../../../src/base/transport.ts';
import type { Market } from '../../../src/domain/market.ts';
import type { FillMode } from '../../../src/domain/order.ts';
import { ClientError } from '../../../src/exchange/kit/client-error.ts';
import { jsonOver, sensible } from '../../../src/exchange/kit/json-request.ts';
import type { PushSource } from '../../../src/exchange/kit/streams/push.ts';
import type { ClientRules, VenueClient } from '../../../src/exchange/kit/venue-client.ts';
import { readAs } from '../../../src/wire/json/shapes.ts';
import * as shapes from './shapes.ts';
import { accountOf, bookOf, fillOf, infosOf, listingOf, marketNamed, receiptOf, tradeOf } from './snapshots.ts';

/** The exchange takes nothing that was sent more than 10 s ago; as much again for clocks. */
export const RULES: ClientRules = { orderLife: 20, patienceMs: 3_000, listingLagMs: 1_000 };

const [READ_MS, LISTEN_MS] = [3_000, 15_000];

const KINDS: Readonly<Record<FillMode, string>> = {
  LIMIT: 'limit',
  POST_ONLY: 'postOnly',
  IMMEDIATE_OR_CANCEL: 'ioc',
  FILL_OR_KILL: 'fok',
};

export interface ThirdClientOptions {
  readonly transport: Transport;
  readonly clock: Clock;
  readonly dial?: Dial | undefined;
  readonly key: ThirdKey;
}

export interface ThirdKey {
  /** Names the account. */
  readonly name: string;
  readonly secret: string;
}

const signature = (secret: string, text: string | Uint8Array): string => createHmac('sha256', secret).update(text).digest('hex');

/** The exchange checks the signature of the method, the path and the bytes of the body. */
const signer =
  ({ name, secret }: ThirdKey) =>
  ({ method, path, body = new Uint8Array() }: HttpRequest) => ({
    'x-key': name,
    'x-signature': signature(secret, Buffer.concat([Buffer.from(`${method} ${path} `), body])),
  });

const reasonIn = (body: unknown): string | undefined => shapes.refusal.safeParse(body).data?.error;

export function thirdClient({ transport, clock, dial, key }: ThirdClientOptions): VenueClient {
  const [open, signed] = [jsonOver(transport, { reasonIn }), jsonOver(transport, { reasonIn, sign: signer(key) })];
  const read = <S extends z.ZodType>(path: string, shape: S) => open({ method: 'GET', path: `/v1/${path}`, shape, timeoutMs: READ_MS });
  const readOwn = <S extends z.ZodType>(path: string, shape: S) =>
    signed({ method: 'GET', path: `/v1/${path}`, shape, timeoutMs: READ_MS });
  const act = <S extends z.ZodType>(method: 'POST' | 'DELETE', path: string, shape: S, body?: unknown) =>
    signed({ method, path: `/v1/${path}`, shape, timeoutMs: LISTEN_MS, body });
  const pages = async function* <T>(
    get: typeof read,
    path: string,
    convert: (row: (typeof shapes.fills)['_output'][number]) => T,
  ): AsyncGenerator<readonly T[]> {
    for (let before: string | undefined = ''; before !== undefined; ) {
      const rows: (typeof shapes.fills)['_output'] = await get(`${path}?before=${before}`, shapes.fills);
      yield sensible(path, () => rows.map(convert));
      before = rows.at(-1)?.id;
    }
  };
  return {
    name: 'the third exchange',
    rules: RULES,
    listing: async () => listingOf(await read('instruments', shapes.instruments)),
    async book(market) {
      const row = await read(`book/${market.symbol}`, shapes.book);
      return sensible('a book', () => bookOf(market, row));
    },
    async live(markets) {
      const rows = await read('tickers', shapes.tickers);
      return sensible('tickers', () => infosOf(markets, rows));
    },
    trades: (market) => pages(read, `trades/${market.symbol}`, (row) => tradeOf([market], row)),
    async account(markets) {
      const row = await readOwn('account', shapes.account);
      return sensible('the account', () => accountOf(markets, row));
    },
    fills: (markets) => pages(readOwn, 'fills', (row) => fillOf(markets, row)),
    async place({ clientOrderId, side, price, size, fillMode, reduceOnly = false }, market) {
      const body = {
        sent: new Date(clock.now()).toISOString(),
        clientId: clientOrderId,
        instrument: market.symbol,
        side: side === 'bid' ? 'buy' : 'sell',
        price: market.priceText(price),
        size: market.sizeText(size),
        kind: KINDS[fillMode],
        reduceOnly,
      };
      const row = await act('POST', 'orders', shapes.placed, body).catch(unproved);
      return sensible('a receipt', () => receiptOf(market, row));
    },
    async cancel({ orderId }) {
      await act('DELETE', `orders/${orderId}`, shapes.cancelled);
      return 'cancelled';
    },
    ...(dial !== undefined && { push: (markets) => pushOf(markets, { dial, key }) }),
    hintFor: (error) =>
      error instanceof ClientError && error.kind === 'notSent' ? 'nothing answers at this address: check it' : 'try again',
  };
}

/** Refusals of one copy of a request that say nothing of another: a proxy may have sent it twice. */
const OF_COPIES: ReadonlySet<string | undefined> = new Set(['DUPLICATE_CLIENT_ID', 'TOO_OLD']);

function unproved(error: unknown): never {
  if (error instanceof ClientError && OF_COPIES.has(error.reason)) throw new ClientError({ kind: 'http', message: error.message });
  throw error;
}

const pushOf = (markets: readonly Market[], { dial, key }: { dial: Dial; key: ThirdKey }): PushSource => ({
  dial,
  hello: () => [JSON.stringify({ type: 'subscribe', key: key.name, signature: signature(key.secret, 'subscribe') })],
  ping: (number) => JSON.stringify({ type: 'ping', number }),
  read(text) {
    const message = readAs(shapes.pushed, JSON.parse(text), 'a message');
    if (message.type === 'pong') return { kind: 'pong', number: message.number };
    if (message.type === 'book') return { kind: 'book', book: bookOf(marketNamed(markets, message.book.instrument), message.book) };
    return { kind: 'fill', fill: fillOf(markets, message.fill) };
  },
});
