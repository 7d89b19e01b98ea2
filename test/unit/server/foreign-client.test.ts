// A client that shares no code with the project: protobufjs on the served schema, noble's signatures, fetch and JSON.parse.
import { getPublicKeyAsync, signAsync } from '@noble/ed25519';
import bs58 from 'bs58';
import { parse, type Root } from 'protobufjs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { systemClock } from '../../../src/base/clock.ts';
import { micros } from '../../../src/bot/domain/numbers.ts';
import { type Embedded, startEmbedded } from '../../../src/embedded/server/embedded.ts';
import { bundledSchema } from '../../../src/venues/wire/schema/schema.ts';

let embedded: Embedded;
let schema: Root;
const [wallet, session] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

beforeAll(async () => {
  const options = { seed: 'foreign', start: Date.UTC(2026, 0, 1), clock: systemClock, speed: 1, schema: bundledSchema() };
  embedded = await startEmbedded({ ...options, faucet: micros(10_000e6), port: 0, onBug: (thrown) => expect(thrown).toBeUndefined() });
  schema = parse(await (await get('/schema.proto')).text(), { keepCase: true }).root;
});
afterAll(() => embedded.close());

const get = (path: string): Promise<Response> => fetch(`${embedded.url ?? ''}${path}`);
const json = async <T>(path: string): Promise<T> => (await (await get(path)).json()) as T;

interface Receipt {
  readonly kind?: string;
  readonly err?: string;
  readonly create_session_result?: { readonly session_id: string };
  readonly place_order_result?: { readonly posted: { readonly order_id: string; readonly account_id: number }; readonly fills?: unknown[] };
  readonly cancel_order_result?: { readonly order_id: string };
}

async function post(action: object, sign: (framed: Uint8Array) => Promise<Uint8Array>): Promise<Receipt> {
  const type = schema.lookupType('nord.Action');
  const current_timestamp = await json<number>('/timestamp');
  const framed = type.encodeDelimited(type.fromObject({ current_timestamp, nonce: 7, ...action })).finish();
  const body = Buffer.concat([framed, await sign(framed)]);
  const reply = await fetch(`${embedded.url ?? ''}/action`, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/octet-stream' },
  });
  expect(reply.status).toBe(200);
  const receipt = schema.lookupType('nord.Receipt');
  return receipt.toObject(receipt.decodeDelimited(new Uint8Array(await reply.arrayBuffer())), {
    oneofs: true,
    longs: String,
    enums: String,
  });
}

const byWallet = (framed: Uint8Array) => signAsync(Buffer.from(Buffer.from(framed).toString('hex')), wallet);
const bySession = (framed: Uint8Array) => signAsync(framed, session);

describe('a foreign client', () => {
  test('opens a session, rests an order, sees it, cancels it', async () => {
    const user_pubkey = await getPublicKeyAsync(wallet);
    const session_pubkey = await getPublicKeyAsync(session);
    const expiry_timestamp = (await json<number>('/timestamp')) + 3_600;
    const opened = await post({ create_session: { user_pubkey, session_pubkey, expiry_timestamp } }, byWallet);
    expect(opened).toMatchObject({ kind: 'create_session_result' });
    const session_id = opened.create_session_result?.session_id;

    const { accountIds, sessions } = await json<{ accountIds: number[]; sessions: object }>(`/user/${bs58.encode(user_pubkey)}`);
    const expiry = new Date(expiry_timestamp * 1000).toISOString();
    expect(sessions).toEqual({ [session_id ?? '']: { pubkey: bs58.encode(session_pubkey), expiry } });

    const order = { session_id, market_id: 0, side: 'BID', fill_mode: 'POST_ONLY', price: 500_000, size: 100, client_order_id: '5' };
    const placed = await post({ place_order: order }, bySession);
    expect(placed).toMatchObject({
      kind: 'place_order_result',
      place_order_result: { posted: { account_id: accountIds[0], price: '500000' } },
    });
    const order_id = placed.place_order_result?.posted.order_id;

    const { orders } = await json<{ orders: unknown[] }>(`/account/${accountIds[0]}`);
    const shown = {
      orderId: Number(order_id),
      marketId: 0,
      side: 'bid',
      price: 50_000,
      size: 0.01,
      originalOrderSize: 0.01,
      clientOrderId: 5,
    };
    expect(orders).toEqual([shown]);

    const cancel = { cancel_order: { session_id, order_id } };
    expect(await post(cancel, byWallet)).toMatchObject({ kind: 'err', err: 'INVALID_SIGNATURE' });
    expect(await post(cancel, bySession)).toMatchObject({ kind: 'cancel_order_result', cancel_order_result: { order_id } });
    expect(await json(`/account/${accountIds[0]}`)).toMatchObject({ orders: [] });
  });

  test('takes at once and finds the trade', async () => {
    const session_pubkey = await getPublicKeyAsync(session);
    const expiry_timestamp = (await json<number>('/timestamp')) + 60;
    const opened = await post(
      { create_session: { user_pubkey: await getPublicKeyAsync(wallet), session_pubkey, expiry_timestamp } },
      byWallet,
    );
    const order = { session_id: opened.create_session_result?.session_id, side: 'BID', fill_mode: 'IMMEDIATE_OR_CANCEL', size: 50 };
    const placed = await post({ place_order: { ...order, price: 650_000 } }, bySession);
    expect(placed.place_order_result?.fills?.length).toBeGreaterThan(0);
    expect(placed.place_order_result).not.toHaveProperty('posted.order_id');
    const { accountIds } = await json<{ accountIds: number[] }>(`/user/${bs58.encode(await getPublicKeyAsync(wallet))}`);
    const { items } = await json<{ items: { baseSize: number }[] }>(`/trades?takerId=${accountIds[0]}&marketId=0`);
    expect(items.reduce((sum, { baseSize }) => sum + baseSize, 0)).toBeCloseTo(0.005, 9);
  });
});
