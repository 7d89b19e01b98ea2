// The venue client of the third exchange, with a socket that pushes books and fills.
import {
  type ActionCalls,
  ClientError,
  type ClientOptions,
  type ClientRules,
  type Dial,
  type FillMode,
  hintsOf,
  listedMarket,
  type Market,
  type PushSource,
  prepareUnsigned,
  pushStreams,
  readAs,
  subjectMismatch,
  tradeSideOf,
  tradesByCursor,
  type VenueClient,
  validated,
  type z,
} from 'tickwright/venue';
import { requestsOver, signature, type ThirdKey } from './requests.ts';
import * as shapes from './shapes.ts';
import { accountOf, bookOf, fillOf, infosOf, listingOf, receiptOf, tradeOf } from './snapshots.ts';

/** The exchange refuses orders that were sent more than 10 s ago; 10 s more for clock differences. */
export const RULES: ClientRules = {
  orderLife: 20,
  answerTimeoutMs: 3_000,
  listingLagMs: 1_000,
  revision: 'content',
  maxUnchangedMs: 2_000,
  polling: { tradesMs: 1_000, requestsPerSecond: 40, weights: { trades: 2 } },
};

const KINDS: Readonly<Record<FillMode, string>> = {
  LIMIT: 'limit',
  POST_ONLY: 'postOnly',
  IMMEDIATE_OR_CANCEL: 'ioc',
  FILL_OR_KILL: 'fok',
};

// Each function compares the subject that an answer names with the requested one, so that an answer to another request is rejected.
const ofMarket = ({ symbol }: Market) => subjectMismatch('instrument', symbol, (book: z.output<typeof shapes.book>) => book.instrument);
const ofPage = (before: string) => subjectMismatch('the page before', before, (page: { readonly before: string }) => page.before);
const ofPlaced = (id: string) => subjectMismatch('order', id, (placed: z.output<typeof shapes.placed>) => placed.clientId);
const ofSettled = (id: string) => subjectMismatch('order', id, (answer: z.output<typeof shapes.settled>) => answer.clientId);
const ofCancelled = (id: string) => subjectMismatch('order', id, (answer: z.output<typeof shapes.cancelled>) => answer.cancelled);

export interface ThirdClientOptions extends Pick<ClientOptions<ThirdKey>, 'transport' | 'clock' | 'key'> {
  readonly dial?: Dial | undefined;
}

const NO_KEY: ThirdKey = { name: '', secret: '' };

export function thirdClient({ transport, clock, dial, key = NO_KEY }: ThirdClientOptions): VenueClient {
  const { read, ask, readOwn, act } = requestsOver(transport, key);
  const place: ActionCalls['place'] = async ({ clientOrderId, side, price, size, fillMode, reduceOnly = false }, market, { deadAfter }) => {
    const body = {
      sent: new Date(clock.now()).toISOString(),
      until: new Date(deadAfter * 1_000).toISOString(),
      clientId: clientOrderId,
      instrument: market.symbol,
      side: tradeSideOf(side),
      price: market.priceText(price),
      size: market.sizeText(size),
      kind: KINDS[fillMode],
      reduceOnly,
    };
    const question = { shape: shapes.placed, mismatchIn: ofPlaced(clientOrderId), body };
    const row = await act('POST', 'orders', question).catch(rethrowUnproved);
    return validated('a receipt', () => receiptOf(market, row));
  };
  const settle: VenueClient['settle'] = async ({ clientOrderId }) => {
    const question = { shape: shapes.settled, mismatchIn: ofSettled(clientOrderId), body: { clientId: clientOrderId } };
    const { state } = await act('POST', 'orders/settle', question);
    return state === 'accepted' ? 'admitted' : 'absent';
  };
  const cancel: ActionCalls['cancel'] = async ({ orderId }) => {
    await act('DELETE', `orders/${orderId}`, { shape: shapes.cancelled, mismatchIn: ofCancelled(orderId ?? '') });
    return 'cancelled';
  };
  return {
    name: 'the third exchange',
    rules: RULES,
    listing: async () => listingOf(await read('instruments', { shape: shapes.instruments })),
    book: async (market) =>
      bookOf(market, await ask({ ask: 'book', instrument: market.symbol }, { shape: shapes.book, mismatchIn: ofMarket(market) })),
    live: async (markets) => infosOf(markets, await ask({ ask: 'tickers' }, { shape: shapes.tickers })),
    trades: (market) =>
      tradesByCursor({
        what: 'GET /v1/trades',
        fetchPage: async (before = '') =>
          (await read(`trades/${market.symbol}?before=${before}`, { shape: shapes.trades, mismatchIn: ofPage(before) })).trades,
        nextOf: lastOf,
        convert: (row) => tradeOf(market, row),
      }),
    owner: async () => (await readOwn('account', { shape: shapes.account })).id,
    account: async (markets) => accountOf(markets, await readOwn('account', { shape: shapes.account })),
    fills: (markets) => [
      tradesByCursor({
        what: 'GET /v1/fills',
        fetchPage: async (before = '') =>
          (await readOwn(`fills?before=${before}`, { shape: shapes.fills, mismatchIn: ofPage(before) })).fills,
        nextOf: lastOf,
        convert: (row) => fillOf(markets, row),
      }),
    ],
    prepare: prepareUnsigned({ rules: RULES, place, cancel }),
    settle,
    ...(dial !== undefined && { streams: (markets, context) => pushStreams(pushOf(markets, { dial, key }), context) }),
    hintFor: hintsOf({ notSent: 'nothing answers at this address: check it', otherwise: 'try again' }),
  };
}

/** The next page ends before the last row of this one. */
const lastOf = (page: readonly { readonly id: string }[]): string | undefined => page.at(-1)?.id;

/** Refusals that prove nothing: a proxy may have sent the request twice, and the exchange may have accepted the other copy. */
const MAYBE_ACCEPTED: ReadonlySet<string | undefined> = new Set(['DUPLICATE_CLIENT_ID', 'TOO_OLD']);

function rethrowUnproved(error: unknown): never {
  if (error instanceof ClientError && MAYBE_ACCEPTED.has(error.reason)) throw new ClientError({ kind: 'http', message: error.message });
  throw error;
}

const pushOf = (markets: readonly Market[], { dial, key }: { dial: Dial; key: ThirdKey }): PushSource => ({
  dial,
  hello: () => [JSON.stringify({ type: 'subscribe', key: key.name, signature: signature(key, 'subscribe') })],
  ping: (number) => JSON.stringify({ type: 'ping', number }),
  read(text) {
    const message = readAs(shapes.pushed, JSON.parse(text), 'a message');
    if (message.type === 'pong') return { kind: 'pong', number: message.number };
    if (message.type === 'accountChanged') return { kind: 'changed' };
    if (message.type === 'fill') return { kind: 'fill', fill: fillOf(markets, message.fill) };
    if (message.type === 'ticker') return { kind: 'info', infos: infosOf(markets, [message.ticker]) };
    if (message.type === 'book') return { kind: 'book', book: bookOf(listedMarket(markets, message.book.instrument), message.book) };
    const [market] = markets; // the exchange has one
    if (market === undefined) return undefined;
    return { kind: 'trades', market: market.id, trades: message.trades.map((row) => tradeOf(market, row)) };
  },
});
