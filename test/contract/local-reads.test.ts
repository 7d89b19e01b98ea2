// GET endpoints of the local API, read by an independent client: every endpoint, its fields and types, and the error for bad requests.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Shape } from './hosted-shapes.ts';
import { BAD_REQUESTS } from './local-refusals.ts';
import { LOCAL_SHAPES } from './local-shapes.ts';
import { LOCAL_TARGETS, type LocalTarget } from './local-targets.ts';
import { type AccountRow, envelopeIn, LocalTrader, MARKET, type MarketRow, type PositionRow } from './local-trader.ts';

interface BookRow {
  readonly asks: readonly [number, number][];
  readonly bids: readonly [number, number][];
}

interface TradeRow {
  readonly time: string;
  readonly price: number;
  readonly size: number;
}

/** Every GET endpoint, with and without each optional parameter. */
const READS: readonly (readonly [path: string, shape: Shape])[] = [
  ['/markets', LOCAL_SHAPES.markets],
  [`/markets/${MARKET}`, LOCAL_SHAPES.market],
  [`/markets/${MARKET}/orderbook`, LOCAL_SHAPES.orderbook],
  [`/markets/${MARKET}/orderbook?depth=5`, LOCAL_SHAPES.orderbook],
  [`/markets/${MARKET}/candles?resolution=15`, LOCAL_SHAPES.candles],
  [`/markets/${MARKET}/candles?resolution=15&page=2`, LOCAL_SHAPES.candles],
  [`/markets/${MARKET}/trades`, LOCAL_SHAPES.trades],
  [`/markets/${MARKET}/trades?page=2`, LOCAL_SHAPES.trades],
  ['/wallet/coins', LOCAL_SHAPES.coins],
  ['/funding_rates', LOCAL_SHAPES.fundingRates],
  [`/funding_rates?page=1&future=${MARKET}`, LOCAL_SHAPES.fundingRates],
  ['/account', LOCAL_SHAPES.account],
  ['/positions', LOCAL_SHAPES.positions],
  ['/positions?showAvgPrice=true', LOCAL_SHAPES.positions],
  ['/wallet/balances', LOCAL_SHAPES.balances],
  ['/wallet/transfers', LOCAL_SHAPES.transfers],
  ['/wallet/transfers?page=1', LOCAL_SHAPES.transfers],
  ['/orders', LOCAL_SHAPES.openOrders],
  [`/orders?market=${MARKET}`, LOCAL_SHAPES.openOrders],
  [`/orders/history?market=${MARKET}`, LOCAL_SHAPES.fills],
  [`/orders/history?market=${MARKET}&page=2`, LOCAL_SHAPES.fills],
  ['/funding_payments', LOCAL_SHAPES.fundingPayments],
  [`/funding_payments?page=1&future=${MARKET}`, LOCAL_SHAPES.fundingPayments],
];

describe.each(LOCAL_TARGETS)('the local API of $name', ({ start }) => {
  let target: LocalTarget;
  let me: LocalTrader;

  beforeAll(async () => {
    target = await start();
    me = await LocalTrader.open(target.client);
  });
  afterAll(() => target?.stop());

  test.each(READS)('%s returns the envelope and the fields and types of the document', async (path, shape) => {
    await me.read(path, shape);
  });

  test('a market is named after its underlying and found by its name', async () => {
    const markets = await me.read<MarketRow[]>('/markets', LOCAL_SHAPES.markets);
    expect(new Set(markets.map(({ name }) => name)).size).toBe(markets.length);
    for (const { name, type, underlying, bid, ask } of markets) {
      if (type === 'future') expect(name).toBe(`${underlying}-PERP`);
      else expect(name).toMatch(/^\w+\/\w+$/);
      expect(bid).toBeLessThan(ask);
      expect(await me.read(`/markets/${encodeURIComponent(name)}`, LOCAL_SHAPES.market)).toMatchObject({ name, type });
    }
  });

  test('a book has the requested number of levels, best price first', async () => {
    const { bids, asks } = await me.read<BookRow>(`/markets/${MARKET}/orderbook?depth=3`, LOCAL_SHAPES.orderbook);
    expect([bids.length, asks.length]).toEqual([3, 3]);
    const prices = [...bids.toReversed(), ...asks].map(([price]) => price);
    expect(prices).toEqual([...new Set(prices)].sort((a, b) => a - b));
    expect([...bids, ...asks].every(([, size]) => size > 0)).toBe(true);
  });

  const tradesOn = (page: number): Promise<TradeRow[]> => me.read(`/markets/${MARKET}/trades?page=${page}`, LOCAL_SHAPES.trades);

  test('trades are listed newest first, and the second page continues the first', async () => {
    await expect.poll(async () => (await tradesOn(2)).length, { timeout: 300_000, interval: 250 }).toBeGreaterThan(0);
    const [second, first] = [await tradesOn(2), await tradesOn(1)];
    const times = [...first, ...second].map(({ time }) => Date.parse(time));
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(second.every(({ price, size }) => price > 0 && size > 0)).toBe(true);
  });

  test('coins and balances list the same tokens; a collateral weight is a fraction', async () => {
    const coins = await me.read<{ id: string; collateralWeight: number }[]>('/wallet/coins', LOCAL_SHAPES.coins);
    const balances = await me.read<{ coin: string; total: number }[]>('/wallet/balances', LOCAL_SHAPES.balances);
    const known = coins.map(({ id }) => id);
    expect(known).toContain('USDC');
    expect(balances.filter(({ coin }) => !known.includes(coin))).toEqual([]);
    expect(balances.find(({ coin }) => coin === 'USDC')?.total).toBeGreaterThan(0);
    expect(coins.every(({ collateralWeight }) => collateralWeight > 0 && collateralWeight <= 1)).toBe(true);
  });

  test('the account starts with collateral and without positions, and agrees with the list of positions', async () => {
    const account: AccountRow = await me.account();
    expect(account.collateral).toBeGreaterThan(1_000);
    expect([account.freeCollateral, account.totalAccountValue]).toEqual([account.collateral, account.collateral]);
    expect(account.totalPositionSize).toBe(0);
    expect(account.positions).toEqual(await me.read<PositionRow[]>('/positions', LOCAL_SHAPES.positions));
    expect(account.positions.every(({ netSize }) => netSize === 0)).toBe(true);
  });

  test.each(BAD_REQUESTS.map((bad) => [bad.what, bad] as const))('%s is refused with a reason', async (_, { method, path, text }) => {
    const response = await target.client.send(method, path, text);
    expect(response.status).toBeGreaterThanOrEqual(400);
    expect(response.status).toBeLessThan(500);
    expect(response.contentType).toContain('json');
    expect(envelopeIn(response)).toEqual({ success: false, message: expect.stringMatching(/\w{3}/), result: null });
  });

  test('the refusals above leave the account unchanged', async () => {
    const { collateral, totalPositionSize } = await me.account();
    expect([await me.orders(), totalPositionSize, await me.fills()]).toEqual([[], 0, []]);
    expect(collateral).toBeGreaterThan(1_000);
  });
});
