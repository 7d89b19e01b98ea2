// The market of the foreign exchange, and the bad data that it can serve.

import { describe, expect, test, vi } from 'vitest';
import { PATIENCE } from '../patience.ts';
import { type BookJson, TAKING_BID, type Trader, trader } from './foreign-trader.ts';

describe('bad data', () => {
  test('books can be crossed, empty, absurd, and valid again', async () => {
    const me = await trader();
    me.exchange.control.set({ badData: ['crossedBook'] });
    const crossed = await book(me);
    expect(crossed.bids[0]?.[0]).toBeGreaterThan(crossed.asks[0]?.[0] ?? Number.POSITIVE_INFINITY);
    me.exchange.control.set({ badData: ['emptyBook'] });
    expect(await book(me)).toMatchObject({ bids: [], asks: [] });
    me.exchange.control.set({ badData: ['absurdBook'] });
    expect((await book(me)).asks[0]?.[0]).toBeGreaterThan(10_000_000);
    me.exchange.control.set({ badData: [] });
    const correct = await book(me);
    expect(correct.bids).toHaveLength(20);
    expect(correct.bids[0]?.[0]).toBeLessThan(correct.asks[0]?.[0] ?? 0);
  });

  test('stale data does not change while the market moves, and other data does', async () => {
    const me = await trader();
    const [before, account] = [await book(me), await me.account()];
    me.exchange.control.set({ badData: ['staleBook', 'staleAccount'] });
    me.pass(5_000);
    expect(await book(me)).toEqual(before);
    expect(await me.account()).toEqual(account);
    me.exchange.control.set({ badData: [] });
    expect((await book(me)).updateId).toBeGreaterThan(before.updateId);
    expect((await me.account()).updateId).toBeGreaterThan(account.updateId);
  });

  test('null prices, a frozen market, a failing account, and HTML can be served', async () => {
    const me = await trader();
    me.exchange.control.set({ badData: ['nullPrices', 'frozen', 'failingAccount'] });
    expect(await me.read('/markets/live')).toMatchObject({ markets: [{ markPrice: null, indexPrice: null, frozen: true }, {}] });
    expect(await me.client.get('/account/4')).toMatchObject({ status: 500 });
    expect(await me.place()).toMatchObject({ error: 'MARKET_FROZEN' });
    me.exchange.control.set({ badData: ['html'] });
    await expect(me.client.get('/info')).rejects.toThrow(/JSON/);
  });

  test('a slow answer can arrive after a later one', async () => {
    const me = await trader();
    me.exchange.control.set({ badData: ['slow'], slowMs: 60_000 });
    const slow = me.client.get('/info').then(
      () => 'slow',
      () => 'cut off',
    );
    await vi.waitFor(() => expect(me.exchange.state.requests.get('GET /info')).toBe(1), PATIENCE);
    me.exchange.control.set({ badData: [] });
    const quick = me.client.get('/markets/live').then(() => 'quick');
    expect(await Promise.race([slow, quick])).toBe('quick');
    await me.exchange.close();
    expect(await slow).toBe('cut off');
  });

  test('a squeezed account shows omf at imf and opens nothing, but may cancel', async () => {
    const me = await trader();
    const orderId = await me.rest();
    me.exchange.control.set({ noFreeMargin: true });
    const { omf, imf } = (await me.account()).margins;
    expect([omf > 0, omf]).toEqual([true, imf]);
    expect(await me.place()).toMatchObject({ error: 'INSUFFICIENT_FUNDS' });
    expect(await me.cancel(orderId)).toMatchObject({ kind: 'cancelled' });
  });
});

describe('the market', () => {
  test('moves by about one percent a minute, and is the same for the same seed', async () => {
    const first = await pricesOfAMinute();
    const swing = Math.max(...first) / Math.min(...first) - 1;
    expect(swing).toBeGreaterThan(0.008);
    expect(swing).toBeLessThan(0.012);
    expect(await pricesOfAMinute()).toEqual(first);
  });

  test('pages of trades end with null, newest first, none twice', async () => {
    const me = await trader();
    const ids: number[] = [];
    let cursor: number | null | undefined;
    do {
      const from = cursor === undefined ? '' : `&startInclusive=${cursor}`;
      const page = await me.read<{ items: { tradeId: number }[]; nextStartInclusive: number | null }>(`/trades?marketId=0${from}`);
      ids.push(...page.items.map((trade) => trade.tradeId));
      cursor = page.nextStartInclusive;
    } while (cursor !== null);
    expect(ids.length).toBeGreaterThan(100);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    expect(ids).toHaveLength(me.exchange.state.trades.filter((trade) => trade.listing.marketId === 0).length);
  });

  test('profit and loss of a closed position is in the balance, minus fees', async () => {
    const me = await trader();
    await me.place(TAKING_BID);
    me.pass(9_000);
    await me.place({ ...TAKING_BID, side: 'ask', price: 500_000n });
    const mine = me.exchange.state.trades.filter((trade) => trade.takerId === 4);
    const cash = mine.reduce(
      (sum, { takerSide, price, size, takerFee }) => sum + (takerSide === 'ask' ? 1 : -1) * price * size * 10 - takerFee,
      0,
    );
    const { balances, positions, margins } = await me.account();
    expect(positions).toMatchObject([{ perp: null, openOrders: 0 }]);
    expect(balances[0]?.amount).toBeCloseTo(100_000 + cash / 1e6, 6);
    expect(margins).toMatchObject({ imf: 0, pon: 0, mf: balances[0]?.amount });
  });
});

const book = (me: Trader): Promise<BookJson> => me.read('/market/0/orderbook');

/** The best ask every two seconds, on a new exchange. */
async function pricesOfAMinute(): Promise<number[]> {
  const me = await trader({ seed: 'one' });
  const seen: number[] = [];
  for (let second = 0; second < 60; second += 2) {
    me.pass(2_000);
    const { asks, bids } = await book(me);
    expect(asks[0]?.[0]).toBeGreaterThan(bids[0]?.[0] ?? Number.POSITIVE_INFINITY);
    seen.push(asks[0]?.[0] ?? 0);
  }
  return seen;
}
