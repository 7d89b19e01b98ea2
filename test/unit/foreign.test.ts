// Tests the foreign exchange and the foreign client against each other, before either is used to test the project: actions and receipts.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ForeignClient, type OrderFields } from '../foreign/client.ts';
import { keyNamed, toBase58 } from '../foreign/keys.ts';
import { ACTION, type Numbering, PLACE_ORDER, schemaText } from '../foreign/numbering.ts';
import { frame, message } from '../foreign/protobuf.ts';
import { readReceipt } from '../foreign/read-receipt.ts';
import { type BookJson, RESTING_BID, session, TAKING_BID, trader, user } from './foreign-trader.ts';

const BIG = 2n ** 53n;
describe.each<Numbering>(['document', 'live'])('by the %s numbering', (numbering) => {
  test('an order rests, is shown under its ids, and is cancelled', async () => {
    const me = await trader({ numbering });
    const orderId = await me.rest({ clientOrderId: 77n });
    expect((await me.account()).orders).toMatchObject([{ orderId: Number(orderId), size: 0.01, clientOrderId: 77 }]);
    expect(await me.cancel(orderId)).toMatchObject({ kind: 'cancelled', orderId, accountId: 4 });
    expect((await me.account()).orders).toEqual([]);
    expect(me.exchange.state.actions.map(({ kind, signature, outcome }) => [kind, signature, outcome])).toEqual([
      ['createSession', 'good', 'accepted'],
      ['placeOrder', 'good', 'accepted'],
      ['cancelOrder', 'good', 'accepted'],
    ]);
  });

  test('an order that crosses is filled as taker: position, fee and trade agree', async () => {
    const me = await trader({ numbering });
    const receipt = await me.place(TAKING_BID);
    if (receipt.kind !== 'placed') throw new Error(receipt.kind);
    expect(receipt.posted).toBeUndefined();
    const cost = receipt.fills.reduce((sum, fill) => sum + Number(fill.price * fill.size) / 1e5, 0);
    const { balances, positions } = await me.account();
    expect(positions).toMatchObject([{ marketId: 0, perp: { baseSize: 0.01, isLong: true } }]);
    expect(positions[0]?.perp?.price).toBeCloseTo(cost / 0.01, 6);
    const { items } = await me.read<{ items: { takerFee: number; takerSide: string }[] }>('/trades?takerId=4');
    expect(items.every((trade) => trade.takerSide === 'bid')).toBe(true);
    expect(balances[0]?.amount).toBeCloseTo(100_000 - items.reduce((sum, trade) => sum + trade.takerFee, 0), 6);
  });

  test('a resting order is filled as maker when the price reaches it', async () => {
    const me = await trader({ numbering });
    const { bids } = await me.read<BookJson>('/market/0/orderbook');
    const inside = BigInt(Math.round((bids[0]?.[0] ?? 0) * 10)) + 5n;
    const orderId = await me.rest({ fillMode: 'postOnly', price: inside });
    me.pass(60_000);
    expect(me.exchange.state.position({ account: 4 })).toBe(0.01);
    expect(me.exchange.state.trades.filter((trade) => trade.orderId === orderId)).toMatchObject([
      { makerId: 4, price: Number(inside), size: 100 },
    ]);
    const { items } = await me.read<{ items: { finalizationReason: string }[] }>('/account/4/orders');
    expect(items).toMatchObject([{ finalizationReason: 'Filled', filledSize: 0.01 }]);
  });

  const fundsError = numbering === 'live' ? 'RISK_OMF_LESS_THAN_OR_EQUAL_IMF' : 'INSUFFICIENT_FUNDS';
  test.each<[string, Partial<OrderFields>]>([
    ['POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS', { ...TAKING_BID, fillMode: 'postOnly' }],
    ['IMMEDIATE_ORDER_GOT_NO_FILLS', { fillMode: 'immediateOrCancel' }],
    ['ORDER_EXECUTION_FILL_OR_KILL', { ...TAKING_BID, fillMode: 'fillOrKill', price: 605_000n, size: 300_000n }],
    ['ORDER_SIZE_ZERO', { size: 0n }],
    ['ORDER_EXECUTION_MISSING_PRICE', { price: 0n }],
    ['MARKET_NOT_FOUND', { marketId: 9 }],
    ['ACCOUNT_INVALID_OWNER', { senderAccountId: 5 }],
    ['SESSION_NOT_FOUND', { sessionId: 3n }],
    [fundsError, { size: 10_000_000n }],
  ])('%s', async (error, order) => {
    const me = await trader({ numbering });
    expect(await me.place(order)).toMatchObject({ kind: 'err', error });
    expect(me.exchange.state.orders).toEqual([]);
    expect(me.exchange.state.actions.at(-1)).toMatchObject({ kind: 'placeOrder', outcome: error });
  });

  test('a wrong signature is reported, and nothing happens', async () => {
    const me = await trader({ numbering });
    const receipt = await me.client.placeOrder({ sessionId: me.sessionId, ...RESTING_BID, ...(await me.stamp()) }, keyNamed('thief'));
    expect(receipt).toMatchObject({ kind: 'err', error: numbering === 'live' ? 'SIGNATURE_VERIFICATION' : 'INVALID_SIGNATURE' });
    expect(me.exchange.state.actions.at(-1)).toMatchObject({ signature: 'bad' });
    expect(me.exchange.state.orders).toEqual([]);
  });

  test('a time must be engine time within sixty seconds, and no request counts twice', async () => {
    const me = await trader({ numbering, settings: { timeOffsetSeconds: -90 } });
    const { timestamp } = await me.stamp();
    expect(timestamp).toBe(1_800_000_000 - 90);
    expect(await me.place({}, { timestamp: timestamp + 90 })).toMatchObject({ error: 'TIMESTAMP_OUT_OF_THRESHOLD' });
    expect(await me.place({}, { timestamp: timestamp - 60 })).toMatchObject({ kind: 'placed' });
    expect(await me.place({}, { timestamp: timestamp - 60 })).toMatchObject({ kind: 'err', error: 'DUPLICATE' });
    expect(me.exchange.state.orders).toHaveLength(1);
  });

  test('the field numbers of PlaceOrder are the same in the table and in the served schema', async () => {
    const text = schemaText({ numbering, extras: true });
    const names = { ...PLACE_ORDER[numbering] };
    const body = /message PlaceOrder \{([^}]*)\}/.exec(text)?.[1] ?? '';
    const inText = Object.fromEntries([...body.matchAll(/(\w+) = (\d+);/g)].map(([, name, number]) => [name, Number(number)]));
    expect(inText).toMatchObject({
      session_id: names.sessionId,
      side: names.side,
      fill_mode: names.fillMode,
      price: names.price,
      size: names.size,
    });
    expect(inText).toMatchObject({ client_order_id: names.clientOrderId, sender_account_id: names.senderAccountId });
  });
});

describe('identities', () => {
  test('ids above 2^53 survive the wire and JSON, as numbers and as strings', async () => {
    const me = await trader({ bigIds: true });
    const orderId = await me.rest({ clientOrderId: BIG + 3n });
    expect(orderId).toBeGreaterThan(BIG);
    expect((await me.account()).orders).toMatchObject([{ orderId: String(orderId), clientOrderId: String(BIG + 3n) }]);
    const raw = async (): Promise<string> => Buffer.from((await me.client.fetch('GET', '/account/4')).bytes).toString();
    expect(await raw()).toContain(`"orderId":${orderId},`);
    me.exchange.control.set({ idsAsStrings: true });
    expect(await raw()).toContain(`"orderId":"${orderId}",`);
    expect(await me.cancel(orderId)).toMatchObject({ kind: 'cancelled', orderId });
  });

  test("a user's second account acts only if it is named", async () => {
    const me = await trader({ accountIds: [4, 7] });
    expect(await me.read(`/user/${user.base58}`)).toMatchObject({ accountIds: [4, 7] });
    const orderId = await me.rest({ senderAccountId: 7 });
    expect((await me.account(7)).orders).toHaveLength(1);
    expect(await me.cancel(orderId)).toMatchObject({ error: 'ORDER_NOT_FOUND' });
    expect(await me.cancel(orderId, { senderAccountId: 7 })).toMatchObject({ kind: 'cancelled', accountId: 7 });
    await me.rest();
    expect((await me.account(4)).orders).toHaveLength(1);
  });

  test('without the extras a client order id is ignored, and the schema lacks it', async () => {
    const me = await trader({ extras: false });
    await me.rest({ clientOrderId: 5n, senderAccountId: 9 });
    expect((await me.account()).orders).toMatchObject([{ clientOrderId: null }]);
    expect(schemaText({ numbering: 'document', extras: false })).not.toMatch(/client_order_id|sender_account_id/);
  });

  test('an evicted or expired session is not found', async () => {
    const me = await trader({ settings: { sessionSeconds: 15 } });
    const { sessions } = await me.read<{ sessions: Record<string, { pubkey: string; expiry: string }> }>(`/user/${user.base58}`);
    expect(sessions).toEqual({ [String(me.sessionId)]: { pubkey: session.base58, expiry: new Date(1_800_000_015_000).toISOString() } });
    me.pass(15_000);
    expect(await me.place()).toMatchObject({ error: 'SESSION_NOT_FOUND' });
    await me.openSession();
    expect(await me.place()).toMatchObject({ kind: 'placed' });
    me.exchange.control.evictSessions();
    expect(await me.place()).toMatchObject({ error: 'SESSION_NOT_FOUND' });
  });

  test('without a faucet an unknown key is no user, and a known one is', async () => {
    const stranger = await trader({ faucet: 0 });
    expect(await stranger.openSession()).toMatchObject({ error: 'USER_NOT_FOUND' });
    const me = await trader({ faucet: 0, users: [user.base58] });
    expect(me.sessionId).not.toBe(0n);
  });
});

describe('replies', () => {
  test('a lost reply leaves an order', async () => {
    const me = await trader();
    me.exchange.control.loseReplies(1);
    await expect(me.place()).rejects.toThrow();
    expect((await me.account()).orders).toHaveLength(1);
    expect(me.exchange.state.actions.at(-1)).toMatchObject({ replyLost: true, outcome: 'accepted' });
    expect(await me.place()).toMatchObject({ kind: 'placed' });
  });

  test('with bare results and without an echo, only the account shows the outcome', async () => {
    const me = await trader({ bareResults: true, settings: { echoClientOrderId: false } });
    expect(await me.place({ clientOrderId: 5n })).toMatchObject({ kind: 'placed', posted: undefined, fills: [] });
    expect((await me.account()).orders).toMatchObject([{ clientOrderId: null }]);
  });

  test('DUPLICATE of action 7 has the documented five bytes', () => {
    const bytes = Uint8Array.from([5, 0x08, 0x07, 0x80, 0x02, 0x00]);
    expect(readReceipt(bytes, new Map([[0, 'DUPLICATE']]))).toEqual({ actionId: 7n, kind: 'err', error: 'DUPLICATE' });
    expect(Buffer.from(frame(message([1, 7n], [32, 0n])))).toEqual(Buffer.from(bytes));
  });

  test("an order with the document's numbers reads as reduce-only with the live ones, and is refused", async () => {
    const me = await trader({ numbering: 'live' });
    const mistaken = new ForeignClient({ url: me.exchange.url, numbering: 'document' });
    const receipt = await mistaken.placeOrder({ sessionId: me.sessionId, ...RESTING_BID, price: 1n, ...(await me.stamp()) }, session);
    expect(receipt).toMatchObject({ error: 'ONLY_IMMEDIATE_ORDERS_ALLOWED' });
    expect(me.exchange.state.actions.at(-1)?.fields).toMatchObject({ reduceOnly: true, price: 100n, size: 0n });
  });

  test.each<[string, Uint8Array]>([
    ['nothing', new Uint8Array()],
    ['a prefix that promises 2 GB', Uint8Array.from([0x80, 0x80, 0x80, 0x80, 0x08])],
    [
      'two kinds at once',
      Buffer.concat([frame(message([ACTION.placeOrder, message()], [ACTION.cancelOrder, message()])), new Uint8Array(64)]),
    ],
    ['no signature', frame(message([ACTION.placeOrder, message()]))],
  ])('%s cannot be read', async (_, body) => {
    const me = await trader();
    expect(await me.client.act(body)).toMatchObject({ kind: 'err', error: 'DECODE_FAILURE' });
    expect(await me.place()).toMatchObject({ kind: 'placed' });
  });
});

test('base58 keeps leading zeros, and encodes the published example', () => {
  expect(toBase58(new Uint8Array(32))).toBe('1'.repeat(32));
  expect(toBase58(Buffer.from('Hello World!'))).toBe('2NEpo7TZRRrLZSi2U');
});

test('the foreign code uses nothing of the project, and no library', () => {
  const folder = new URL('../foreign/', import.meta.url);
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts'));
  const imports = sources.flatMap((name) =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from]) => from),
  );
  expect(imports.length).toBeGreaterThan(sources.length);
  expect(imports.filter((from) => !/^(node:|\.\/[\w-]+\.ts$)/.test(from ?? ''))).toEqual([]);
});
