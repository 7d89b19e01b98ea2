// What the answers to actions prove, and the order without an answer that is settled by an action with its nonce.
import { expect, test } from 'vitest';
import { DAY, VirtualClock } from '../../../../src/base/clock.ts';
import { ClientError } from '../../../../src/base/transport/client-error.ts';
import type { HttpRequest, Transport } from '../../../../src/base/transport/transport.ts';
import type { CancelOrder, PlaceOrder } from '../../../../src/bot/domain/action.ts';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import { statusReads } from '../../../../src/venues/hyperliquid/client.ts';
import { hyperliquidOver } from '../../../../src/venues/hyperliquid/open.ts';
import { type FoundStatus, ordersOver, type ReadStatus } from '../../../../src/venues/hyperliquid/placing.ts';
import { type Actions, actionsOver, questionsOver, refusalOf } from '../../../../src/venues/hyperliquid/requests.ts';
import { SERVER_LAG } from '../../../../src/venues/hyperliquid/rules.ts';
import { meta } from '../../../../src/venues/hyperliquid/shapes.ts';
import { clientOrderIdIn, cloidOf, listingOf } from '../../../../src/venues/hyperliquid/snapshots.ts';
import { KEY, STAND_IN } from '../../../hyperliquid/agent.ts';

const { markets } = listingOf(
  meta.parse({
    universe: [
      { name: 'OLD', szDecimals: 1, maxLeverage: 3, isDelisted: true },
      { name: 'BTC', szDecimals: 5, maxLeverage: 40 },
    ],
  }),
  { tokens: [], universe: [] },
);
const [BTC] = markets;
const ORDER: PlaceOrder = {
  kind: 'place',
  clientOrderId: '18446744073709551615',
  market: 1,
  side: 'bid',
  price: ticks(600_000),
  size: lots(123),
  fillMode: 'POST_ONLY',
};

/** Returns the calls of a client whose actions are answered with `answers`, one after another, and what it sent. */
function clientWith(...answers: readonly unknown[]) {
  return clientThatShows(() => undefined, ...answers);
}

/** `show`: returns the status of the order with an id or cloid, and when it came to it if that is not just now. */
function clientThatShows(show: (oid: number | string) => FoundStatus | string | undefined, ...answers: readonly unknown[]) {
  const sent: { action: unknown; nonce: number; expiresAfter?: number | undefined }[] = [];
  let nonce = 100;
  const actions: Actions = {
    nextNonce: () => ++nonce,
    act: async (signed, { shape, mismatchIn }) => {
      sent.push(signed);
      const answer = answers[sent.length - 1];
      if (answer === undefined) throw new Error('lost');
      const parsed = shape.parse(answer);
      const mismatch = mismatchIn?.(parsed);
      if (mismatch !== undefined) throw new Error(mismatch);
      return parsed;
    },
  };
  const readStatus: ReadStatus = async (oid) => {
    const shown = show(oid);
    return typeof shown === 'string' ? { status: shown, statusTimestamp: nonce } : shown;
  };
  return { calls: ordersOver(actions, readStatus), sent };
}

const NO_TRANSPORT: Transport = { request: () => Promise.reject(new Error('nothing is sent')), close: () => Promise.resolve() };

const ordered = (status: unknown) => ({ status: 'ok', response: { type: 'order', data: { statuses: [status] } } });
const EXPIRY = { deadAfter: 1_700_000_000 };

test('a market keeps its asset id when another one is delisted', () => {
  expect(markets.map(({ id, symbol }) => [id, symbol])).toEqual([[1, 'BTCUSDC']]);
  expect(BTC?.spec).toMatchObject({ priceDecimals: 1, priceFigures: 5, sizeDecimals: 5, minNotional: 10, imf: 1 / 40, mmf: 1 / 80 });
});

test('a client order id of 64 bits is read back from its cloid, and that of another program is none', () => {
  expect(cloidOf(ORDER.clientOrderId)).toBe('0x7469636b77726967ffffffffffffffff');
  expect(clientOrderIdIn(cloidOf(ORDER.clientOrderId))).toEqual({ clientOrderId: ORDER.clientOrderId });
  expect(clientOrderIdIn('0x00000000000000000000000000000007')).toEqual({});
});

test('an order is sent with its cloid, its expiry and prices without zeros at the end', async () => {
  const { calls, sent } = clientWith(ordered({ resting: { oid: 7 } }));
  expect(await calls.place(ORDER, BTC!, EXPIRY)).toEqual({ orderId: '7', actionId: '7', taken: [], resting: 123 });
  const [{ action, expiresAfter }] = sent as [(typeof sent)[0]];
  expect(expiresAfter, 'so early that a server that is behind shows it in time').toBe(1_700_000_000_000 - SERVER_LAG);
  expect(action).toMatchObject({
    orders: [{ a: 1, b: true, p: '60000', s: '0.00123', r: false, t: { limit: { tif: 'Alo' } }, c: cloidOf(ORDER.clientOrderId) }],
  });
});

test.each([
  ['Insufficient margin to place order. asset=1', 'refused'],
  ['Order was never placed, already canceled, or filled.', 'notFound'],
  ['Invalid nonce: duplicate nonce 5', 'http'],
  ['Action already expired', 'http'],
  ['Duplicate cloid', 'http'],
])('"%s" is an error of the kind %s', (text, kind) => {
  expect(refusalOf('the order', text).kind).toBe(kind);
});

test('a refusal of the whole action, and of its one order, rejects with the reason', async () => {
  await expect(
    clientWith({ status: 'err', response: 'Too many cumulative requests' }).calls.place(ORDER, BTC!, EXPIRY),
  ).rejects.toMatchObject({
    kind: 'refused',
    reason: 'Too many cumulative requests',
  });
  await expect(clientWith(ordered({ error: 'Order has invalid price.' })).calls.place(ORDER, BTC!, EXPIRY)).rejects.toMatchObject({
    kind: 'refused',
    reason: 'Order has invalid price.',
  });
});

test.each([
  [{ status: 'ok', response: { type: 'default' } }, 'absent'],
  [{ status: 'err', response: 'Invalid nonce: duplicate nonce 101' }, 'admitted'],
  [{ status: 'err', response: 'Invalid nonce: nonce too low 101 < 200' }, 'unknown'],
  [{ status: 'err', response: 'User or API Wallet 0x0 does not exist.' }, 'unknown'],
])('an order without an answer whose nonce is answered with %j is %s', async (answer, verdict) => {
  const lost = clientWith(undefined, answer);
  await expect(lost.calls.place(ORDER, BTC!, EXPIRY)).rejects.toThrow('lost');
  expect(await lost.calls.settle(ORDER)).toBe(verdict);
  expect(lost.sent[1]).toEqual({ action: { type: 'noop' }, nonce: lost.sent[0]!.nonce });
});

test('only the action that settles an order has a connection of its own, as its answer names no order', async () => {
  const requests: HttpRequest[] = [];
  const transport: Transport = {
    request: async (request) => {
      requests.push(request);
      const body = requests.length === 1 ? 'lost' : JSON.stringify({ status: 'ok', response: { type: 'default' } });
      return { status: 200, contentType: '', body: new TextEncoder().encode(body) };
    },
    close: () => Promise.resolve(),
  };
  const actions = actionsOver({ transport, exchangeTime: () => 0, key: KEY, network: 'testnet' });
  const calls = ordersOver(actions, async () => undefined);
  await expect(calls.place(ORDER, BTC!, EXPIRY)).rejects.toMatchObject({ kind: 'notJson' });
  expect(await calls.settle(ORDER)).toBe('absent');
  expect(requests.map(({ ownConnection }) => ownConnection)).toEqual([undefined, true]);
});

test('nothing is proved of an order of an earlier process', async () => {
  const { calls, sent } = clientWith();
  expect(await calls.settle(ORDER)).toBe('unknown');
  expect(sent).toEqual([]);
});

test('a receipt that names another order is none', async () => {
  const other = clientWith(ordered({ resting: { oid: 7, cloid: cloidOf('5') } }));
  await expect(other.calls.place(ORDER, BTC!, EXPIRY)).rejects.toThrow(`the answer about the order ${cloidOf('5')}`);
  const own = clientWith(ordered({ resting: { oid: 7, cloid: cloidOf(ORDER.clientOrderId) } }));
  expect(await own.calls.place(ORDER, BTC!, EXPIRY)).toMatchObject({ orderId: '7' });
});

const UNREADABLE = () => {
  throw new ClientError({ kind: 'notSent', message: 'nothing answers' });
};
const refusedAs = ordered({ error: 'Post only order would have immediately matched' });

test.each([
  ['open', 'http'],
  ['filled', 'http'],
  ['badAloPxRejected', 'refused'],
  [undefined, 'refused'],
])('a refusal of an order that the exchange shows as %s is an error of the kind %s', async (status, kind) => {
  const { calls } = clientThatShows((oid) => (oid === cloidOf(ORDER.clientOrderId) ? status : 'another'), refusedAs);
  await expect(calls.place(ORDER, BTC!, EXPIRY)).rejects.toMatchObject({ kind });
});

test('a refusal proves nothing if the status of the order cannot be read', async () => {
  await expect(clientThatShows(UNREADABLE, refusedAs).calls.place(ORDER, BTC!, EXPIRY)).rejects.toMatchObject({ kind: 'http' });
});

const CANCEL: CancelOrder = { kind: 'cancel', clientOrderId: ORDER.clientOrderId, market: 1, orderId: '7' };
const success = { status: 'ok', response: { type: 'cancel', data: { statuses: ['success'] } } };

test('the success of a cancel counts if the exchange shows the order as cancelled', async () => {
  const byId = clientThatShows((oid) => (oid === 7 ? 'canceled' : 'open'), success);
  expect(await byId.calls.cancel(CANCEL, BTC!, EXPIRY)).toBe('cancelled');
});

test.each(['open', 'filled', 'marginCanceled', undefined])('it proves nothing while the status of the order is %s', async (status) => {
  await expect(clientThatShows(() => status, success).calls.cancel(CANCEL, BTC!, EXPIRY)).rejects.toMatchObject({ kind: 'http' });
});

const cancelOfCancelled = (statusTimestamp: number) =>
  clientThatShows(() => ({ status: 'canceled', statusTimestamp }), success).calls.cancel(CANCEL, BTC!, { ...EXPIRY, nonce: 50_000 });

test('nor if it was cancelled before: the answer is that to another cancel, by a connection that is out of step', async () => {
  await expect(cancelOfCancelled(40_000)).rejects.toMatchObject({ kind: 'http' });
  expect(await cancelOfCancelled(49_900), 'the two clocks need not agree to the millisecond').toBe('cancelled');
});

test('nor if the status cannot be read', async () => {
  await expect(clientThatShows(UNREADABLE, success).calls.cancel(CANCEL, BTC!, EXPIRY)).rejects.toMatchObject({ kind: 'http' });
});

test.each([
  ['Order was never placed, already canceled, or filled.', 'notFound'],
  ['Too many cumulative requests', 'refused'],
])('a cancel that is refused with "%s" has failed, also of an order that was cancelled: %s', async (error, kind) => {
  const refused = { status: 'ok', response: { type: 'cancel', data: { statuses: [{ error }] } } };
  await expect(clientThatShows(() => 'canceled', refused).calls.cancel(CANCEL, BTC!, EXPIRY)).rejects.toMatchObject({
    kind,
    reason: error,
  });
});

test('nonces are of the exchange’s time, however wrong our clock is', async () => {
  const theirs = 1_700_000_000_000;
  const body = new TextEncoder().encode(JSON.stringify({ time: theirs }));
  const transport: Transport = { ...NO_TRANSPORT, request: async () => ({ status: 200, contentType: 'application/json', body }) };
  const client = hyperliquidOver({ url: STAND_IN, transport, clock: new VirtualClock(theirs + 3 * DAY), key: KEY });
  await client.clock?.read();
  const [prepared] = client.prepare([ORDER], { latestSecond: theirs / 1_000, marketOf: () => BTC! });
  expect(prepared).toMatchObject({ kind: 'ready', record: { nonce: theirs } });
});

test('nonces rise, above those of earlier processes, and follow the exchange', () => {
  let time = 1_000;
  const nonces = (lastNonce?: number) =>
    actionsOver({ transport: NO_TRANSPORT, exchangeTime: () => time, lastNonce, key: KEY, network: 'testnet' }).nextNonce;
  const next = nonces(5_000);
  expect([next(), next()]).toEqual([5_001, 5_002]);
  time = 9_000;
  expect([next(), next()]).toEqual([9_000, 9_001]);
  time = 8_000;
  expect([next(), nonces()()]).toEqual([9_002, 8_000]);
});

test('that an order is unknown counts if a connection without other requests answers so, too', async () => {
  const cloid = cloidOf(ORDER.clientOrderId);
  const shown = { status: 'order', order: { order: { oid: 7, cloid }, status: 'open', statusTimestamp: 1 } };
  const readWith = (onOwnConnection: object) => {
    const request: Transport['request'] = async ({ ownConnection }) => ({
      status: 200,
      contentType: 'application/json',
      body: new TextEncoder().encode(JSON.stringify(ownConnection === true ? onOwnConnection : { status: 'unknownOid' })),
    });
    return statusReads(questionsOver({ ...NO_TRANSPORT, request }), KEY.master)(cloid);
  };
  expect(await readWith(shown)).toMatchObject({ status: 'open' });
  expect(await readWith({ status: 'unknownOid' })).toBeUndefined();
});
