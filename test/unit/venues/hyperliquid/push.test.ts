// The messages of Hyperliquid's websocket: what is news, and what a subscription begins with.
import { expect, test } from 'vitest';
import { pushOf } from '../../../../src/venues/hyperliquid/push.ts';
import { meta } from '../../../../src/venues/hyperliquid/shapes.ts';
import { listingOf } from '../../../../src/venues/hyperliquid/snapshots.ts';

const { markets } = listingOf(meta.parse({ universe: [{ name: 'BTC', szDecimals: 5, maxLeverage: 40 }] }), { tokens: [], universe: [] });
const source = pushOf(markets, { dial: () => ({ send: () => undefined, close: () => undefined }), user: '0xabc' });
const read = (channel: string, data?: unknown) => source.read(JSON.stringify({ channel, data }));

const fill = (tid: number) => ({
  coin: 'BTC',
  side: 'B',
  px: '60000',
  sz: '0.1',
  time: 9,
  tid,
  oid: 5,
  crossed: true,
  fee: '2.7',
  feeToken: 'USDC',
});

test('it subscribes to books, trades, own fills and orders', () => {
  expect(source.hello().map((text) => JSON.parse(text).subscription)).toEqual([
    { type: 'l2Book', coin: 'BTC' },
    { type: 'trades', coin: 'BTC' },
    { type: 'userFills', user: '0xabc' },
    { type: 'orderUpdates', user: '0xabc' },
  ]);
});

test('an answer to a ping has no number: it is the last one', () => {
  expect(JSON.parse(source.ping(7))).toEqual({ method: 'ping' });
  expect(read('pong')).toEqual({ kind: 'pong', number: 7 });
});

test('a greeting in words, a confirmation and other coins are not needed', () => {
  expect(source.read('Websocket connection established.')).toBeUndefined();
  expect(read('subscriptionResponse', { method: 'subscribe' })).toBeUndefined();
  expect(read('l2Book', { coin: 'ETH', time: 1, levels: [[], []] })).toBeUndefined();
});

const trade = (time: number) => ({ coin: 'BTC', side: 'A', px: '60000', sz: '0.1', time, tid: time });

test('trades come oldest first', () => {
  expect(read('trades', [trade(9), trade(8)])).toMatchObject({ kind: 'trades', market: 0, trades: [{ time: 8 }, { time: 9 }] });
});

test('a fill is news, and not in a snapshot; of several at once a poll reads all', () => {
  expect(read('userFills', { isSnapshot: true, user: '0xabc', fills: [fill(1)] })).toBeUndefined();
  expect(read('userFills', { user: '0xabc', fills: [fill(1)] })).toMatchObject({ kind: 'fill', fill: { tradeId: '9-1', side: 'bid' } });
  expect(read('userFills', { user: '0xabc', fills: [fill(1), fill(2)] })).toEqual({ kind: 'changed' });
});

test('an order that the exchange ended by itself is a change of the account', () => {
  expect(read('orderUpdates', [{ status: 'open' }, { status: 'filled' }, { status: 'canceled' }])).toBeUndefined();
  expect(read('orderUpdates', [{ status: 'marginCanceled' }])).toEqual({ kind: 'changed' });
});

test('a message that makes no sense ends the connection', () => {
  expect(() => read('l2Book', { coin: 'BTC' })).toThrow('a book');
});
