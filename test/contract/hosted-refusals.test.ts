// Actions that the hosted API must refuse: stale, repeated, expired, wrongly signed and malformed ones. The exchange must survive each.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type ForeignClient, sessionFrame } from '../foreign/client.ts';
import { hexText, type KeyPair, keyNamed } from '../foreign/keys.ts';
import { frame, message, unframe } from '../foreign/protobuf.ts';
import type { Receipt } from '../foreign/read-receipt.ts';
import { HOSTED_TARGETS, type Target } from './hosted-targets.ts';
import { HostedTrader, postedIn, session, sessionIn, user } from './hosted-trader.ts';
import { malformedBodies } from './malformed-bodies.ts';

/** Names of the error in the document and in the live schema. */
const BAD_SIGNATURE = expect.stringMatching(/^(INVALID_SIGNATURE|SIGNATURE_VERIFICATION)/);

describe.each(HOSTED_TARGETS)('bad actions on $name', ({ start }) => {
  let target: Target;
  let me: HostedTrader;

  beforeAll(async () => {
    target = await start();
    me = await HostedTrader.open(target.client);
  });
  afterAll(() => target?.stop());

  test('a timestamp is refused if it is off by more than 60 s', async () => {
    const now = await me.client.engineTime();
    for (const timestamp of [now - 70, now + 70, now * 1_000]) {
      expect(await me.place({ timestamp })).toMatchObject({ kind: 'err', error: expect.stringMatching(/^TIMESTAMP/) });
    }
    await me.cancel(postedIn(await me.place({ timestamp: now - 50 })).orderId);
  });

  test('a repeated message is refused as a duplicate', async () => {
    const expected = await me.order();
    const { orderId } = postedIn(await me.client.placeOrder(expected, session));
    expect(await me.client.placeOrder(expected, session)).toMatchObject({ kind: 'err', error: 'DUPLICATE' });
    expect((await me.account()).orders).toHaveLength(1);
    await me.cancel(orderId);
  });

  test('a session is opened only by a signature of the wallet over lowercase hex', async () => {
    const framed = async (): Promise<Uint8Array> => {
      const now = await me.stamp();
      return sessionFrame({ user, session, expiry: now.timestamp + 60, ...now });
    };
    const wrong: [KeyPair, (bytes: Uint8Array) => Uint8Array][] = [
      [user, (bytes) => bytes],
      [user, upperHex],
      [user, (bytes) => hexText(unframe(bytes).payload)],
      [session, hexText],
    ];
    for (const [key, text] of wrong) {
      const bytes = await framed();
      expect(await me.client.act(Buffer.concat([bytes, key.sign(text(bytes))]))).toMatchObject({ kind: 'err', error: BAD_SIGNATURE });
    }
    const bytes = await framed();
    expect(await me.client.act(Buffer.concat([bytes, user.sign(hexText(bytes))]))).toMatchObject({ kind: 'session' });
  });

  test('an order is accepted only with a signature of the session key over the raw bytes', async () => {
    const wrong: [KeyPair, (bytes: Uint8Array) => Uint8Array][] = [
      [session, hexText],
      [session, (bytes) => unframe(bytes).payload],
      [user, (bytes) => bytes],
    ];
    for (const [key, text] of wrong) {
      const bytes = me.client.orderFrame(await me.order());
      expect(await me.client.act(Buffer.concat([bytes, key.sign(text(bytes))]))).toMatchObject({ kind: 'err', error: BAD_SIGNATURE });
    }
    expect((await me.account()).orders).toEqual([]);
  });

  test('an expired session is not found', async () => {
    const key = keyNamed('short session');
    const sessionId = await openShortSession(me, key);
    const placeWithIt = async (): Promise<Receipt> =>
      me.client.placeOrder(await me.order({ sessionId, fillMode: 'immediateOrCancel' }), key);
    await expect.poll(placeWithIt, { timeout: 300_000, interval: 300 }).toMatchObject({ kind: 'err', error: 'SESSION_NOT_FOUND' });
    expect(await me.openSession(key, { life: -1 })).toMatchObject({ kind: 'err', error: 'EXPIRY_TIMESTAMP_IN_PAST' });
  });

  test('malformed bodies are refused, and the exchange still works', async () => {
    for (const [name, body] of malformedBodies(me.client.orderFrame(await me.order()), session)) {
      const answer = await me.client.post(body);
      expect([name, answer.status, await isRefused(me.client, answer)]).toEqual([name, answer.status, true]);
    }
    expect((await me.account()).orders).toEqual([]);
    expect(await me.place({ fillMode: 'immediateOrCancel' })).toMatchObject({ error: 'IMMEDIATE_ORDER_GOT_NO_FILLS' });
  });

  test('signed actions of administrative kinds are refused', async () => {
    for (const kind of [5, 9, 10, 18, 35, 41]) {
      const { timestamp, nonce } = await me.stamp();
      const framed = frame(message([1, BigInt(timestamp)], [2, BigInt(nonce)], [kind, message([1, me.sessionId])]));
      const answer = await me.client.post(Buffer.concat([framed, session.sign(framed)]));
      expect([kind, await isRefused(me.client, answer)]).toEqual([kind, true]);
    }
  });

  test('a body of another content type is refused', async () => {
    const framed = me.client.orderFrame(await me.order());
    const { status } = await me.client.post(Buffer.concat([framed, session.sign(framed)]), 'application/json');
    expect(status).toBe(415);
  });
});

/** True if an action was refused, by an error receipt or by a status of 400 to 499. */
async function isRefused(client: ForeignClient, { status, bytes }: Answer): Promise<boolean> {
  return status === 200 ? (await client.readReceipt(bytes)).kind === 'err' : status >= 400 && status < 500;
}

const upperHex = (bytes: Uint8Array): Uint8Array => Buffer.from(Buffer.from(bytes).toString('hex').toUpperCase());

/** Opens the shortest session that is accepted: on a slow machine one of a second has expired before its request arrives. */
async function openShortSession(me: HostedTrader, key: KeyPair): Promise<bigint> {
  for (let life = 1; ; life *= 2) {
    const receipt = await me.openSession(key, { life });
    if (receipt.kind !== 'err' || receipt.error !== 'EXPIRY_TIMESTAMP_IN_PAST' || life > 60) return sessionIn(receipt);
  }
}
