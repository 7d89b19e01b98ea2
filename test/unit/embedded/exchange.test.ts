// The whole exchange: users and accounts, action ids, its public data, and time steps of any size.
import { describe, expect, test } from 'vitest';
import type { Lots } from '../../../src/bot/domain/numbers.ts';
import { Exchange } from '../../../src/embedded/exchange/exchange.ts';
import { errorOf, HOUR, QuietExchange, START, usd } from './quiet-exchange.ts';

/** All data that a minute of trading leaves. */
function traceOf({ seed, slices }: { seed: string; slices: readonly number[] }) {
  const exchange = new Exchange({ seed, start: START + HOUR - 30_000 });
  const account = exchange.register('alice', usd(100_000));
  const act = (market: number) => {
    const order = { account, market, side: 'bid', fillMode: 'IMMEDIATE_OR_CANCEL', size: 10 as Lots } as const;
    expect(errorOf(exchange.place(order))).toBeUndefined();
  };
  for (const [index, slice] of slices.entries()) {
    exchange.advanceTo(exchange.now() + slice);
    if (exchange.now() === START + HOUR - 20_000 || index === slices.length - 1) act(0);
  }
  const markets = exchange.markets.map(({ id }) => [exchange.book(id), exchange.stats(id)]);
  return { trades: exchange.trades({}), markets, account: exchange.account(account), last: exchange.lastActionId() };
}

describe('users and accounts', () => {
  test('a user’s accounts are separate; a second deposit goes to the first', () => {
    const quiet = new QuietExchange();
    const first = quiet.user('alice', 100);
    const second = quiet.exchange.openAccount('alice');
    expect(quiet.user('alice', 50)).toBe(first);
    expect(quiet.exchange.accountsOf('alice')).toEqual([first, second]);
    expect([quiet.amount(first), quiet.amount(second)]).toEqual([150, 0]);
    expect(quiet.exchange.accountsOf('nobody')).toEqual([]);
    expect(quiet.exchange.account(999)).toBeUndefined();
  });

  test('a position from before the exchange began names the action that was the last one then', () => {
    const quiet = new QuietExchange();
    const alice = quiet.user('alice', 100);
    expect(quiet.exchange.lastActionId()).not.toBe('0');
    quiet.exchange.hold(alice, 0, { size: 5 as Lots, cost: usd(30) });
    expect(quiet.exchange.account(alice)?.positions).toMatchObject([{ size: 5, actionId: quiet.exchange.lastActionId() }]);
  });

  test('the resting orders are the same list until one of them changes', () => {
    const quiet = new QuietExchange();
    const [alice, bob] = [quiet.user('alice', 100_000), quiet.user('bob', 100_000)];
    const orders = () => quiet.state(alice).orders;
    quiet.placed(alice, 'bid 0.1 BTCUSDC @ 50000');
    quiet.placed(alice, 'bid 0.2 ETHUSDC @ 2000');
    const both = orders();
    quiet.index('BTCUSDC', 61_000);
    quiet.placed(bob, 'bid 0.1 BTCUSDC @ 49000');
    expect(orders()).toBe(both);
    quiet.placed(bob, 'ask 0.04 BTCUSDC @ 50000');
    expect(orders()).toMatchObject([{ size: 600, originalSize: 1_000 }, both[1]!]);
    quiet.exchange.cancel({ account: alice, orderId: both[0]!.orderId });
    expect(orders()).toEqual([both[1]!]);
    expect(both).toMatchObject([{ size: 1_000 }, {}]);
  });

  test('money moves between accounts as far as positions and reserved amounts allow', () => {
    const quiet = new QuietExchange();
    const [alice, bob] = [quiet.user('alice', 1_000), quiet.user('bob', 0)];
    const transfer = (from: number, to: number, units: number) => {
      const outcome = quiet.exchange.compound.transfer({ from, to, amount: usd(units) });
      return outcome.kind === 'refused' ? outcome.error : undefined;
    };
    expect(transfer(alice, bob, 1_000.01)).toBe('INSUFFICIENT_FUNDS');
    expect(transfer(alice, 999, 1)).toBe('ACCOUNT_NOT_FOUND');
    quiet.placed(alice, 'bid 0.1 BTCUSDC @ 50000'); // needs 300
    quiet.placed(alice, 'bid 4 SOLUSDC-SPOT @ 100'); // reserves 400.04
    expect(transfer(alice, bob, 600)).toBe('INSUFFICIENT_FUNDS');
    expect(transfer(alice, bob, 599)).toBeUndefined();
    expect([quiet.amount(alice), quiet.amount(bob)]).toEqual([401, 599]);
    expect(transfer(bob, alice, 599)).toBeUndefined();
  });
});

describe('the data of the exchange', () => {
  test('fills name the maker’s order and account; only resting orders have an order id; the book changes with every action', () => {
    const quiet = new QuietExchange();
    const [alice, bob] = [quiet.user('alice', 100_000), quiet.user('bob', 100_000)];
    const ask = quiet.placed(bob, 'ask 1 BTCUSDC @ 60000');
    expect(quiet.exchange.book(0)).toEqual({ market: 0, updateId: ask.actionId, bids: [], asks: [{ price: 600_000, size: 10_000 }] });
    const maker = { orderId: ask.posted!.orderId, account: bob, price: 600_000 };

    const taken = quiet.placed(alice, 'bid 0.4 BTCUSDC @ 60000');
    expect(taken).toEqual({ kind: 'accepted', actionId: quiet.exchange.lastActionId(), fills: [{ ...maker, size: 4_000 }] });
    const both = quiet.placed(alice, 'bid 1 BTCUSDC @ 60001');
    expect(both).toMatchObject({ fills: [{ ...maker, size: 6_000 }], posted: { price: 600_010, size: 4_000 } });
    expect(quiet.exchange.book(0)).toMatchObject({ updateId: both.actionId, bids: [{ price: 600_010, size: 4_000 }], asks: [] });

    expect(quiet.state(bob)).toMatchObject({ orders: [], positions: [{ market: 0, size: -10_000, entry: 60_000, openOrders: 0 }] });
    expect(quiet.state(alice)).toMatchObject({
      updateId: both.actionId,
      orders: [{ orderId: both.posted!.orderId, size: 4_000, originalSize: 10_000 }],
      positions: [{ market: 0, size: 10_000, entry: 60_000, openOrders: 1, actionId: both.actionId }],
    });
    const [newest, older] = quiet.exchange.trades({}).items;
    const sides = { market: 0, takerId: alice, takerSide: 'bid', makerId: bob, orderId: maker.orderId, price: 600_000 };
    expect(newest).toEqual({
      ...sides,
      tradeId: '2',
      takerOrderId: both.posted!.orderId,
      actionId: both.actionId,
      time: START,
      size: 6_000,
      makerFee: usd(3.6),
      takerFee: usd(12.6),
      liquidation: false,
    });
    expect(older).toMatchObject({ tradeId: '1', actionId: taken.actionId, size: 4_000 });
    quiet.exchange.cancel({ account: alice, orderId: both.posted!.orderId });
    expect(quiet.exchange.book(0)?.updateId).toBe(quiet.exchange.lastActionId());
  });

  test('profit at the index price is exact', () => {
    const quiet = new QuietExchange();
    const [alice, bob] = [quiet.user('alice', 100_000), quiet.user('bob', 100_000)];
    quiet.trade({ buyer: alice, seller: bob }, '0.1 BTCUSDC @ 60000.1');
    quiet.trade({ buyer: alice, seller: bob }, '0.2 BTCUSDC @ 60000.3');
    quiet.index('BTCUSDC', 60_123.4);
    expect(quiet.state(alice).positions[0]?.tradingPnl).toBe(usd(0.1 * 123.3 + 0.2 * 123.1));
    expect(quiet.state(bob).positions[0]?.tradingPnl).toBe(usd(-0.1 * 123.3 - 0.2 * 123.1));
    expect(quiet.state(alice).positions[0]?.entry).toBeCloseTo(60_000.233_33, 4);
  });

  test('an account can trade with itself, and pays both fees', () => {
    const quiet = new QuietExchange();
    const alice = quiet.user('alice', 100_000);
    quiet.trade({ buyer: alice, seller: alice }, '1 BTCUSDC @ 60000');
    expect(quiet.state(alice)).toMatchObject({ positions: [], orders: [] });
    expect(quiet.amount(alice)).toBe(100_000 - 6 - 21);
  });

  test('the history of orders is newest first, in pages', () => {
    const quiet = new QuietExchange();
    const [alice, bob] = [quiet.user('alice', 100_000), quiet.user('bob', 100_000)];
    const first = quiet.placed(alice, 'bid 0.1 BTCUSDC @ 59000').posted!.orderId;
    quiet.placed(alice, 'bid 0.1 BTCUSDC @ 60000 POST_ONLY');
    quiet.pass(1_000);
    quiet.placed(bob, 'ask 0.04 BTCUSDC @ 60000');
    quiet.exchange.cancel({ account: alice, orderId: first });
    quiet.placed(bob, 'ask 0.08 BTCUSDC IMMEDIATE_OR_CANCEL');
    const page = quiet.exchange.orderHistory(alice, { pageSize: 1 });
    const common = { addedAt: START, updatedAt: START + 1_000, origin: 'user', side: 'bid', size: 1_000 };
    expect(page.items).toMatchObject([{ ...common, fillMode: 'POST_ONLY', filled: 1_000, lastTradeId: '2', finalized: 'filled' }]);
    expect(page.nextStartInclusive).toBe(first);
    const rest = quiet.exchange.orderHistory(alice, { startInclusive: first });
    expect(rest.items).toMatchObject([{ ...common, orderId: first, filled: 0, finalized: 'canceled' }]);
    expect(rest.nextStartInclusive).toBeUndefined();
    expect(quiet.exchange.orderHistory(bob, {}).items).toMatchObject([{ filled: 600, finalized: 'canceled' }, { finalized: 'filled' }]);
    expect(quiet.exchange.orderHistory(999, {}).items).toEqual([]);
  });
});

describe('action ids', () => {
  test('increase by one with every accepted action', () => {
    const quiet = new QuietExchange();
    const alice = quiet.user('alice', 100_000);
    const before = Number(quiet.exchange.lastActionId());
    expect(quiet.placed(alice, 'bid 1 BTCUSDC @ 50000').actionId).toBe(String(before + 1));
    expect(quiet.place(alice, 'bid 0 BTCUSDC @ 50000').actionId).toBe(String(before + 2));
    quiet.exchange.countAction();
    expect(quiet.exchange.lastActionId()).toBe(String(before + 2));
    quiet.exchange.freeze(0, true);
    expect(quiet.exchange.lastActionId()).toBe(String(before + 3));
  });
});

describe('time', () => {
  test('gives the same result in one step, in small ones and in odd ones, also over the hour of the funding', () => {
    const leap = traceOf({ seed: 'slices', slices: [10_000, 25_000] });
    expect(leap.trades.items).toHaveLength(50);
    expect(traceOf({ seed: 'slices', slices: Array.from({ length: 350 }, () => 100) })).toEqual(leap);
    expect(traceOf({ seed: 'slices', slices: [33, 9_900, 67, 24_950, 50] })).toEqual(leap);
  });

  test('with another seed gives another market', () => {
    const slices = [10_000, 1_000];
    expect(traceOf({ seed: 'one', slices }).trades).not.toEqual(traceOf({ seed: 'two', slices }).trades);
  });

  test('does not run backwards', () => {
    const quiet = new QuietExchange();
    expect(() => quiet.exchange.advanceTo(START - 1)).toThrow('backwards');
  });
});
