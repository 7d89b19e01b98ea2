// Write requests of the local API, sent by an independent client: orders, positions, deposits and withdrawals, compared with the hosted API.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { problems, SHAPES } from './hosted-shapes.ts';
import { LOCAL_SHAPES } from './local-shapes.ts';
import { LOCAL_TARGETS, type LocalTarget } from './local-targets.ts';
import { LocalTrader, MARKET, type OrderRow, type PositionRow } from './local-trader.ts';

interface ModifiedRow {
  readonly id: number | string;
  readonly remainingSize: number;
}

interface HostedAccount {
  readonly balances: readonly { readonly token: string; readonly amount: number }[];
  readonly positions: readonly {
    readonly marketId: number;
    readonly perp: { readonly baseSize: number; readonly isLong: boolean } | null;
  }[];
  readonly orders: readonly { readonly orderId: number | string; readonly side: string; readonly price: number; readonly size: number }[];
  readonly margins: { readonly mf: number; readonly pn: number; readonly omf: number; readonly pon: number };
}

describe.each(LOCAL_TARGETS)('actions on $name', ({ start }) => {
  let target: LocalTarget;
  let me: LocalTrader;

  beforeAll(async () => {
    target = await start();
    me = await LocalTrader.open(target.client);
  });
  afterAll(() => target?.stop());

  test('an order rests, is listed in its market, is found by its id at both paths, and is cancelled', async () => {
    const expected = await me.order();
    await me.request('POST', '/orders', { shape: LOCAL_SHAPES.transaction, body: { ...expected, clientId: '1001' } });
    const [order, ...others] = await me.orders();
    expect(others).toEqual([]);
    expect(order).toMatchObject({ market: MARKET, side: 'buy', status: 'open', clientId: '1001' });
    expect([Number(order?.price), Number(order?.size)]).toEqual([expected.price, expected.size]);
    expect(await me.read(`/orders?market=${MARKET}`, LOCAL_SHAPES.openOrders)).toHaveLength(1);
    expect(await me.read('/orders?market=ETH-PERP', LOCAL_SHAPES.openOrders)).toEqual([]);

    for (const path of [`/orders/${order?.id}`, `/markets/${MARKET}/trades?order_id=${order?.id}`]) {
      const alone = await me.read<OrderRow>(path, LOCAL_SHAPES.order);
      expect([path, String(alone.id), Number(alone.price), alone.status]).toEqual([path, String(order?.id), expected.price, 'open']);
    }
    expect(await me.cancel(`/orders/${order?.id}`)).toMatch(/queued/i);
    await me.untilOpen(0);
    const again = await target.client.send('DELETE', `/orders/${order?.id}`);
    expect([again.status >= 400 && again.status < 500, again.json]).toEqual([
      true,
      { success: false, message: expect.any(String), result: null },
    ]);
  });

  test('a resting order appears in the position and reduces the free collateral', async () => {
    const before = await me.account();
    await me.rest('1002');
    const after = await me.account();
    const shown = after.positions.find(({ future }) => future === MARKET);
    expect(shown).toMatchObject({ netSize: 0, size: 0, longOrderSize: 0.01, shortOrderSize: 0, openSize: 0.01 });
    expect(after.freeCollateral).toBeLessThan(before.freeCollateral);
    await me.cancel('/orders');
    await me.untilOpen(0);
  });

  test('a modified order has the new price and size and keeps its client id', async () => {
    const { id } = await me.rest('1003');
    const { price } = await me.order({ away: 3 });
    const modified = await me.request<ModifiedRow>('POST', `/orders/${id}/modify`, {
      shape: LOCAL_SHAPES.modified,
      body: { price, size: 0.02 },
    });
    expect(modified).toMatchObject({
      remainingSize: 0.02,
      status: 'open',
      clientId: '1003',
      ioc: false,
      postOnly: false,
      reduceOnly: false,
    });
    const open = await me.orders();
    expect(open.map((order) => [String(order.id), Number(order.price), Number(order.size)])).toEqual([[String(modified.id), price, 0.02]]);
    await me.cancel(`/orders/${modified.id}`);
    await me.untilOpen(0);
  });

  test('one order is cancelled by its client id, all orders of all markets at once', async () => {
    for (const clientId of ['1004', '1005', '1006']) await me.rest(clientId);
    await me.rest('1007', { market: 'ETH-PERP', size: 0.1 });
    expect(await me.cancel('/orders/by_client_id/1005')).toMatch(/queued/i);
    await me.untilOpen(3);
    expect(new Set((await me.orders()).map(({ clientId }) => clientId))).toEqual(new Set(['1004', '1006', '1007']));
    expect(await me.cancel('/orders')).toMatch(/queued/i);
    await me.untilOpen(0);
  });

  test('a market order changes position, history and balance; closing the position leaves none', async () => {
    const before = { ...(await me.account()), fills: await me.fills() };
    await me.take('buy');
    const [position] = (await me.read<PositionRow[]>('/positions', LOCAL_SHAPES.positions)).filter(({ netSize }) => netSize !== 0);
    expect(position).toMatchObject({ future: MARKET, netSize: 0.01, size: 0.01, side: 'buy' });
    expect(position?.cost).toBeCloseTo(0.01 * (position?.entryPrice ?? 0), 2);

    const { txId } = await me.request<{ txId: string }>('DELETE', `/positions/${MARKET}`, { shape: LOCAL_SHAPES.transaction });
    expect(txId).not.toBe('');
    expect(await me.netSize()).toBe(0);
    const fills = (await me.fills()).slice(0, -before.fills.length || undefined);
    expect(fills.every(({ market, liquidity }) => market === MARKET && liquidity === 'taker')).toBe(true);
    expect(new Set(fills.map(({ side }) => side))).toEqual(new Set(['buy', 'sell']));
    const { collateral, totalPositionSize } = await me.account();
    expect(collateral).toBeCloseTo(before.collateral + (await me.netProceeds(fills)), 4);
    expect(totalPositionSize).toBe(0);
  });

  test('a short position has a negative size and is closed by a buy', async () => {
    await me.take('sell');
    expect((await me.account()).positions.find(({ future }) => future === MARKET)).toMatchObject({
      netSize: -0.01,
      size: 0.01,
      side: 'sell',
    });
    await me.client.delete(`/positions/${MARKET}`);
    expect(await me.netSize()).toBe(0);
    expect((await me.fills())[0]).toMatchObject({ side: 'buy' });
  });

  test.each([
    ['is post-only and crosses', { postOnly: true, away: -1 }],
    ['is immediate and does not cross', { ioc: true }],
    ['is reduce-only without a position', { reduceOnly: true }],
    ['is both post-only and immediate', { postOnly: true, ioc: true }],
  ] as const)('an order that %s neither rests nor trades', async (_, changes) => {
    const { status, json } = await target.client.send('POST', '/orders', JSON.stringify(await me.order(changes)));
    if (status !== 200)
      expect([status >= 400 && status < 500, json]).toEqual([true, { success: false, message: expect.any(String), result: null }]);
    expect([await me.orders(), await me.netSize()]).toEqual([[], 0]);
  });

  test('an immediate order trades and does not rest; a reduce-only order stops at zero', async () => {
    await me.place({ ioc: true, away: -1 });
    expect([await me.orders(), await me.netSize()]).toEqual([[], 0.01]);
    await me.take('sell', { size: 0.05, reduceOnly: true });
    expect(await me.netSize()).toBe(0);
  });

  test('deposits and withdrawals change the balance exactly and are listed', async () => {
    const total = async (): Promise<number> => {
      const balances = await me.read<{ coin: string; total: number }[]>('/wallet/balances', LOCAL_SHAPES.balances);
      return balances.find(({ coin }) => coin === 'USDC')?.total ?? Number.NaN;
    };
    const before = await total();
    expect(await me.read('/wallet/withdrawals?coin=USDC&size=150.25', LOCAL_SHAPES.moved)).toMatchObject({ coin: 'USDC' });
    expect(await total()).toBeCloseTo(before - 150.25, 6);
    expect(await me.read('/wallet/deposits?coin=USDC&size=100.5', LOCAL_SHAPES.moved)).toMatchObject({ coin: 'USDC' });
    expect(await total()).toBeCloseTo(before - 49.75, 6);
    const transfers = await me.read<unknown[]>('/wallet/transfers?page=1', LOCAL_SHAPES.transfers);
    expect(transfers.slice(0, 2)).toMatchObject([
      { coin: 'USDC', type: 'deposit', size: 100.5 },
      { coin: 'USDC', type: 'withdrawal', size: 150.25 },
    ]);
  });

  test('the hosted API shows the same account at the same time', async () => {
    await me.take('sell');
    await me.rest('1008');
    const local = await me.account();
    const there = (await target.hosted(`/account/${local.username}`)) as HostedAccount;
    expect(problems(SHAPES.account, asWritten(there))).toEqual([]);
    const held = local.positions.find(({ future }) => future === MARKET);
    expect(there.positions.find(({ perp }) => perp !== null)?.perp).toMatchObject({ baseSize: held?.size, isLong: false });
    const orders = (await me.orders()).map(({ id, price, size, side }) => [
      String(id),
      Number(price),
      Number(size),
      side === 'buy' ? 'bid' : 'ask',
    ]);
    expect(orders).toEqual(there.orders.map(({ orderId, price, size, side }) => [String(orderId), price, size, side]));
    expect(there.balances.find(({ token }) => token === 'USDC')?.amount).toBeCloseTo(local.collateral, 6);
    const { mf, pn, omf, pon } = there.margins;
    expect(local.marginFraction / (mf / pn)).toBeCloseTo(1, 2);
    expect(local.openMarginFraction / (omf / pon)).toBeCloseTo(1, 2);
    await me.cancel('/orders');
    await me.client.delete(`/positions/${MARKET}`);
    await me.untilOpen(0);
  });
});

/** Returns the JSON with numbers for big integers, which the foreign process uses as ids in memory. */
const asWritten = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)));
