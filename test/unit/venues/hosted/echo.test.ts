// A receipt is accepted only for the action that it echoes.
import { beforeEach, expect, test } from 'vitest';
import { Echo } from '../../../../src/venues/client/hosted-echo.ts';
import type { Receipt } from '../../../../src/venues/wire/codec.ts';
import { cancel, connected, place } from './bench.ts';
import { accepted } from './fake-exchange.ts';

let echo: Echo;
beforeEach(() => {
  echo = new Echo(7);
});

const order = place({ clientOrderId: '11' });
const posted = { orderId: '3', marketId: 0, side: 'bid', price: 995n, size: 20n, accountId: 7 } as const;
const receipt = { kind: 'placeOrder', actionId: '9', posted, fills: [], clientOrderId: '11' } as const;
const err = (error: string): Receipt => ({ kind: 'err', actionId: '9', error, code: 1 });
const bare: Receipt = { kind: 'placeOrder', actionId: '9', fills: [] };

test.each<[string, Receipt]>([
  ['itself', receipt],
  [
    'its own fields, partly filled at a better price',
    { ...receipt, posted: { ...posted, size: 5n }, fills: [{ orderId: '2', price: 990n, size: 15n, accountId: 8 }] },
  ],
  ['a bare result', bare],
  ['only its id and its size', { ...receipt, clientOrderId: undefined, posted: { ...posted, side: 'ask', price: 0n, accountId: 0 } }],
  ['its refusal', err('INSUFFICIENT_FUNDS')],
])('an order may be answered with %s', (_, answer) => {
  expect(echo.mismatch(order, answer)).toBeUndefined();
});

test.each<[string, Receipt]>([
  ['another order', { ...receipt, clientOrderId: '12' }],
  ['another market', { ...receipt, posted: { ...posted, marketId: 1 } }],
  ['the other side', { ...receipt, posted: { ...posted, side: 'ask' } }],
  ['another price', { ...receipt, posted: { ...posted, price: 994n } }],
  ['a larger size', { ...receipt, posted: { ...posted, size: 21n } }],
  ['a larger size including its fills', { ...receipt, fills: [{ orderId: '2', price: 990n, size: 1n, accountId: 8 }] }],
  ['fills beyond its price', { ...receipt, posted: undefined, fills: [{ orderId: '2', price: 996n, size: 1n, accountId: 8 }] }],
  ['another account', { ...receipt, posted: { ...posted, accountId: 8 } }],
  ['a cancel', { kind: 'cancelOrder', actionId: '9', orderId: '3', accountId: 7 }],
  ['a session', { kind: 'createSession', actionId: '9', sessionId: '3' }],
  ['the refusal of a cancel', err('ORDER_NOT_FOUND')],
])('an order cannot be answered with %s', (_, answer) => {
  expect(echo.mismatch(order, answer)).toMatch(/^the receipt belongs to another action: /);
});

test.each<[string, Receipt]>([
  ['another order', { kind: 'cancelOrder', actionId: '9', orderId: '3', accountId: 7 }],
  ['another account', { kind: 'cancelOrder', actionId: '9', orderId: '18446744073709551615', accountId: 8 }],
  ['a placement', receipt],
  ['the refusal of a placement', err('POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS')],
])('a cancel cannot be answered with %s', (_, answer) => {
  expect(echo.mismatch(cancel(), answer)).toMatch(/^the receipt belongs to another action: /);
});

test('if no field names the order, one executed action does not count for two orders', () => {
  expect(echo.mismatch(order, bare)).toBeUndefined();
  expect(echo.mismatch(place(), bare)).toMatch(/action 9 was already reported/);
  expect(echo.mismatch(place(), { ...bare, actionId: '10' })).toBeUndefined();
});

test('an order that is answered with the receipt of the order before is unknown, and the connections are closed; so is a cancel', async () => {
  const bench = await connected();
  const resets: string[] = [];
  Object.assign(bench.exchange, { reset: (reason: string) => resets.push(reason) });
  const [first, second] = [place(), place({ side: 'ask' })];
  let before: Receipt | undefined;
  bench.exchange.answer = (action) => {
    const own = accepted(action);
    const reported = before ?? own;
    before = own;
    return reported;
  };
  await bench.submit([first]);
  await bench.submit([second]);
  await bench.submit([cancel()]);
  expect(bench.of('orderOpened')).toMatchObject([{ clientOrderId: first.clientOrderId }]);
  expect(bench.of('orderUnknown')).toMatchObject([
    { clientOrderId: second.clientOrderId, reason: expect.stringContaining('another action') },
  ]);
  expect(bench.of('cancelAnswered')).toMatchObject([{ outcome: 'unknown' }]);
  expect(resets).toHaveLength(2);
});

test('after a refusal, which echoes nothing, the next action uses another connection', async () => {
  const bench = await connected();
  let renewed = 0;
  Object.assign(bench.exchange, { renew: () => void (renewed += 1) });
  await bench.submit([place()]);
  expect(renewed).toBe(0);
  bench.exchange.answer = () => bench.exchange.error('INSUFFICIENT_FUNDS');
  await bench.submit([place()]);
  expect(renewed).toBe(1);
});
