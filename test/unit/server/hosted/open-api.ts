// Opens an embedded exchange with its hosted API and a client of it, in one process.
import { expect } from 'vitest';
import type { HttpReply, HttpRequest } from '../../../../src/base/transport/transport.ts';
import { type Signer, sessionMessage, signerFrom, toBase58 } from '../../../../src/base/wire/ed25519.ts';
import { type Micros, micros } from '../../../../src/bot/domain/numbers.ts';
import { Exchange } from '../../../../src/embedded/exchange/exchange.ts';
import { hostedApi } from '../../../../src/embedded/server/hosted/api.ts';
import { DEFAULT_LIMITS, type SessionLimits } from '../../../../src/embedded/server/hosted/sessions.ts';
import { wholeSeconds } from '../../../../src/embedded/server/hosted/window.ts';
import { ActionCodec, type Receipt, type WireAction } from '../../../../src/venues/wire/codec.ts';
import { type ActionSchema, bundledSchema } from '../../../../src/venues/wire/schema/schema.ts';

export const START = Date.UTC(2026, 0, 15, 12, 30, 0, 250);
export const ACTIVE_END = START + 90_000;
export const BEYOND_DOUBLES = '9007199254740993';
export const DEPOSIT = micros(100_000e6);

/** Returns a fixed key, so that failures repeat. */
export const keyOf = (number: number): Signer => signerFrom(new Uint8Array(32).fill(number));
export const userOf = (key: Signer): string => toBase58(key.publicKey);

/** The fields of an action, without those that `encode` adds. The condition distributes over the kinds of actions. */
export type ActionFields = WireAction extends infer A
  ? A extends WireAction
    ? Omit<A, 'timestamp' | 'nonce'> & { timestamp?: number }
    : never
  : never;
type Order = Omit<Extract<ActionFields, { kind: 'placeOrder' }>, 'kind' | 'sessionId'>;

export const BID = { marketId: 0, side: 'bid', fillMode: 'LIMIT', price: 599_000n, size: 100n } as const satisfies Order;
export const ASK = { ...BID, side: 'ask', price: 601_000n } as const satisfies Order;

interface HostedApiOptions {
  /** True if the simulated traders are active. */
  readonly traders?: boolean;
  readonly faucet?: Micros;
  readonly sessionLimits?: SessionLimits;
  readonly schema?: ActionSchema;
}

export function openHostedApi({
  traders = false,
  faucet = DEPOSIT,
  sessionLimits = DEFAULT_LIMITS,
  schema = bundledSchema(),
}: HostedApiOptions = {}) {
  const exchange = new Exchange({ seed: 'desk', start: START, ...(traders ? {} : { flow: false }) });
  const codec = new ActionCodec(schema);
  let ticks = 0;
  const catchUp = (): void => {
    ticks++;
  };
  const handler = hostedApi({ exchange, codec, faucet, catchUp, sessionLimits });
  let nonce = 0;

  const send = (request: HttpRequest): HttpReply => handler(request);

  /** Returns the status and the parsed JSON of a GET. */
  const get = (path: string): { status: number; body: unknown } => {
    const { status, contentType, body } = send({ method: 'GET', path });
    expect(contentType).toBe('application/json');
    return { status, body: JSON.parse(new TextDecoder().decode(body)) as unknown };
  };

  /** Returns the parsed JSON of a GET, which must have status 200. */
  const read = (path: string): unknown => {
    const { status, body } = get(path);
    expect(status).toBe(200);
    return body;
  };

  const post = (body: Uint8Array, contentType = 'application/octet-stream'): HttpReply =>
    send({ method: 'POST', path: '/action', body, contentType });

  /** Returns the receipt for a body, which must have status 200. */
  const receiptFor = (body: Uint8Array): Receipt => {
    const reply = post(body);
    expect([reply.status, reply.contentType]).toEqual([200, 'application/octet-stream']);
    return codec.decodeReceipt(reply.body);
  };

  const encode = (fields: ActionFields): Uint8Array => codec.encode({ timestamp: wholeSeconds(exchange.now()), nonce: ++nonce, ...fields });

  const act = (key: Signer, fields: ActionFields): Receipt => receiptFor(signedBody(key, encode(fields), fields.kind));

  const openSession = (user: Signer, session: Signer, life = 3600): Receipt =>
    act(user, {
      kind: 'createSession',
      userPubkey: user.publicKey,
      sessionPubkey: session.publicKey,
      expiry: wholeSeconds(exchange.now()) + life,
    });

  /** Opens an account and a session. */
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

/** An exchange after 90 seconds of trading. Trader 1 has bought at market and has a resting bid, whose client order id is above 2^53. */
export function openActiveApi() {
  const context = openHostedApi({ traders: true });
  const trader = context.trader(1);
  context.exchange.advanceTo(ACTIVE_END);
  const book = context.exchange.book(0);
  trader.place({ ...BID, price: BigInt(book?.asks[0]?.price ?? 0), size: 30n, fillMode: 'IMMEDIATE_OR_CANCEL' });
  const resting = postedId(trader.place({ ...BID, price: BigInt(book?.bids[0]?.price ?? 0) - 5n, clientOrderId: BEYOND_DOUBLES }));
  return { ...context, account: trader.account, user: trader.user, resting: Number(resting) };
}

/** Returns a signed body: the user signs sessions over hex text, the session signs all else over the bytes. */
export function signedBody(key: Signer, framed: Uint8Array, kind: ActionFields['kind']): Uint8Array {
  const signature = key.sign(kind === 'createSession' ? sessionMessage(framed) : framed);
  return Buffer.concat([framed, signature]);
}

export const anyNumber = expect.any(Number) as number;
export const RFC_3339 = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/) as string;

/** Returns the error of a receipt; its kind if it is none. */
export const errorOf = (receipt: Receipt): string => (receipt.kind === 'err' ? receipt.error : receipt.kind);

/** Returns the id of the order that a placement left resting. */
export function postedId(receipt: Receipt): string {
  if (receipt.kind !== 'placeOrder' || receipt.posted === undefined)
    throw new Error(`nothing rests: ${JSON.stringify(receipt, bigintText)}`);
  return receipt.posted.orderId;
}

const bigintText = (_: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value);
