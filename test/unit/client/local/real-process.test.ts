// The known differences between the real process and the API document, row by row, with a server that behaves like the real process.
import { describe, expect, test } from 'vitest';
import { allOf, type Canned, clientOf, crashed } from './canned.ts';

const time = '2022-07-22T10:00:00.000Z';
const id = '340282366920938463463374607431768211455';
const order = { future: 'SOL-PERP', id, market: 'SOL-PERP', price: 40, side: 'buy', size: 1, status: 'open', type: 'limit' };
const typeError = crashed("Cannot read properties of undefined (reading 'markPrice')");
const book = {
  asks: [
    [41, 1],
    [42, 1],
    [43, 1],
  ],
  bids: [[39, 1]],
};
const trade = {
  createdAt: time,
  future: 'SOL-PERP',
  market: 'SOL-PERP',
  price: 40,
  side: 'buy',
  size: 1,
  status: 'filled',
  type: 'market',
};
const fill = { future: 'SOL-PERP', liquidity: 'maker', market: 'SOL-PERP', price: 40, side: 'buy', size: 1, time };
const echo = {
  createdAt: time,
  future: 'SOL-PERP',
  market: 'SOL-PERP',
  price: 40,
  remainingSize: null,
  side: 'buy',
  size: 1,
  status: 'open',
};
const noFlags = { reduceOnly: false, ioc: false, postOnly: false };
const moved = { coin: 'USDC', size: 5, status: 'processed', time, txid: '4yUQ' };

const routes: Readonly<Record<string, Canned>> = {
  'GET /markets/DOGE-PERP': typeError,
  'GET /markets/SOL-PERP/orderbook': { result: book },
  'GET /markets/SOL-PERP/trades': { result: [{ ...trade, liquidation: false, time }] },
  'GET /markets/SOL-PERP/candles': { result: [{ startTime: time, open: 1, close: 2, high: 3, low: 1 }] },
  'GET /wallet/balances': { result: [{ coin: 'SOL', free: '0', spotBorrow: -2, total: -2, usdValue: -80, availableWithoutBorrow: '0' }] },
  'GET /wallet/transfers': { result: [{ coin: 'USDC', size: 5, type: 'deposit', status: 'processed', time }] },
  'POST /wallet/deposits': { result: moved },
  'POST /wallet/withdrawals': { result: moved },
  'GET /orders': { result: [order, { ...order, market: 'BTC-PERP' }] },
  [`GET /orders/${id}`]: { result: order },
  'GET /orders/8': typeError,
  'GET /orders/history': crashed('Invalid character'),
  'GET /trades/history': { result: [fill] },
  'POST /orders': { result: { ...echo, ...noFlags } },
  [`POST /orders/${id}/modify`]: { result: { ...echo, ...noFlags, type: { limit: {} }, clientId: null } },
  'DELETE /orders/by_client_id/SOL-PERP/5': { result: 'Order queued for cancellation' },
};
const real = () => clientOf(routes);

describe('reads', () => {
  test('an unknown market is an error with the message of the process', async () => {
    await expect(real().client.market('DOGE-PERP')).rejects.toMatchObject({
      kind: 'http',
      status: 500,
      message: "GET /markets/DOGE-PERP answered 500: Cannot read properties of undefined (reading 'markPrice')",
    });
  });

  test('an unknown path is a page of HTML', async () => {
    await expect(real().client.coins()).rejects.toMatchObject({
      kind: 'notFound',
      message: expect.stringContaining('Error Cannot GET /wallet/coins'),
    });
  });

  test('the depth is ignored by the server, and applied by the client', async () => {
    expect((await real().client.orderbook({ market: 'SOL-PERP', depth: 2 })).asks).toEqual(book.asks.slice(0, 2));
  });

  test('trades are always requested with a page', async () => {
    const { client, lines } = real();
    expect(await allOf(client.trades({ market: 'SOL-PERP' }))).toHaveLength(1);
    expect(lines()).toEqual([0, 1, 2].map((page) => `GET /markets/SOL-PERP/trades?page=${page}`));
  });

  test('candles whose page is ignored are returned once', async () => {
    const window = { startTime: 0, endTime: 60_000 };
    expect(await allOf(real().client.candles({ market: 'SOL-PERP', resolution: 60, ...window }))).toHaveLength(1);
  });

  test('a borrowed amount is negative in the answer, and positive in the result', async () => {
    expect(await real().client.balances()).toMatchObject([{ spotBorrow: 2, free: 0 }]);
  });

  test('transfers are always processed', async () => {
    expect(await allOf(real().client.transfers())).toMatchObject([{ status: 'processed' }]);
  });

  test('the history is at another path, without hasMoreData', async () => {
    expect(await allOf(real().client.history({ market: 'SOL-PERP' }))).toEqual([fill]);
  });

  test('the filter of open orders is ignored by the server, and applied by the client', async () => {
    expect(await real().client.openOrders({ market: 'SOL-PERP' })).toEqual([order]);
  });

  test('an order has its own path; an unknown one is a crash, although the listing answers', async () => {
    expect(await real().client.order({ orderId: id, market: 'SOL-PERP' })).toEqual(order);
    await expect(real().client.order({ orderId: '8', market: 'SOL-PERP' })).rejects.toMatchObject({ kind: 'http', status: 500 });
  });
});

describe('writes', () => {
  test('an order comes back without any id, and a flag that was ignored as false', async () => {
    const wanted = { market: 'SOL-PERP', side: 'buy', price: 40, type: 'limit', size: 1, postOnly: true } as const;
    const { remainingSize: _, ...rest } = echo;
    expect(await real().client.place(wanted)).toEqual({ ...rest, ...noFlags });
  });

  test('a modified order has no id, and its type is an object', async () => {
    const { remainingSize: _, ...rest } = echo;
    expect(await real().client.modify({ orderId: id, price: 40, size: 1 })).toEqual({ ...rest, ...noFlags, type: 'limit' });
  });

  test('a cancel by client id needs the market', async () => {
    expect(await real().client.cancelByClientId({ clientId: '5', market: 'SOL-PERP' })).toBe('Order queued for cancellation');
  });

  test('a transfer is a POST, once', async () => {
    const { client, asked, lines } = real();
    expect(await client.deposit({ coin: 'USDC', size: 5 })).toEqual({ coin: 'USDC', size: 5, status: 'processed', time, txId: '4yUQ' });
    await client.withdraw({ coin: 'USDC', size: 5 });
    expect(lines().filter((line) => line.startsWith('POST'))).toEqual(['POST /wallet/deposits', 'POST /wallet/withdrawals']);
    expect(asked[1]?.body).toEqual({ coin: 'USDC', size: 5 });
  });
});
