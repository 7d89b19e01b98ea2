// The rows of the foreign local process, one by one: what each changes, seen with that row on and every other one off.
import { expect, test } from 'vitest';
import { AS_DOCUMENTED, DIFFERENCE_NAMES, type DifferenceName } from '../foreign/local/differences.ts';
import { type LocalUser, localUser, MARKET_BID, RESTING_BID, TAKING_BID } from './foreign-local-user.ts';

/** What a user sees of a row. */
interface Shown {
  readonly see: (me: LocalUser) => Promise<unknown>;
  readonly off: unknown;
  readonly on: unknown;
}

const OTHER = { market: 'ETH-PERP', price: 2_500, size: 0.1 };
const HOUR_MS = 3_600_000;
const TX_ID = { txId: expect.stringMatching(/^[0-9a-f]{64}$/) };

const SHOWN: Record<DifferenceName, Shown> = {
  bareErrors: {
    see: async ({ client }) => {
      const [market, order] = [await client.send('GET', '/markets/NO-PERP'), await client.send('POST', '/orders', '{"market":1}')];
      return [market, order].map(({ status, json }) => [status, json]);
    },
    off: [
      [404, { success: false, message: 'there is no market NO-PERP', result: null }],
      [400, { success: false, message: 'market is missing, or no text', result: null }],
    ],
    on: [
      [500, { message: expect.stringMatching(/^Cannot read properties of undefined/) }],
      [500, { message: 'market is missing, or no text' }],
    ],
  },
  htmlNotFound: {
    see: async ({ client }) => {
      const { status, contentType, text } = await client.send('GET', '/nothing');
      return [status, contentType, text];
    },
    off: [404, expect.stringContaining('application/json'), expect.stringMatching(/^\{"success":false/)],
    on: [404, expect.stringContaining('text/html'), expect.stringMatching(/^<!DOCTYPE html>/)],
  },
  textFlags: {
    see: async (me) => [
      await me.status('POST', '/orders', { ...TAKING_BID, postOnly: true }),
      await me.status('POST', '/orders', { ...TAKING_BID, postOnly: 'true' }),
      me.foreign.state.position(),
    ],
    off: [400, 400, 0],
    on: [200, 400, 0.01],
  },
  flagPrecedence: {
    see: async (me) => [
      await me.status('POST', '/orders', { ...TAKING_BID, ioc: true, postOnly: true }),
      await me.status('POST', '/orders', { ...RESTING_BID, side: 'sell', price: 70_000, size: 0.05, postOnly: true, reduceOnly: true }),
      me.foreign.state.orders.map(({ remaining }) => remaining),
    ],
    off: [400, 400, []],
    on: [200, 200, [500]],
  },
  typeIgnored: {
    see: async (me) => [
      await me.status('POST', '/orders', MARKET_BID),
      await me.status('POST', '/orders', { ...RESTING_BID, type: 'market' }),
      await me.status('POST', '/orders', { ...RESTING_BID, type: 'whatever' }),
      me.foreign.state.orders.length,
    ],
    off: [200, 400, 400, 0],
    on: [400, 200, 200, 2],
  },
  placeEchoes: {
    see: (me) => me.place({ clientId: '7', postOnly: true }),
    off: TX_ID,
    on: {
      createdAt: '2026-03-05T09:44:00.000Z',
      future: 'BTC-PERP',
      market: 'BTC-PERP',
      side: 'buy',
      price: 50_000,
      size: 0.01,
      filledSize: 0,
      remainingSize: 0.01,
      status: 'open',
      reduceOnly: false,
      ioc: false,
      postOnly: true,
      clientId: '7',
    },
  },
  nanRemaining: {
    see: async (me) => {
      const { id } = await me.rest();
      const { filledSize, remainingSize } = await me.client.post<Record<string, unknown>>(`/orders/${id}/modify`, RESTING_BID);
      return [filledSize, remainingSize];
    },
    off: [0, 0.01],
    on: [undefined, null],
  },
  modifyReplaces: {
    see: async (me) => {
      const { id } = await me.rest({ clientId: 'mine' });
      const crossing = await me.status('POST', `/orders/${id}/modify`, TAKING_BID);
      const left = await me.orders();
      if (left[0] === undefined) return { crossing, position: me.foreign.state.position() };
      const answer = await me.client.post<object>(`/orders/${id}/modify`, { price: 50_001, size: 0.02 });
      const [{ id: newId, ...order } = { id }] = await me.orders();
      return { crossing, id: 'id' in answer, isTheSame: newId === id, order };
    },
    off: { crossing: 200, position: 0.01 },
    on: {
      crossing: 400,
      id: false,
      isTheSame: false,
      order: expect.objectContaining({ price: 50_001, size: 0.02, clientId: null }),
    },
  },
  orderPath: {
    see: async (me) => {
      const { id } = await me.rest();
      const listed = await me.client.get<unknown>(`/markets/BTC-PERP/trades?order_id=${id}`);
      await me.client.delete(`/orders/${id}`);
      me.pass(1_000);
      return [Array.isArray(listed), await me.status('GET', `/orders/${id}`)];
    },
    off: [false, 200],
    on: [true, 404],
  },
  clientIdPath: {
    see: async (me) => {
      await me.rest({ clientId: 'mine' });
      return [
        await me.status('DELETE', '/orders/by_client_id/mine'),
        await me.status('DELETE', '/orders/by_client_id/ETH-PERP/mine'),
        await me.status('DELETE', '/orders/by_client_id/BTC-PERP/mine'),
      ];
    },
    off: [200, 404, 404],
    on: [404, 404, 200],
  },
  cancelAwaited: {
    see: async (me) => {
      const { id } = await me.rest();
      const said = await me.client.delete(`/orders/${id}`);
      const [atOnce] = [await me.orders(), me.pass(1_000)];
      return [said, atOnce.length, (await me.orders()).length];
    },
    off: [expect.stringContaining('queued'), 1, 0],
    on: [expect.stringContaining('queued'), 0, 0],
  },
  marketFilterIgnored: {
    see: async (me) => {
      await me.rest();
      await me.rest(OTHER);
      return (await me.client.get<unknown[]>('/orders?market=ETH-PERP')).length;
    },
    off: 1,
    on: 2,
  },
  cancelAllHangs: {
    see: async (me) => {
      await me.rest();
      await me.rest(OTHER);
      me.foreign.control.set({ failCancels: 1 });
      const outcome = me.foreign.handle({ method: 'DELETE', path: '/orders' });
      me.pass(1_000);
      return [typeof outcome === 'string' ? outcome : outcome.status, me.foreign.state.orders.length];
    },
    off: [400, 1],
    on: ['hangs', 1],
  },
  historyPath: {
    see: async (me) => {
      const answers = [];
      for (const path of ['/orders/history?market=BTC-PERP', '/trades/history?market=BTC-PERP'])
        answers.push(await me.client.send('GET', path));
      return answers.map(({ status, json }) => [status, (json as { hasMoreData?: boolean }).hasMoreData]);
    },
    off: [
      [200, false],
      [404, undefined],
    ],
    on: [
      [404, undefined],
      [200, undefined],
    ],
  },
  walletByPost: {
    see: async (me) => {
      const [get, post] = [
        await me.client.send('GET', '/wallet/deposits?coin=USDC&size=5'),
        await me.client.send('POST', '/wallet/deposits', '{"coin":"USDC","size":5}'),
      ];
      const done = get.status === 200 ? get : post;
      return [get.status, post.status, done.json, (await me.account()).collateral];
    },
    off: [200, 404, { success: true, result: expect.objectContaining({ coin: 'USDC', ...TX_ID }) }, 100_005],
    on: [404, 200, { success: true, result: expect.objectContaining({ coin: 'USDC', txid: TX_ID.txId, size: 5 }) }, 100_005],
  },
  fundingRateFilter: {
    see: async ({ client }) => {
      const all = await client.get('/funding_rates');
      return [await client.get('/funding_rates?future=BTC-PERP'), await client.get('/funding_rates?market_name=BTC-PERP')].map(
        (rates) => JSON.stringify(rates) === JSON.stringify(all),
      );
    },
    off: [false, true],
    on: [true, false],
  },
  fundingPaymentFilter: {
    see: async (me) => {
      await me.place(MARKET_BID);
      me.pass(HOUR_MS);
      const count = async (query: string): Promise<number> => (await me.client.get<unknown[]>(`/funding_payments?${query}`)).length;
      return [await count('future=ETH-PERP'), await count('market=ETH-PERP')];
    },
    off: [0, 1],
    on: [1, 0],
  },
  candleSpan: {
    see: async ({ client }) => {
      const starts = async (query: string): Promise<string[]> =>
        (await client.get<{ startTime: string }[]>(`/markets/BTC-PERP/candles?resolution=60&${query}`)).map(({ startTime }) => startTime);
      const [first, second] = [await starts('page=1'), await starts('page=2')];
      const end = Date.parse('2026-03-05T09:00:00Z') / 1_000;
      const spanned = await starts(`start_time=${end - 180}&end_time=${end}`);
      return [first.length, second.some((start) => first.includes(start)), spanned.length];
    },
    off: [100, false, 100],
    on: [300, true, 4],
  },
  depthIgnored: {
    see: async ({ client }) => (await client.get<{ bids: unknown[] }>('/markets/BTC-PERP/orderbook?depth=3')).bids.length,
    off: 3,
    on: 20,
  },
  pageNaN: {
    see: async ({ client }) => [
      (await client.get<unknown[]>('/markets/BTC-PERP/trades')).length,
      Object.hasOwn((await client.get<object[]>('/markets/BTC-PERP/trades?page=1'))[0] ?? {}, 'createdAt'),
    ],
    off: [50, false],
    on: [0, true],
  },
  showAvgPriceIgnored: {
    see: async (me) => [await me.status('GET', '/positions?showAvgPrice=true'), await me.status('GET', '/positions?showAvgPrice=perhaps')],
    off: [200, 400],
    on: [200, 200],
  },
  negativeBorrow: {
    see: async (me) => {
      me.foreign.state.account.balance = -12.5e6;
      return (await me.client.get<{ spotBorrow: number }[]>('/wallet/balances'))[0]?.spotBorrow;
    },
    off: 12.5,
    on: -12.5,
  },
  transferProcessed: {
    see: async ({ client }) => client.get('/wallet/transfers'),
    off: [expect.objectContaining({ type: 'deposit', size: 100_000, status: 'confirmed' })],
    on: [expect.objectContaining({ type: 'deposit', size: 100_000, status: 'processed' })],
  },
  constantFees: {
    see: async (me) => {
      await me.place(MARKET_BID);
      me.foreign.state.account.balance = 1e6;
      return me.account();
    },
    off: expect.objectContaining({ makerFee: 0.0001, takerFee: 0.00035, liquidating: true }),
    on: expect.objectContaining({ makerFee: 0, takerFee: 0.001, liquidating: false }),
  },
  noLeverage: { see: async (me) => Object.hasOwn(await me.account(), 'leverage'), off: true, on: false },
  textRequirement: {
    see: async (me) => {
      await me.rest();
      const { positions } = await me.account();
      const alone = await me.client.get<AccountPositions>('/positions');
      return [positions, alone].map(([position]) => position?.initialMarginRequirement);
    },
    off: [0.05, 0.05],
    on: ['0.05', 0.05],
  },
};

type AccountPositions = readonly { readonly initialMarginRequirement: number | string }[];

test.each(DIFFERENCE_NAMES)('%s', async (row) => {
  const { see, off, on } = SHOWN[row];
  expect(await see(await localUser({ differences: AS_DOCUMENTED }))).toEqual(off);
  expect(await see(await localUser({ differences: { ...AS_DOCUMENTED, [row]: true } }))).toEqual(on);
});
