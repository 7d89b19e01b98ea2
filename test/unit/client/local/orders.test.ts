// Orders: the bodies that are sent, and every form of the answers.
import { describe, expect, test } from 'vitest';
import { TransportError } from '../../../../src/base/transport/transport.ts';
import { clientOf, clientOn, crashed } from './canned.ts';

const order = { id: '7', market: 'BTC-PERP', future: 'BTC-PERP', type: 'limit', side: 'buy', price: 99, size: 1, status: 'open' };

test('open orders of all markets and of one, even if the server ignores the filter', async () => {
  const other = { ...order, id: '8', market: 'SOL/USDC', future: undefined };
  const { client, lines } = clientOn([{ result: [order, other] }]);
  expect(await client.openOrders()).toEqual([order, other]);
  expect(await client.openOrders({ market: 'SOL/USDC' })).toEqual([other]);
  expect(lines()).toEqual(['GET /orders', 'GET /orders?market=SOL%2FUSDC']);
});

describe('placing', () => {
  test('sends the document’s body, and the flags as booleans', async () => {
    const { client, lines, asked } = clientOn([{ result: { txId: '4yUQ' } }]);
    const wanted = { market: 'BTC-PERP', side: 'buy', price: 99.5, type: 'limit', size: 0.1, postOnly: true, reduceOnly: false } as const;
    expect(await client.place({ ...wanted, clientId: '5' })).toEqual({ txId: '4yUQ' });
    expect(lines()).toEqual(['POST /orders']);
    expect(asked[0]).toMatchObject({ request: { contentType: 'application/json' }, limits: { timeoutMs: 15_000 } });
    expect(asked[0]?.body).toEqual({ ...wanted, clientId: '5' });
  });

  test('sends a null price for a market order', async () => {
    const { client, asked } = clientOn([{ result: { txId: '4yUQ' } }]);
    const wanted = { market: 'BTC-PERP', side: 'sell', price: null, type: 'market', size: 1 } as const;
    await client.place(wanted);
    expect(asked[0]?.body).toEqual(wanted);
  });

  const placed = { market: 'BTC-PERP', side: 'buy', price: 0.3, type: 'limit', size: 0.1, clientId: '5' } as const;

  test.each([
    ['another market', { market: 'SOL-PERP' }],
    ['the other side', { side: 'sell' }],
    ['another price', { price: 0.31 }],
    ['another size', { size: 0.2 }],
    ['another client id', { clientId: '6' }],
  ])('an answer about %s may belong to another order: nothing is known of this one', async (_, echo) => {
    const { client } = clientOn([{ result: { ...placed, ...echo } }]);
    await expect(client.place(placed)).rejects.toMatchObject({ kind: 'noReply', message: expect.stringContaining('another order') });
  });

  test('an answer may have the noise of a sum, and a client id that the process chose', async () => {
    const { clientId: _, ...unnamed } = placed;
    const { client } = clientOn([{ result: { ...placed, price: 0.1 + 0.2 } }]);
    expect(await client.place(placed)).toMatchObject({ price: 0.1 + 0.2 });
    expect(await client.place(unnamed)).toMatchObject({ clientId: '5' });
  });

  test('writes flags as text for a server that accepts only that', async () => {
    const { client, asked } = clientOn([{ result: {} }], { flagsAs: 'text' });
    const wanted = { market: 'BTC-PERP', side: 'sell', price: 1, type: 'limit', size: 1 } as const;
    await client.place({ ...wanted, ioc: true, postOnly: false });
    expect(asked[0]?.body).toEqual({ ...wanted, ioc: 'true', postOnly: 'false' });
  });

  test.each([
    { price: Number.NaN, size: 1 },
    { price: 0, size: 1 },
    { price: 1, size: Number.POSITIVE_INFINITY },
    { price: null, size: 0 },
  ])('of $size at $price is not sent: JSON would write NaN as null', async (amounts) => {
    const { client, asked } = clientOn([{ result: {} }]);
    await expect(client.place({ market: 'BTC-PERP', side: 'buy', type: 'limit', ...amounts })).rejects.toThrow('an order cannot have');
    expect(asked).toEqual([]);
  });

  test.each([new TransportError('noReply', 'no reply within 15 s'), crashed('blockhash not found'), { status: 404, body: '' }])(
    'is tried once',
    async (reply) => {
      const { client, asked } = clientOn([reply]);
      await expect(client.place({ market: 'X', side: 'buy', price: 1, type: 'limit', size: 1 })).rejects.toMatchObject({
        name: 'ClientError',
      });
      expect(asked).toHaveLength(1);
    },
  );
});

test('modifying', async () => {
  const modified = { ...order, type: { limit: {} }, price: '98.5', size: '2', createdAt: '2026-01-02T03:04:05Z', remainingSize: null };
  const flags = { reduceOnly: false, ioc: false, postOnly: false, clientId: null };
  const { client, lines, asked } = clientOn([{ result: { ...modified, ...flags } }]);
  expect(await client.modify({ orderId: '7', price: 98.5, size: 2 })).toEqual({
    ...modified,
    type: 'limit',
    price: 98.5,
    size: 2,
    remainingSize: undefined,
    ...flags,
    clientId: undefined,
  });
  expect(lines()).toEqual(['POST /orders/7/modify']);
  expect(asked[0]?.body).toEqual({ price: 98.5, size: 2 });
  await expect(client.modify({ orderId: '7', price: Number.NaN, size: 2 })).rejects.toThrow('an order cannot have the price NaN');
});

describe('an order by its id', () => {
  const listing = 'GET /markets/BTC-PERP/trades';
  const asked = { orderId: '7', market: 'BTC-PERP' };

  test('is at its own path, and the listing is never requested', async () => {
    const { client, lines } = clientOf({ 'GET /orders/7': { result: { ...order, id: 7 } } });
    expect(await client.order(asked)).toEqual(order);
    expect(await client.order({ orderId: '7' })).toEqual(order);
    await expect(client.order({ ...asked, orderId: '8' })).rejects.toMatchObject({ kind: 'notFound' });
    expect(lines()).toEqual(['GET /orders/7', 'GET /orders/7', 'GET /orders/8']);
  });

  test.each([
    ['no route', undefined],
    ['a route for another method', { status: 405, body: '{"message":"only DELETE is served here"}' }],
    ['a crash', crashed('boom')],
  ])('is in the listing as documented after %s, and from then on requested there', async (_, own) => {
    const { client, lines } = clientOf({ [listing]: { result: order }, ...(own === undefined ? {} : { 'GET /orders/7': own }) });
    expect(await client.order(asked)).toEqual(order);
    expect(await client.order(asked)).toEqual(order);
    expect(lines()).toEqual(['GET /orders/7', `${listing}?order_id=7`, `${listing}?order_id=7`]);
  });

  test.each([
    [
      'the crash, if the listing has trades',
      crashed("Cannot read properties of undefined (reading 'marketKey')"),
      { result: [] },
      'http',
      500,
    ],
    ['its absence, if the listing has trades', { status: 404, body: '{"message":"no order"}' }, { result: [] }, 'notFound', 404],
    [
      'its absence, if only the listing is served',
      { status: 405, body: '' },
      { status: 404, body: '{"message":"no order"}' },
      'notFound',
      404,
    ],
    ['the error of the listing, if only that is served', { status: 404, body: '' }, { status: 503, body: '' }, 'http', 503],
    ['another order, if the listing ignores the id', { status: 405, body: '' }, { result: { ...order, id: 8 } }, 'http', 405],
  ])('that is unknown: %s', async (_, own, listed, kind, status) => {
    const { client, lines } = clientOf({ 'GET /orders/7': own, [listing]: listed });
    await expect(client.order(asked)).rejects.toMatchObject({ name: 'ClientError', kind, status });
    expect(lines()).toEqual(['GET /orders/7', `${listing}?order_id=7`]);
  });

  test.each(['noReply', 'notSent', 'tooLarge'] as const)('is not requested elsewhere after %s', async (kind) => {
    const { client, lines } = clientOn([new TransportError(kind, 'what happened')]);
    await expect(client.order(asked)).rejects.toMatchObject({ kind, message: 'GET /orders/7: what happened' });
    expect(lines()).toHaveLength(1);
  });
});

describe('cancelling', () => {
  const queued = { result: 'Order queued for cancellation' };

  test('by id, and all', async () => {
    const { client, lines, asked } = clientOn([queued]);
    expect(await client.cancel('340282366920938463463374607431768211455')).toBe(queued.result);
    expect(await client.cancelAll()).toBe(queued.result);
    expect(lines()).toEqual(['DELETE /orders/340282366920938463463374607431768211455', 'DELETE /orders']);
    expect(asked.map(({ limits }) => limits.timeoutMs)).toEqual([15_000, 15_000]);
  });

  test('an order without an id would cancel all, and is not sent', () => {
    const { client, asked } = clientOn([queued]);
    expect(() => client.cancel('')).toThrow('cannot be part of a path');
    expect(asked).toEqual([]);
  });

  test('by client id, as documented', async () => {
    const { client, lines } = clientOn([queued]);
    await client.cancelByClientId({ clientId: '5', market: 'BTC-PERP' });
    expect(lines()).toEqual(['DELETE /orders/by_client_id/5']);
  });

  test('by client id and market, if the other path is not routed', async () => {
    const { client, lines } = clientOf({ 'DELETE /orders/by_client_id/SOL%2FUSDC/5': queued });
    await client.cancelByClientId({ clientId: '5', market: 'SOL/USDC' });
    await client.cancelByClientId({ clientId: '5', market: 'SOL/USDC' });
    const own = 'DELETE /orders/by_client_id/SOL%2FUSDC/5';
    expect(lines()).toEqual(['DELETE /orders/by_client_id/5', own, own]);
  });

  test('by client id: a refusal is final', async () => {
    const { client, lines } = clientOn([crashed('0x22')]);
    await expect(client.cancelByClientId({ clientId: '5', market: 'X' })).rejects.toMatchObject({ kind: 'http', status: 500 });
    expect(lines()).toHaveLength(1);
  });
});

test('closing a position', async () => {
  const { client, lines, asked } = clientOn([{ result: { txId: '4yUQ' } }, { result: { txid: '5zVR' } }]);
  expect(await client.closePosition('BTC-PERP')).toEqual({ txId: '4yUQ' });
  expect(await client.closePosition('SOL/USDC')).toEqual({ txId: '5zVR' });
  expect(lines()).toEqual(['DELETE /positions/BTC-PERP', 'DELETE /positions/SOL%2FUSDC']);
  expect(asked[0]?.limits.timeoutMs).toBe(15_000);
});
