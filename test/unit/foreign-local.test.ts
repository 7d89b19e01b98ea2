// Tests the foreign client and the foreign local process against each other, before either is used to test the project.
import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { ForeignLocalClient, type OrderBody } from '../foreign/local/client.ts';
import { AS_DOCUMENTED } from '../foreign/local/differences.ts';
import { type LocalUser, localUser, MARKET_BID, type OrderJson, type PositionJson, RESTING_BID, TAKING_BID } from './foreign-local-user.ts';

interface FillJson {
  readonly liquidity: string;
  readonly side: string;
  readonly price: number;
  readonly size: number;
}

interface CandleJson {
  readonly startTime: string;
  readonly open: number;
  readonly close: number;
  readonly high: number;
  readonly low: number;
}

const HOUR_MS = 3_600_000;
const documented = (options: { bigIds?: boolean } = {}): Promise<LocalUser> => localUser({ differences: AS_DOCUMENTED, ...options });

describe('as documented', () => {
  test('an order rests, is found by its id in both places, and is gone a while after its cancel was queued', async () => {
    const me = await documented();
    const order = await me.rest({ clientId: 'mine' });
    expect(order).toMatchObject({ clientId: 'mine', price: 50_000, size: 0.01, status: 'open' });
    const alone = await me.client.get(`/orders/${order.id}`);
    expect(alone).toMatchObject({ id: String(order.id), market: 'BTC-PERP', price: '50000', size: '0.01', status: 'open' });
    expect(await me.client.get(`/markets/BTC-PERP/trades?order_id=${order.id}`)).toEqual(alone);
    await me.client.delete(`/orders/${order.id}`);
    me.pass(399);
    expect(await me.orders()).toHaveLength(1);
    me.pass(1);
    expect(await me.orders()).toEqual([]);
    expect(await me.client.get(`/orders/${order.id}`)).toMatchObject({ status: 'closed' });
    expect(me.foreign.state.commands).toMatchObject([
      { kind: 'place', outcome: 'accepted', fields: { marketId: 0, side: 'bid', price: 500_000, size: 100, clientId: 'mine' } },
      { kind: 'cancel', outcome: 'accepted', fields: {} },
    ]);
  });

  test('a modified order rests from then on, with its client id and flags', async () => {
    const me = await documented();
    const { id } = await me.rest({ clientId: 'mine', postOnly: true });
    const modified = await me.client.post<{ id: string }>(`/orders/${id}/modify`, { price: 51_000, size: 0.02 });
    expect(modified).toMatchObject({
      type: { limit: {} },
      price: '51000',
      size: '0.02',
      remainingSize: 0.02,
      postOnly: true,
      clientId: 'mine',
    });
    expect(await me.orders()).toMatchObject([{ id: Number(modified.id), price: 51_000, size: 0.02, clientId: 'mine' }]);
    expect(await me.status('POST', `/orders/${modified.id}/modify`, TAKING_BID)).toBe(400);
    expect(await me.orders()).toHaveLength(1);
  });

  test('all orders are cancelled at once; one by its client id', async () => {
    const me = await documented();
    for (const clientId of ['one', 'two', 'three']) await me.rest({ clientId });
    await me.client.delete('/orders/by_client_id/two');
    me.pass(1_000);
    expect((await me.orders()).map(({ clientId }) => clientId)).toEqual(['one', 'three']);
    await me.client.delete('/orders');
    me.pass(1_000);
    expect(await me.orders()).toEqual([]);
  });

  test('a market order is filled: position, fills, fee; closing it leaves only the cost', async () => {
    const me = await documented();
    await me.place(MARKET_BID);
    const [position] = await me.client.get<PositionJson[]>('/positions');
    expect(position).toMatchObject({ future: 'BTC-PERP', netSize: 0.01, size: 0.01, side: 'buy', openSize: 0 });
    await me.client.delete('/positions/BTC-PERP');
    expect(await me.client.get('/positions')).toEqual([]);
    const fills = await me.client.get<FillJson[]>('/orders/history?market=BTC-PERP');
    const of = (side: string): number => fills.reduce((sum, fill) => sum + (fill.side === side ? fill.price * fill.size : 0), 0);
    expect(fills.every(({ liquidity }) => liquidity === 'taker')).toBe(true);
    const { collateral, totalAccountValue } = await me.account();
    expect(collateral).toBeCloseTo(100_000 + of('sell') - of('buy') - 0.00035 * (of('sell') + of('buy')), 4);
    expect(totalAccountValue).toBe(collateral);
  });

  test.each<[string, Partial<OrderBody>]>([
    ['POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS', { ...TAKING_BID, postOnly: true }],
    ['IMMEDIATE_ORDER_GOT_NO_FILLS', { ioc: true }],
    ['POSITION_NOT_FOUND', { reduceOnly: true }],
    ['POSITION_NOT_FOUND', { ...MARKET_BID, reduceOnly: true }],
    ['RISK_OMF_LESS_THAN_OR_EQUAL_IMF', { size: 1_000 }],
    ['price is not a positive number', { price: null }],
    ['size 0.00001 has more than 4 decimals', { size: 0.000_01 }],
    ['there is no market NO-PERP', { market: 'NO-PERP' }],
  ])('%s', async (message, order) => {
    const me = await documented();
    const { status, json } = await me.client.send('POST', '/orders', JSON.stringify({ ...RESTING_BID, ...order }));
    expect([status, json]).toEqual([
      order.market === undefined || order.market === 'BTC-PERP' ? 400 : 404,
      { success: false, message, result: null },
    ]);
    expect(me.foreign.state.orders).toEqual([]);
  });

  test('an order that only reduces is cut to the position', async () => {
    const me = await documented();
    await me.place(MARKET_BID);
    const resting = await me.rest({ side: 'sell', price: 70_000, size: 5, reduceOnly: true });
    expect(resting.size).toBe(0.01);
    await me.place({ ...MARKET_BID, side: 'sell', size: 5, reduceOnly: true });
    expect(me.foreign.state.position()).toBe(0);
  });

  test('money moves between wallet and account, up to the available amount', async () => {
    const me = await documented();
    expect(await me.client.get('/wallet/deposits?coin=USDC&size=250.5')).toMatchObject({ coin: 'USDC', status: 'processed' });
    await me.client.get('/wallet/withdrawals?coin=USDC&size=50.5');
    expect((await me.account()).collateral).toBe(100_200);
    const transfers = await me.client.get('/wallet/transfers');
    expect(transfers).toMatchObject([{ type: 'withdrawal', size: 50.5 }, { type: 'deposit', size: 250.5 }, { type: 'deposit' }]);
    for (const requested of [
      'deposits?coin=USDC&size=50000',
      'withdrawals?coin=USDC&size=100201',
      'deposits?coin=USDC&size=-1',
      'deposits?coin=BTC&size=1',
    ])
      expect([requested, await me.status('GET', `/wallet/${requested}`)]).toEqual([requested, 400]);
    expect(me.foreign.state.transfers).toHaveLength(3);
  });

  test('on the hour a long position pays the rate on its notional, or is paid', async () => {
    const me = await documented();
    await me.place(MARKET_BID);
    const before = (await me.account()).collateral;
    me.pass(HOUR_MS);
    const [paid] = await me.client.get<{ rate: number; payment: number; date: string }[]>('/funding_payments?future=BTC-PERP');
    expect(paid).toMatchObject({ future: 'BTC-PERP', date: '2026-03-05T10:00:00.000Z' });
    expect(paid?.payment).toBeCloseTo((paid?.rate ?? 0) * 600, 2);
    expect(paid?.payment).not.toBe(0);
    expect((await me.account()).collateral).toBeCloseTo(before - (paid?.payment ?? 0), 6);
    expect((await me.client.get<{ date: string }[]>('/funding_rates?future=BTC-PERP'))[0]?.date).toBe(paid?.date);
  });

  test('a longer candle is made of shorter ones; the last is still growing', async () => {
    const me = await documented();
    me.pass(7_000);
    const of = async (resolution: number): Promise<CandleJson[]> =>
      await me.client.get<CandleJson[]>(`/markets/BTC-PERP/candles?resolution=${resolution}`);
    const [quarters, minutes, days] = [await of(15), await of(60), await of(86_400)];
    const minute = minutes.at(-2);
    const inside = quarters.filter(({ startTime }) => startTime.slice(0, 16) === minute?.startTime.slice(0, 16));
    expect(inside).toHaveLength(4);
    expect(minute).toEqual({
      startTime: inside[0]?.startTime,
      open: inside[0]?.open,
      close: inside[3]?.close,
      high: Math.max(...inside.map(({ high }) => high)),
      low: Math.min(...inside.map(({ low }) => low)),
    });
    expect(minutes.at(-1)?.startTime).toBe('2026-03-05T09:44:00.000Z');
    expect([minutes.length, days.length]).toEqual([100, 90]);
    const { price } = await me.client.get<{ price: number }>('/markets/BTC-PERP');
    expect(minutes.at(-1)?.close).toBe(price);
  });

  test('the hosted API reports the same account', async () => {
    const me = await documented({ bigIds: true });
    await me.place(MARKET_BID);
    await me.place({ clientId: '77' });
    const [{ collateral }, orders] = [await me.account(), me.foreign.state.orders];
    expect(me.foreign.hosted('/account/4')).toMatchObject({
      balances: [{ token: 'USDC', amount: collateral }],
      positions: [{ marketId: 0, openOrders: 1, perp: { baseSize: 0.01, isLong: true } }],
      orders: [{ orderId: orders[0]?.orderId, clientOrderId: 77n }],
    });
    expect(orders[0]?.orderId).toBeGreaterThan(2n ** 53n);
  });
});

describe('like the real process', () => {
  test('a quote is placed, found by its client id, and cancelled, with answers that lack fields', async () => {
    const me = await localUser({});
    const placed = await me.client.post('/orders', { ...RESTING_BID, postOnly: 'true', clientId: '12' });
    expect(placed).toMatchObject({ status: 'open', remainingSize: null, postOnly: true, clientId: '12' });
    expect(Object.keys(placed as object)).not.toContain('id');
    const [order] = await me.client.get<OrderJson[]>('/orders?market=ETH-PERP');
    expect(order).toMatchObject({ clientId: '12' });
    await me.client.delete('/orders/by_client_id/BTC-PERP/12');
    expect(me.foreign.state.orders).toEqual([]);
    expect(await me.client.send('GET', '/orders/history?market=BTC-PERP')).toMatchObject({
      status: 500,
      json: { message: expect.any(String) },
    });
    expect(await me.client.send('GET', '/wallet/deposits?coin=USDC&size=1')).toMatchObject({ status: 404, json: undefined });
    expect(await me.client.send('POST', '/orders', '{')).toMatchObject({ status: 400, json: { message: expect.any(String) } });
  });

  test('a flag that is JSON true is ignored, and the answer says so', async () => {
    const me = await localUser({});
    expect(await me.client.post('/orders', { ...TAKING_BID, postOnly: true })).toMatchObject({
      status: 'closed',
      postOnly: false,
      filledSize: 0.01,
    });
  });
});

describe('faults', () => {
  test('a cancel-all request that hangs times out, and all orders but one are cancelled', async () => {
    const me = await localUser({ settings: { failCancels: 1 } });
    await me.rest();
    await me.rest();
    const impatient = new ForeignLocalClient({ url: me.foreign.url, timeoutMs: 50 });
    await expect(impatient.send('DELETE', '/orders')).rejects.toThrow(/aborted|timeout/i);
    expect(me.foreign.state.orders).toHaveLength(1);
  });

  test('a lost reply leaves an order; reads are answered meanwhile', async () => {
    const me = await documented();
    me.foreign.control.loseReplies(1);
    expect(await me.orders()).toEqual([]);
    await expect(me.place()).rejects.toThrow();
    expect(await me.orders()).toHaveLength(1);
    expect(me.foreign.state.commands.at(-1)).toMatchObject({ replyLost: true, outcome: 'accepted' });
    await me.place();
    expect(me.foreign.state.requests).toEqual(
      new Map([
        ['GET /orders', 2],
        ['POST /orders', 2],
      ]),
    );
  });

  test('books, accounts and pages can be made invalid, and valid again', async () => {
    const me = await documented();
    const book = (): Promise<{ bids: [number, number][]; asks: [number, number][] }> => me.client.get('/markets/BTC-PERP/orderbook');
    me.foreign.control.set({ badData: ['crossedBook'] });
    const crossed = await book();
    expect(crossed.bids[0]?.[0]).toBeGreaterThan(crossed.asks[0]?.[0] ?? Number.POSITIVE_INFINITY);
    me.foreign.control.set({ badData: ['staleAccount', 'nullPrices', 'frozen'] });
    const stale = await me.account();
    me.foreign.state.account.balance += 1e6;
    expect(await me.account()).toEqual(stale);
    expect(await me.client.get('/markets/BTC-PERP')).toMatchObject({ enabled: false, price: null, ask: null });
    expect(await me.status('POST', '/orders', RESTING_BID)).toBe(400);
    me.foreign.control.set({ badData: ['failingAccount'] });
    expect(await me.status('GET', '/account')).toBe(500);
    me.foreign.control.set({ badData: ['html'] });
    expect(await me.client.send('GET', '/markets')).toMatchObject({
      status: 200,
      contentType: expect.stringContaining('html'),
      json: undefined,
    });
    me.foreign.control.set({ badData: [] });
    expect((await me.account()).collateral).toBe(100_001);
  });

  test('a squeezed account opens nothing', async () => {
    const me = await documented();
    me.foreign.control.set({ noFreeMargin: true });
    expect(await me.status('POST', '/orders', RESTING_BID)).toBe(400);
    expect((await me.account()).freeCollateral).toBe(0);
  });
});

test('an answer in the process equals the one over HTTP', async () => {
  const me = await documented();
  for (const path of ['/account', '/markets/BTC-PERP/candles?resolution=900', '/nothing', '/orders/5', '/%E0%A4%A/x']) {
    const { status, contentType, text } = await me.client.send('GET', path);
    const outcome = me.foreign.handle({ method: 'GET', path });
    if (typeof outcome === 'string') throw new Error(outcome);
    expect([path, outcome.status, outcome.contentType, Buffer.from(outcome.body).toString('utf8')]).toEqual([
      path,
      status,
      contentType,
      text,
    ]);
  }
});

test('the foreign code uses nothing of the project, and no library', () => {
  const folder = new URL('../foreign/local/', import.meta.url);
  const sources = readdirSync(folder);
  const imports = sources.flatMap((name) =>
    [...readFileSync(new URL(name, folder), 'utf8').matchAll(/from '([^']+)'/g)].map(([, from]) => from),
  );
  expect(imports.length).toBeGreaterThan(sources.length);
  expect(imports.filter((from) => !/^(node:|\.{1,2}\/[\w-]+\.ts$)/.test(from ?? ''))).toEqual([]);
});
