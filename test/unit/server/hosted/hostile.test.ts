// Malformed bodies and paths: each is refused with a message, none throws, none changes the exchange.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { BID, errorOf, openHostedApi, signedBody } from './open-api.ts';

const context = openHostedApi();
const { session, sessionId } = context.trader(1);
const framed = context.encode({ kind: 'placeOrder', sessionId, ...BID });
const sound = signedBody(session, framed, 'placeOrder');
const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);

/** 2^31 as a varint. */
const TWO_GIGABYTES = bytes(0x80, 0x80, 0x80, 0x80, 0x08);

describe('bodies of POST /action', () => {
  test.each([
    ['nothing', bytes()],
    ['only a length', bytes(5)],
    ['a length of zero and no signature', bytes(0)],
    ['an action without its signature', framed],
    ['an action cut in the middle', sound.subarray(0, 20)],
    ['a byte too few', sound.subarray(0, -1)],
    ['a byte too many', Buffer.concat([sound, bytes(0)])],
    ['a length one too small', bytes(framed.length - 2, ...sound.subarray(1))],
    ['a length one too large', bytes(framed.length, ...sound.subarray(1))],
    ['2 GB announced', Buffer.concat([TWO_GIGABYTES, sound.subarray(1)])],
    ['2^64 - 1 bytes announced', Buffer.concat([bytes(...Array.from({ length: 9 }, () => 0xff), 1), sound.subarray(1)])],
    ['a length that never ends', new Uint8Array(1024).fill(0xff)],
  ])('%s is a failure of the length prefix', (_, body) => {
    expect(errorOf(context.receiptFor(body))).toBe('DECODE_FAILURE_LENGTH_PREFIX');
  });

  test.each([
    ['noise', Array.from({ length: 40 }, (_, index) => (index * 37) % 256)],
    ['a field with an impossible wire type', [0x0f]],
    ['a part longer than the action', [0x22, 0x7f]],
    ['a short key', [0x22, 0x03, 0x0a, 0x01, 0x00]],
    ['an expiry beyond every number', [0x22, 0x0b, 0x18, ...Array.from({ length: 8 }, () => 0xff), 0x7f]],
    ['two kinds', [0x3a, 0x00, 0x42, 0x00]],
  ])('%s is a failure of the encoding', (_, payload) => {
    const body = bytes(payload.length, ...payload, ...new Uint8Array(64));
    expect(errorOf(context.receiptFor(body))).toBe('DECODE_FAILURE_RAW');
  });

  test('beyond 1024 bytes is a 413', () => {
    const reply = context.post(new Uint8Array(1025));
    expect([reply.status, new TextDecoder().decode(reply.body)]).toEqual([413, '{"limit":1024}']);
  });

  test.each(['', 'application/json', 'text/plain', 'application/octet-streams', 'multipart/form-data; boundary=x'])(
    '%j is no media type for it',
    (type) => {
      const reply = context.post(sound, type);
      expect([reply.status, new TextDecoder().decode(reply.body)]).toEqual([415, '{"expected":"application/octet-stream"}']);
    },
  );

  test('the media type may have parameters and capitals', () => {
    expect(context.post(bytes(), 'Application/Octet-Stream; charset=binary').status).toBe(200);
    expect(context.send({ method: 'POST', path: '/action', contentType: 'application/octet-stream' }).status).toBe(200);
    expect(context.send({ method: 'POST', path: '/action' }).status).toBe(415);
  });

  property.prop([fc.uint8Array({ maxLength: 1100 })], { seed: 21, numRuns: 500 })('random bytes get an error receipt or 413', (body) => {
    const before = context.exchange.lastActionId();
    const reply = context.post(body);
    if (body.length > 1024) expect(reply.status).toBe(413);
    else expect(context.codec.decodeReceipt(reply.body).kind).toBe('err');
    expect(context.exchange.lastActionId()).toBe(before);
  });

  property.prop([fc.nat({ max: sound.length - 1 }), fc.integer({ min: 1, max: 255 })], { seed: 22, numRuns: 500 })(
    'an action with one byte changed does nothing',
    (at, change) => {
      const body = Uint8Array.from(sound);
      body[at] = (body[at] ?? 0) ^ change;
      const before = context.exchange.lastActionId();
      expect(context.receiptFor(body).kind).toBe('err');
      expect(context.exchange.lastActionId()).toBe(before);
    },
  );

  test('a valid one is served afterwards', () => {
    expect(errorOf(context.receiptFor(sound))).toBe('placeOrder');
  });
});

describe('paths', () => {
  const piece = fc.oneof(
    fc.constantFrom(
      '/',
      'market',
      'account',
      'orders',
      'trades',
      '?',
      '&',
      '=',
      '..',
      '%',
      '%2e',
      'since',
      'pageSize',
      '0',
      '-1',
      '1e9',
      'orderbook',
      'fees',
      'maker',
      'user',
    ),
    fc.string({ maxLength: 6 }),
    fc.integer().map(String),
  );

  property.prop([fc.array(piece, { maxLength: 12 })], { seed: 23, numRuns: 1_000 })(
    'any path is answered below 500, in JSON or text',
    (pieces) => {
      const reply = context.send({ method: 'GET', path: `/${pieces.join('')}` });
      expect(reply.status).toBeLessThan(500);
      expect(() => JSON.parse(new TextDecoder().decode(reply.body)) as unknown).not.toThrow();
    },
  );
});
