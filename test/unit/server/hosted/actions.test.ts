// Signed actions and their receipts: each rule of the protocol by the name of its error.
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { micros } from '../../../../src/domain/numbers.ts';
import { engineSeconds, WINDOW_SECONDS } from '../../../../src/server/hosted/window.ts';
import { loadSchema } from '../../../../src/wire/schema.ts';
import { sessionMessage } from '../../../../src/wire/signing.ts';
import { ASK, BID, DEPOSIT, errorOf, keyOf, openDesk, postedId, START, signedBody, userOf } from './desk.ts';

const NOW = engineSeconds(START);
const [ann, bob] = [keyOf(1), keyOf(2)];

describe('placing and cancelling', () => {
  test('an order that rests is told with its id, account and what is left of it', () => {
    const { trader } = openDesk();
    const { place, account } = trader(1);
    const receipt = place({ ...BID, clientOrderId: '18446744073709551615' });
    expect(receipt).toEqual({
      kind: 'placeOrder',
      actionId: expect.stringMatching(/^\d+$/),
      posted: { orderId: expect.stringMatching(/^\d+$/), accountId: account, ...{ marketId: 0, side: 'bid', price: 599_000n, size: 100n } },
      fills: [],
      clientOrderId: '18446744073709551615',
    });
  });

  test("fills carry the maker's order and account; what is filled at once has no order", () => {
    const { trader } = openDesk();
    const maker = trader(1);
    const orderId = postedId(maker.place(ASK));
    const receipt = trader(2).place({ ...BID, price: 602_000n, size: 40n });
    expect(receipt).toMatchObject({ kind: 'placeOrder', fills: [{ orderId, price: 601_000n, size: 40n, accountId: maker.account }] });
    expect(receipt).not.toHaveProperty('posted');
  });

  test('a price of 0 is none: a market order trades, a limit order lacks its limit', () => {
    const { trader } = openDesk();
    trader(1).place(ASK);
    const { place } = trader(2);
    expect(place({ ...BID, fillMode: 'FILL_OR_KILL', price: 0n })).toMatchObject({ kind: 'placeOrder', fills: [{ price: 601_000n }] });
    expect(errorOf(place({ ...BID, price: 0n }))).toMatch(/^ORDER_EXECUTION_MISSING/);
  });

  test('a cancel names the order and its account, and works once', () => {
    const { trader } = openDesk();
    const { place, cancel, account } = trader(1);
    const orderId = postedId(place(BID));
    expect(cancel(orderId)).toMatchObject({ kind: 'cancelOrder', orderId, accountId: account });
    expect(errorOf(cancel(orderId))).toBe('ORDER_NOT_FOUND');
    expect(errorOf(cancel('18446744073709551615'))).toBe('ORDER_NOT_FOUND');
  });

  test.each([
    ['ORDER_SIZE_ZERO', { size: 0n }],
    ['MARKET_NOT_FOUND', { marketId: 4_294_967_295 }],
    ['ORDER_EXECUTION_LIMIT_PRICE', { price: 2n ** 64n - 1n }],
    ['ORDER_EXECUTION_LIMIT_PRICE', { price: 2n ** 53n - 1n }],
    ['ORDER_EXECUTION_SIZE_LIMIT', { size: 2n ** 64n - 1n }],
    ['ORDER_EXECUTION_SIZE_LIMIT', { size: 2n ** 53n - 1n }],
    ['IMMEDIATE_ORDER_GOT_NO_FILLS', { fillMode: 'IMMEDIATE_OR_CANCEL' }],
    ['ORDER_EXECUTION_FILL_OR_KILL', { fillMode: 'FILL_OR_KILL' }],
    ['INSUFFICIENT_FUNDS', { size: 800_000n }],
  ] as const)('%s for %o', (error, change) => {
    const { trader } = openDesk();
    expect(errorOf(trader(1).place({ ...BID, ...change }))).toBe(error);
  });

  test('an error tells the next action id, which stays free', () => {
    const { trader, exchange } = openDesk();
    const { place } = trader(1);
    const next = String(Number(exchange.lastActionId()) + 1);
    expect(place({ ...BID, size: 0n })).toMatchObject({ kind: 'err', actionId: next });
    expect(place(BID)).toMatchObject({ kind: 'placeOrder', actionId: next });
  });
});

describe('who may act', () => {
  test('a session is signed over hex text by the user; over the bytes it is not valid', () => {
    const { encode, receiptFor } = openDesk();
    const framed = encode({ kind: 'createSession', userPubkey: ann.publicKey, sessionPubkey: bob.publicKey, expiry: NOW + 60 });
    const upper = new TextEncoder().encode(Buffer.from(framed).toString('hex').toUpperCase());
    for (const signature of [ann.sign(framed), ann.sign(upper), bob.sign(sessionMessage(framed)), new Uint8Array(64)]) {
      expect(errorOf(receiptFor(Buffer.concat([framed, signature])))).toBe('INVALID_SIGNATURE');
    }
    expect(receiptFor(signedBody(ann, framed, 'createSession'))).toMatchObject({ kind: 'createSession', sessionId: '1' });
  });

  test('an order is signed over the bytes by the session; by the user, or over hex text, it is not valid', () => {
    const { encode, receiptFor, trader } = openDesk();
    const { user, session, sessionId } = trader(1);
    const framed = encode({ kind: 'placeOrder', sessionId, ...BID });
    for (const signature of [session.sign(sessionMessage(framed)), user.sign(framed), new Uint8Array(64)]) {
      expect(errorOf(receiptFor(Buffer.concat([framed, signature])))).toBe('INVALID_SIGNATURE');
    }
    expect(errorOf(receiptFor(signedBody(session, framed, 'placeOrder')))).toBe('placeOrder');
  });

  test('a session that never was, or is over, is not found', () => {
    const { trader, exchange, act, openSession } = openDesk();
    const { session, sessionId } = trader(1);
    expect(errorOf(act(session, { kind: 'placeOrder', sessionId: '0', ...BID }))).toBe('SESSION_NOT_FOUND');
    expect(errorOf(act(session, { kind: 'cancelOrder', sessionId: '77', orderId: '1' }))).toBe('SESSION_NOT_FOUND');
    exchange.advanceTo(START + 3_601_000);
    expect(errorOf(act(session, { kind: 'placeOrder', sessionId, ...BID }))).toBe('SESSION_NOT_FOUND');
    expect(errorOf(openSession(ann, session, 0))).toBe('EXPIRY_TIMESTAMP_IN_PAST');
    expect(errorOf(openSession(ann, session, -NOW))).toBe('EXPIRY_TIMESTAMP_IN_PAST');
  });

  test('at the cap the session that expires first is evicted', () => {
    const { openSession, act } = openDesk({ sessionLimits: { perUser: 2, longestLife: 1000 } });
    const [short, long, newest] = [keyOf(11), keyOf(12), keyOf(13)];
    const lives = [50, 500, 90];
    expect([short, long, newest].map((key, index) => errorOf(openSession(ann, key, lives[index])))).toEqual(
      lives.map(() => 'createSession'),
    );
    const placed = [short, long, newest].map((key, index) =>
      errorOf(act(key, { kind: 'placeOrder', sessionId: String(index + 1), ...BID })),
    );
    expect(placed).toEqual(['SESSION_NOT_FOUND', 'placeOrder', 'placeOrder']);
  });

  test('the user shows its sessions by id, with the expiry that was granted', () => {
    const { openSession, get } = openDesk({ sessionLimits: { perUser: 2, longestLife: 15 } });
    openSession(ann, bob, 9e9);
    const expiry = new Date((NOW + 15) * 1000).toISOString();
    expect(get(`/user/${userOf(ann)}`)).toEqual({
      status: 200,
      body: { accountIds: [expect.any(Number)], sessions: { 1: { pubkey: userOf(bob), expiry } } },
    });
  });

  test("a new user is given the faucet's money once; without a faucet it is not found", () => {
    const { openSession, exchange } = openDesk();
    for (const session of [keyOf(3), keyOf(4)]) openSession(ann, session);
    const [account = -1, ...more] = exchange.accountsOf(userOf(ann));
    expect(more).toEqual([]);
    expect(exchange.account(account)?.balances).toMatchObject([{ token: 'USDC', amount: DEPOSIT / 1e6 }]);
    const dry = openDesk({ faucet: micros(0) });
    expect(errorOf(dry.openSession(ann, bob))).toBe('USER_NOT_FOUND');
    dry.exchange.register(userOf(ann), DEPOSIT);
    expect(errorOf(dry.openSession(ann, bob))).toBe('createSession');
  });
});

describe('sub-accounts', () => {
  function withTwo() {
    const desk = openDesk();
    const { place, cancel, user, account: first } = desk.trader(1);
    const second = desk.exchange.openAccount(userOf(user));
    desk.exchange.transfer({ from: first, to: second, amount: micros(50_000e6) });
    return { ...desk, place, cancel, first, second, foreign: desk.trader(2).account };
  }

  test('an order acts for the account that it names, and for the first where it names none', () => {
    const { place, first, second } = withTwo();
    expect(place(BID)).toMatchObject({ posted: { accountId: first } });
    expect(place({ ...BID, senderAccountId: second })).toMatchObject({ posted: { accountId: second } });
  });

  test('an order of another account is not found', () => {
    const { place, cancel, second } = withTwo();
    const orderId = postedId(place({ ...BID, senderAccountId: second }));
    expect(errorOf(cancel(orderId))).toBe('ORDER_NOT_FOUND');
    expect(cancel(orderId, second)).toMatchObject({ kind: 'cancelOrder', orderId, accountId: second });
  });

  test("an account of another user, and account 0, are not the sender's; one that is not there is not found", () => {
    const { place, cancel, foreign } = withTwo();
    expect(errorOf(place({ ...BID, senderAccountId: foreign }))).toBe('ACCOUNT_INVALID_OWNER');
    expect(errorOf(place({ ...BID, senderAccountId: 0 }))).toBe('ACCOUNT_INVALID_OWNER');
    expect(errorOf(cancel('1', foreign))).toBe('ACCOUNT_INVALID_OWNER');
    expect(errorOf(place({ ...BID, senderAccountId: 4_294_967_295 }))).toBe('ACCOUNT_NOT_FOUND');
  });
});

describe('time and duplicates', () => {
  test.each([
    [-WINDOW_SECONDS - 1, 'TIMESTAMP_OUT_OF_THRESHOLD'],
    [-WINDOW_SECONDS, 'placeOrder'],
    [WINDOW_SECONDS, 'placeOrder'],
    [WINDOW_SECONDS + 1, 'TIMESTAMP_OUT_OF_THRESHOLD'],
    [START - NOW, 'TIMESTAMP_OUT_OF_THRESHOLD'], // milliseconds
  ])('signed %d seconds from engine time: %s', (away, outcome) => {
    const { trader, act } = openDesk();
    const { session, sessionId } = trader(1);
    expect(errorOf(act(session, { kind: 'placeOrder', sessionId, ...BID, timestamp: NOW + away }))).toBe(outcome);
  });

  test('the same bytes are a duplicate for as long as their time is admitted, and too old after', () => {
    const { trader, exchange, encode, receiptFor } = openDesk();
    const { session, sessionId, account } = trader(1);
    const body = signedBody(session, encode({ kind: 'placeOrder', sessionId, ...BID }), 'placeOrder');
    const outcomes = [0, 1, 59, 60, 61].map((seconds) => {
      exchange.advanceTo(START + seconds * 1000);
      return errorOf(receiptFor(body));
    });
    expect(outcomes).toEqual(['placeOrder', 'DUPLICATE', 'DUPLICATE', 'DUPLICATE', 'TIMESTAMP_OUT_OF_THRESHOLD']);
    expect(exchange.account(account)?.orders).toHaveLength(1);
  });

  test('refused bytes are seen as well: they never do anything later', () => {
    const { trader, encode, receiptFor } = openDesk();
    const { session, sessionId } = trader(1);
    const body = signedBody(session, encode({ kind: 'placeOrder', sessionId, ...BID, fillMode: 'IMMEDIATE_OR_CANCEL' }), 'placeOrder');
    expect(errorOf(receiptFor(body))).toBe('IMMEDIATE_ORDER_GOT_NO_FILLS');
    expect(errorOf(receiptFor(body))).toBe('DUPLICATE');
  });

  test('a forged copy does not make the real one a duplicate', () => {
    const { trader, encode, receiptFor } = openDesk();
    const { session, sessionId } = trader(1);
    const framed = encode({ kind: 'placeOrder', sessionId, ...BID });
    expect(errorOf(receiptFor(Buffer.concat([framed, new Uint8Array(64)])))).toBe('INVALID_SIGNATURE');
    expect(errorOf(receiptFor(signedBody(session, framed, 'placeOrder')))).toBe('placeOrder');
  });

  test('a session is opened once by the same bytes', () => {
    const { encode, receiptFor, get } = openDesk();
    const framed = encode({ kind: 'createSession', userPubkey: ann.publicKey, sessionPubkey: bob.publicKey, expiry: NOW + 60 });
    const body = signedBody(ann, framed, 'createSession');
    expect([receiptFor(body), receiptFor(body)].map(errorOf)).toEqual(['createSession', 'DUPLICATE']);
    expect(get(`/user/${userOf(ann)}`).body).toMatchObject({ sessions: { 1: { pubkey: userOf(bob) } } });
  });
});

describe('another schema', () => {
  const bundled = readFileSync(new URL('../../../../proto/actions.proto', import.meta.url), 'utf8');
  const live = loadSchema(
    bundled
      .replace('uint64 price = 5;', 'uint64 price = 6; bool is_reduce_only = 5;')
      .replace('uint64 size = 6;', 'uint64 size = 7;')
      .replace('CancelOrder cancel_order = 8;', 'CancelOrder cancel_order_by_id = 8; Transfer transfer = 18;')
      .replace('message CancelOrder {', 'message Transfer { uint64 session_id = 1; }\n  message CancelOrder {')
      .replace(/.* INSUFFICIENT_FUNDS = 164;/, ''),
  );

  test('actions are read by the schema given, and its text is served', () => {
    const { trader, send } = openDesk({ schema: live });
    const { place, cancel } = trader(1);
    expect(errorOf(cancel(postedId(place(BID))))).toBe('cancelOrder');
    const { status, contentType, body } = send({ method: 'GET', path: '/schema.proto' });
    expect([status, contentType, new TextDecoder().decode(body)]).toEqual([200, 'text/plain; charset=utf-8', live.text]);
  });

  test("an error goes by the schema's own name for it", () => {
    const { trader } = openDesk({ schema: live });
    expect(errorOf(trader(1).place({ ...BID, size: 800_000n }))).toBe('BALANCE_INSUFFICIENT');
  });

  test('a kind that is not served is NOT_IMPLEMENTED, no kind at all is a decode failure', () => {
    const { receiptFor } = openDesk({ schema: live });
    const time = [0x08, ...varint(NOW)];
    const body = (payload: number[]) => Uint8Array.from([payload.length, ...payload, ...new Uint8Array(64)]);
    expect(errorOf(receiptFor(body([...time, 0x92, 0x01, 0x02, 0x08, 0x01])))).toBe('NOT_IMPLEMENTED');
    expect(errorOf(receiptFor(body(time)))).toBe('DECODE_FAILURE_DOMAIN');
  });
});

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}
