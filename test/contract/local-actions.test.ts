// What the local API does, reported by a client that shares no code with the server: orders, positions and money move, and the hosted API says the same.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LocalCustomer, MARKET, type OrderRow, type PositionRow } from './local-customer.ts';
import { LOCAL_SHAPES } from './local-shapes.ts';
import { LOCAL_TARGETS, type LocalTarget } from './local-targets.ts';
import { problems, SHAPES } from './shapes.ts';

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
  let me: LocalCustomer;

  beforeAll(async () => {
    target = await start();
    me = await LocalCustomer.open(target.client);
  });
  afterAll(() => target?.stop());

  test('an order rests, is listed where it belongs, is found by its id in both places, and goes when it is cancelled', async () => {
    const wanted = await me.order();
    await me.ask('POST', '/orders', { shape: LOCAL_SHAPES.transaction, body: { ...wanted, clientId: '1001' } });
    const [order, ...others] = await me.orders();
    expect(others).toEqual([]);
    expect(order).toMatchObject({ market: MARKET, side: 'buy', status: 'open', clientId: '1001' });
    expect([Number(order?.price), Number(order?.size)]).toEqual([wanted.price, wanted.size]);
    expect(await me.read(`/orders?market=${MARKET}`, LOCAL_SHAPES.openOrders)).toHaveLength(1);
    expect(await me.read('/orders?market=ETH-PERP', LOCAL_SHAPES.openOrders)).toEqual([]);

    for (const path of [`/orders/${order?.id}`, `/markets/${MARKET}/trades?order_id=${order?.id}`]) {
      const alone = await me.read<OrderRow>(path, LOCAL_SHAPES.order);
      expect([path, String(alone.id), Number(alone.price), alone.status]).toEqual([path, String(order?.id), wanted.price, 'open']);
    }
    expect(await me.cancel(`/orders/${order?.id}`)).toMatch(/queued/i);
    await me.untilOpen(0);
    const again = await target.client.send('DELETE', `/orders/${order?.id}`);
    expect([again.status >= 400 && again.status < 500, again.json]).toEqual([true, { success: false, message: expect.any(String) }]);
  });

  test('what is ordered shows in the position and is taken from what is free', async () => {
    const before = await me.account();
    await me.rest('1002');
    const after = await me.account();
    const shown = after.positions.find(({ future }) => future === MARKET);
    expect(shown).toMatchObject({ netSize: 0, size: 0, longOrderSize: 0.01, shortOrderSize: 0, openSize: 0.01 });
    expect(after.freeCollateral).toBeLessThan(before.freeCollateral);
    await me.cancel('/orders');
    await me.untilOpen(0);
  });

  test('a modified order has its new price and size, and keeps its client id', async () => {
    const { id } = await me.rest('1003');
    const { price } = await me.order({ away: 3 });
    const modified = await me.ask<ModifiedRow>('POST', `/orders/${id}/modify`, {
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

  test('by its client id one order is cancelled; all of them at once, in every market', async () => {
    for (const clientId of ['1004', '1005', '1006']) await me.rest(clientId);
    await me.rest('1007', { market: 'ETH-PERP', size: 0.1 });
    expect(await me.cancel('/orders/by_client_id/1005')).toMatch(/queued/i);
    await me.untilOpen(3);
    expect(new Set((await me.orders()).map(({ clientId }) => clientId))).toEqual(new Set(['1004', '1006', '1007']));
    expect(await me.cancel('/orders')).toMatch(/queued/i);
    await me.untilOpen(0);
  });

  test('a market order is filled: the position, the history and the balance move; closing it leaves nothing held', async () => {
    const before = { ...(await me.account()), fills: await me.fills() };
    await me.take('buy');
    const [position] = (await me.read<PositionRow[]>('/positions', LOCAL_SHAPES.positions)).filter(({ netSize }) => netSize !== 0);
    expect(position).toMatchObject({ future: MARKET, netSize: 0.01, size: 0.01, side: 'buy' });
    expect(position?.cost).toBeCloseTo(0.01 * (position?.entryPrice ?? 0), 2);

    const { txId } = await me.ask<{ txId: string }>('DELETE', `/positions/${MARKET}`, { shape: LOCAL_SHAPES.transaction });
    expect(txId).not.toBe('');
    expect(await me.netSize()).toBe(0);
    const fills = (await me.fills()).slice(0, -before.fills.length || undefined);
    expect(fills.every(({ market, liquidity }) => market === MARKET && liquidity === 'taker')).toBe(true);
    expect(new Set(fills.map(({ side }) => side))).toEqual(new Set(['buy', 'sell']));
    const { collateral, totalPositionSize } = await me.account();
    expect(collateral).toBeCloseTo(before.collateral + (await me.takenIn(fills)), 4);
    expect(totalPositionSize).toBe(0);
  });

  test('a short is held with its sign, and is closed by buying', async () => {
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
    ['only reduces and has nothing to', { reduceOnly: true }],
    ['is both post-only and immediate', { postOnly: true, ioc: true }],
  ] as const)('an order that %s neither rests nor trades', async (_, changes) => {
    const { status, json } = await target.client.send('POST', '/orders', JSON.stringify(await me.order(changes)));
    if (status !== 200) expect([status >= 400 && status < 500, json]).toEqual([true, { success: false, message: expect.any(String) }]);
    expect([await me.orders(), await me.netSize()]).toEqual([[], 0]);
  });

  test('an immediate order that crosses trades and leaves nothing; one that only reduces stops at flat', async () => {
    await me.place({ ioc: true, away: -1 });
    expect([await me.orders(), await me.netSize()]).toEqual([[], 0.01]);
    await me.take('sell', { size: 0.05, reduceOnly: true });
    expect(await me.netSize()).toBe(0);
  });

  test('money is deposited and withdrawn, to the cent, and both are on record', async () => {
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
    const here = await me.account();
    const there = (await target.hosted(`/account/${here.username}`)) as HostedAccount;
    expect(problems(SHAPES.account, asWritten(there))).toEqual([]);
    const held = here.positions.find(({ future }) => future === MARKET);
    expect(there.positions.find(({ perp }) => perp !== null)?.perp).toMatchObject({ baseSize: held?.size, isLong: false });
    const orders = (await me.orders()).map(({ id, price, size, side }) => [
      String(id),
      Number(price),
      Number(size),
      side === 'buy' ? 'bid' : 'ask',
    ]);
    expect(orders).toEqual(there.orders.map(({ orderId, price, size, side }) => [String(orderId), price, size, side]));
    expect(there.balances.find(({ token }) => token === 'USDC')?.amount).toBeCloseTo(here.collateral, 6);
    const { mf, pn, omf, pon } = there.margins;
    expect(here.marginFraction / (mf / pn)).toBeCloseTo(1, 2);
    expect(here.openMarginFraction / (omf / pon)).toBeCloseTo(1, 2);
    await me.cancel('/orders');
    await me.client.delete(`/positions/${MARKET}`);
    await me.untilOpen(0);
  });
});

/** Ids of the foreign process are big integers until they are written. */
const asWritten = (json: unknown): unknown =>
  JSON.parse(JSON.stringify(json, (_, value: unknown) => (typeof value === 'bigint' ? Number(value) : value)));
