// A hosted API with an exchange behind it and a client before it, in one process.
import { expect } from 'vitest';
import type { HttpReply, HttpRequest } from '../../../../src/base/transport.ts';
import { type Micros, micros } from '../../../../src/domain/numbers.ts';
import { Exchange } from '../../../../src/embedded/exchange.ts';
import { hostedApi } from '../../../../src/server/hosted/api.ts';
import { DEFAULT_LIMITS, type SessionLimits } from '../../../../src/server/hosted/sessions.ts';
import { wholeSeconds } from '../../../../src/server/hosted/window.ts';
import { ActionCodec, type Receipt, type WireAction } from '../../../../src/wire/codec.ts';
import { type Signer, sessionMessage, signerFrom, toBase58 } from '../../../../src/wire/ed25519.ts';
import { type ActionSchema, bundledSchema } from '../../../../src/wire/schema/schema.ts';

export const START = Date.UTC(2026, 0, 15, 12, 30, 0, 250);
export const LIVELY_END = START + 90_000;
export const BEYOND_DOUBLES = '9007199254740993';
export const DEPOSIT = micros(100_000e6);

/** A fixed key, so that failures repeat. */
export const keyOf = (number: number): Signer => signerFrom(new Uint8Array(32).fill(number));
export const userOf = (key: Signer): string => toBase58(key.publicKey);

/** An action without the fields that are filled in here; `distribute` keeps the union a union. */
export type Wish = WireAction extends infer A
  ? A extends WireAction
    ? Omit<A, 'timestamp' | 'nonce'> & { timestamp?: number }
    : never
  : never;
type Order = Omit<Extract<Wish, { kind: 'placeOrder' }>, 'kind' | 'sessionId'>;

export const BID = { marketId: 0, side: 'bid', fillMode: 'LIMIT', price: 599_000n, size: 100n } as const satisfies Order;
export const ASK = { ...BID, side: 'ask', price: 601_000n } as const satisfies Order;

interface AccountCancellerOptions {
  /** With the other traders and their prices that move; without, nothing happens but what the test does. */
  readonly crowded?: boolean;
  readonly faucet?: Micros;
  readonly sessionLimits?: SessionLimits;
  readonly schema?: ActionSchema;
}

export function openDesk({
  crowded = false,
  faucet = DEPOSIT,
  sessionLimits = DEFAULT_LIMITS,
  schema = bundledSchema(),
}: AccountCancellerOptions = {}) {
  const exchange = new Exchange({ seed: 'desk', start: START, ...(crowded ? {} : { flow: false }) });
  const codec = new ActionCodec(schema);
  let ticks = 0;
  const catchUp = (): void => {
    ticks++;
  };
  const handler = hostedApi({ exchange, codec, faucet, catchUp, sessionLimits });
  let nonce = 0;

  const send = (request: HttpRequest): HttpReply => handler(request);

  /** Status and parsed JSON of a GET. */
  const get = (path: string): { status: number; body: unknown } => {
    const { status, contentType, body } = send({ method: 'GET', path });
    expect(contentType).toBe('application/json');
    return { status, body: JSON.parse(new TextDecoder().decode(body)) as unknown };
  };

  /** The same, but only status 200 is accepted. */
  const read = (path: string): unknown => {
    const { status, body } = get(path);
    expect(status).toBe(200);
    return body;
  };

  const post = (body: Uint8Array, contentType = 'application/octet-stream'): HttpReply =>
    send({ method: 'POST', path: '/action', body, contentType });

  /** The receipt for any body, which must come with status 200. */
  const receiptFor = (body: Uint8Array): Receipt => {
    const reply = post(body);
    expect([reply.status, reply.contentType]).toEqual([200, 'application/octet-stream']);
    return codec.decodeReceipt(reply.body);
  };

  const encode = (wish: Wish): Uint8Array => codec.encode({ timestamp: wholeSeconds(exchange.now()), nonce: ++nonce, ...wish });

  const act = (key: Signer, wish: Wish): Receipt => receiptFor(signedBody(key, encode(wish), wish.kind));

  const openSession = (user: Signer, session: Signer, life = 3600): Receipt =>
    act(user, {
      kind: 'createSession',
      userPubkey: user.publicKey,
      sessionPubkey: session.publicKey,
      expiry: wholeSeconds(exchange.now()) + life,
    });

  /** A trader with an account and a session of its own. */
  const trader = (number: number) => {
    const [user, session] = [keyOf(number), keyOf(number + 100)];
    const receipt = openSession(user, session);
    if (receipt.kind !== 'createSession') throw new Error(`no session: ${JSON.stringify(receipt)}`);
    const { sessionId } = receipt;
    return {
      user,
      session,
      sessionId,
      account: exchange.accountsOf(userOf(user))[0] ?? -1,
      place: (order: Order): Receipt => act(session, { kind: 'placeOrder', sessionId, ...order }),
      cancel: (orderId: string, senderAccountId?: number): Receipt =>
        act(session, { kind: 'cancelOrder', sessionId, orderId, ...(senderAccountId === undefined ? {} : { senderAccountId }) }),
    };
  };

  return { exchange, codec, send, get, read, post, receiptFor, encode, act, openSession, trader, ticks: () => ticks };
}

/** An exchange after a minute and a half of trading, in which trader 1 has bought at once and keeps a bid with an id beyond every double. */
export function livelyDesk() {
  const context = openDesk({ crowded: true });
  const trader = context.trader(1);
  context.exchange.advanceTo(LIVELY_END);
  const book = context.exchange.book(0);
  trader.place({ ...BID, price: BigInt(book?.asks[0]?.price ?? 0), size: 30n, fillMode: 'IMMEDIATE_OR_CANCEL' });
  const resting = postedId(trader.place({ ...BID, price: BigInt(book?.bids[0]?.price ?? 0) - 5n, clientOrderId: BEYOND_DOUBLES }));
  return { ...context, account: trader.account, user: trader.user, resting: Number(resting) };
}

/** Signed as the kind must be: sessions over hex text by the user, all else over the bytes by the session. */
export function signedBody(key: Signer, framed: Uint8Array, kind: Wish['kind']): Uint8Array {
  const signature = key.sign(kind === 'createSession' ? sessionMessage(framed) : framed);
  return Buffer.concat([framed, signature]);
}

export const anyNumber = expect.any(Number) as number;
export const RFC_3339 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) as string;

/** The name of a receipt's error, or what else it is. */
export const errorOf = (receipt: Receipt): string => (receipt.kind === 'err' ? receipt.error : receipt.kind);

/** The order id that a placement posted. */
export function postedId(receipt: Receipt): string {
  if (receipt.kind !== 'placeOrder' || receipt.posted === undefined)
    throw new Error(`nothing rests: ${JSON.stringify(receipt, bigintText)}`);
  return receipt.posted.orderId;
}

const bigintText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
