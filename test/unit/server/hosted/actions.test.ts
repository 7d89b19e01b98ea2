// Signed actions and their receipts: each error of the protocol.
import { readFileSync } from 'node:fs';
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { WINDOW_SECONDS, wholeSeconds } from '../../../../src/embedded/server/hosted/window.ts';
import { loadSchema } from '../../../../src/venues/wire/schema/schema.ts';
import { ASK, BID, errorOf, keyOf, openActiveApi, openHostedApi, postedId, START, signedBody, userOf } from './open-api.ts';

const NOW = wholeSeconds(START);
const [ann, bob] = [keyOf(1), keyOf(2)];

describe('placing and cancelling', () => {
  test("fills have the maker's order and account; an order that is filled at once is not posted", () => {
    const { trader } = openHostedApi();
    const maker = trader(1);
    const orderId = postedId(maker.place(ASK));
    const receipt = trader(2).place({ ...BID, price: 602_000n, size: 40n });
    expect(receipt).toMatchObject({ kind: 'placeOrder', fills: [{ orderId, price: 601_000n, size: 40n, accountId: maker.account }] });
    expect(receipt).not.toHaveProperty('posted');
  });

  test('a price of 0 means none: a market order trades, a limit order is refused', () => {
    const { trader } = openHostedApi();
    trader(1).place(ASK);
    const { place } = trader(2);
    expect(place({ ...BID, fillMode: 'FILL_OR_KILL', price: 0n })).toMatchObject({ kind: 'placeOrder', fills: [{ price: 601_000n }] });
    expect(errorOf(place({ ...BID, price: 0n }))).toMatch(/^ORDER_EXECUTION_MISSING/);
  });

  test.each([
    ['MARKET_NOT_FOUND', { marketId: 4_294_967_295 }],
    ['ORDER_EXECUTION_LIMIT_PRICE', { price: 2n ** 64n - 1n }],
    ['ORDER_EXECUTION_LIMIT_PRICE', { price: 2n ** 53n - 1n }],
    ['ORDER_EXECUTION_SIZE_LIMIT', { size: 2n ** 64n - 1n }],
    ['ORDER_EXECUTION_SIZE_LIMIT', { size: 2n ** 53n - 1n }],
  ] as const)('%s for %o', (error, change) => {
    const { trader } = openHostedApi();
    expect(errorOf(trader(1).place({ ...BID, ...change }))).toBe(error);
  });

  test('an error receipt has the next action id, which stays unused', () => {
    const { trader, exchange } = openHostedApi();
    const { place } = trader(1);
    const next = String(Number(exchange.lastActionId()) + 1);
    expect(place({ ...BID, size: 0n })).toMatchObject({ kind: 'err', actionId: next });
    expect(place(BID)).toMatchObject({ kind: 'placeOrder', actionId: next });
  });
});

describe('orders of every size', () => {
  const amount = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
    fc.bigInt({ min: 1n, max: 2_000_000n }),
    fc.constantFrom(0n, 2n ** 53n - 1n, 2n ** 53n),
  );
  const order = fc.record({
    marketId: fc.nat({ max: 4 }),
    side: fc.constantFrom('bid', 'ask'),
    fillMode: fc.constantFrom('LIMIT', 'POST_ONLY', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL'),
    price: amount,
    size: amount,
  });
  const context = openActiveApi();
  const { place } = context.trader(2);

  property.prop([order], { seed: 24, numRuns: 300 })('are accepted or refused by name', (wish) => {
    expect(errorOf(place(wish))).toMatch(/^(placeOrder|[A-Z_]+)$/);
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
    const { trader, act } = openHostedApi();
    const { session, sessionId } = trader(1);
    expect(errorOf(act(session, { kind: 'placeOrder', sessionId, ...BID, timestamp: NOW + away }))).toBe(outcome);
  });

  test('the same bytes are a duplicate for as long as their time is admitted, and too old after', () => {
    const { trader, exchange, encode, receiptFor } = openHostedApi();
    const { session, sessionId, account } = trader(1);
    const body = signedBody(session, encode({ kind: 'placeOrder', sessionId, ...BID }), 'placeOrder');
    const outcomes = [0, 1, 59, 60, 61].map((seconds) => {
      exchange.advanceTo(START + seconds * 1000);
      return errorOf(receiptFor(body));
    });
    expect(outcomes).toEqual(['placeOrder', 'DUPLICATE', 'DUPLICATE', 'DUPLICATE', 'TIMESTAMP_OUT_OF_THRESHOLD']);
    expect(exchange.account(account)?.orders).toHaveLength(1);
  });

  test('refused bytes count as received: they are never executed later', () => {
    const { trader, encode, receiptFor } = openHostedApi();
    const { session, sessionId } = trader(1);
    const body = signedBody(session, encode({ kind: 'placeOrder', sessionId, ...BID, fillMode: 'IMMEDIATE_OR_CANCEL' }), 'placeOrder');
    expect(errorOf(receiptFor(body))).toBe('IMMEDIATE_ORDER_GOT_NO_FILLS');
    expect(errorOf(receiptFor(body))).toBe('DUPLICATE');
  });

  test('a forged copy does not make the authentic bytes a duplicate', () => {
    const { trader, encode, receiptFor } = openHostedApi();
    const { session, sessionId } = trader(1);
    const framed = encode({ kind: 'placeOrder', sessionId, ...BID });
    expect(errorOf(receiptFor(Buffer.concat([framed, new Uint8Array(64)])))).toBe('INVALID_SIGNATURE');
    expect(errorOf(receiptFor(signedBody(session, framed, 'placeOrder')))).toBe('placeOrder');
  });

  test('a session is opened once by the same bytes', () => {
    const { encode, receiptFor, get } = openHostedApi();
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
      .replace(/bool is_reduce_only = 36;/, '')
      .replace('CancelOrder cancel_order = 8;', 'CancelOrder cancel_order_by_id = 8;')
      .replace(/.* INSUFFICIENT_FUNDS = 164;/, ''),
  );

  test('a reduce-only order is refused if there is nothing to reduce', () => {
    const { trader } = openHostedApi({ schema: live });
    const { place } = trader(1);
    expect(errorOf(place({ ...BID, reduceOnly: true }))).toBe('POSITION_NOT_FOUND');
  });

  test.each([
    [250n, 100n],
    [100n, 100n],
    [40n, 40n],
  ])('a reduce-only order of %i that meets a position of 100 sells %i', (size, sold) => {
    const { trader, exchange } = openHostedApi({ schema: live });
    const [maker, taker] = [trader(1), trader(2)];
    maker.place({ ...ASK, size: 100n });
    taker.place({ ...BID, price: 601_000n });
    maker.place({ ...BID, size: 500n });
    const receipt = taker.place({ ...ASK, price: 599_000n, size, fillMode: 'IMMEDIATE_OR_CANCEL', reduceOnly: true });
    expect(receipt).toMatchObject({ kind: 'placeOrder', fills: [{ size: sold }] });
    expect(exchange.account(taker.account)?.positions[0]?.size ?? 0).toBe(Number(100n - sold));
    if (sold === 100n) expect(errorOf(taker.place({ ...ASK, price: 599_000n, reduceOnly: true }))).toBe('POSITION_NOT_FOUND');
  });

  test('actions are read by the schema given, and its text is served', () => {
    const { trader, send } = openHostedApi({ schema: live });
    const { place, cancel } = trader(1);
    expect(errorOf(cancel(postedId(place(BID))))).toBe('cancelOrder');
    const { status, contentType, body } = send({ method: 'GET', path: '/schema.proto' });
    expect([status, contentType, new TextDecoder().decode(body)]).toEqual([200, 'text/plain; charset=utf-8', live.text]);
  });

  test("an error has the schema's own name", () => {
    const { trader } = openHostedApi({ schema: live });
    expect(errorOf(trader(1).place({ ...BID, size: 800_000n }))).toBe('BALANCE_INSUFFICIENT');
  });

  test('a kind that is not served is NOT_IMPLEMENTED, no kind at all is a decode failure', () => {
    const { receiptFor } = openHostedApi({ schema: live });
    const time = [0x08, ...varint(NOW)];
    expect(errorOf(receiptFor(unsigned([...time, 0x82, 0x02, 0x02, 0x08, 0x01])))).toBe('NOT_IMPLEMENTED');
    expect(errorOf(receiptFor(unsigned(time)))).toBe('DECODE_FAILURE_DOMAIN');
  });
});

const unsigned = (payload: number[]): Uint8Array => Uint8Array.from([payload.length, ...payload, ...new Uint8Array(64)]);

function varint(value: number): number[] {
  const bytes: number[] = [];
  for (let rest = value; ; rest = Math.floor(rest / 128)) {
    if (rest < 128) return [...bytes, rest];
    bytes.push((rest % 128) | 128);
  }
}
