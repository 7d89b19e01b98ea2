// Liquidation, stage by stage: orders are cancelled, a part is sold in the book, and the backstop takes over the rest.
import { describe, expect, test } from 'vitest';
import { ticks } from '../../../src/bot/domain/numbers.ts';
import { QuietExchange, START, spotSeller, usd } from './quiet-exchange.ts';

/** Alice is long 3 BTC at 60000, with 10000 minus a fee of 63. */
function setup() {
  const quiet = new QuietExchange();
  const [alice, bob] = [quiet.user('alice', 10_000), quiet.user('bob', 10_000_000)];
  quiet.trade({ buyer: alice, seller: bob }, '3 BTCUSDC @ 60000');
  return { quiet, alice, bob, backstop: 1 };
}

describe('liquidation', () => {
  test('cancels orders first, when omf falls to cmf', () => {
    const { quiet, alice } = setup();
    quiet.placed(alice, 'ask 3 BTCUSDC @ 61000');
    quiet.placed(alice, 'bid 0.001 ETHUSDC @ 2900');
    quiet.index('BTCUSDC', 59_000); // omf 6937, cmf 6637.6
    quiet.pass(100);
    expect(quiet.state(alice).orders).toHaveLength(2);
    quiet.index('BTCUSDC', 58_800); // omf 6337, cmf 6615.1
    quiet.pass(100);
    expect(quiet.state(alice).orders).toEqual([]);
    expect(quiet.state(alice).positions).toMatchObject([{ size: 30_000 }]);
    expect(quiet.exchange.book(0)?.asks).toEqual([]);
    expect(quiet.exchange.orderHistory(alice, {}).items.map(({ finalized }) => finalized)).toEqual(['canceled', 'canceled', 'filled']);
  });

  test('sells a fifth per step in the book below mmf, until the margins hold again', () => {
    const { quiet, alice, bob } = setup();
    quiet.placed(bob, 'bid 10 BTCUSDC @ 57990');
    quiet.index('BTCUSDC', 58_200); // mf 4537, mmf 4365
    quiet.pass(1_000);
    expect(quiet.state(alice).positions).toMatchObject([{ size: 30_000 }]);
    quiet.index('BTCUSDC', 58_000); // mf 3937, mmf 4350
    quiet.pass(1_000);
    expect(quiet.state(alice).positions).toMatchObject([{ size: 24_000 }]); // mf 3919, mmf 3480
    expect(quiet.exchange.orderHistory(alice, { pageSize: 1 }).items).toMatchObject([{ origin: 'liquidation', side: 'ask', size: 6_000 }]);
    expect(quiet.exchange.trades({ takerId: alice, takerSide: 'ask' }).items).toMatchObject([{ size: 6_000, makerId: bob }]);
    expect(quiet.exchange.takes()).toEqual([]);
  });

  test('does not sell below the bankruptcy price', () => {
    const { quiet, alice, bob } = setup();
    quiet.placed(bob, 'bid 10 BTCUSDC @ 56687'); // the bankruptcy price of alice is 56687.67
    quiet.index('BTCUSDC', 58_000);
    quiet.pass(1_000);
    expect(quiet.state(alice).positions).toMatchObject([{ size: 30_000 }]);
  });

  test('moves the position to the backstop at the bankruptcy price below half of mmf', () => {
    const { quiet, alice, backstop } = setup();
    quiet.index('BTCUSDC', 57_000); // mf 937, mmf 4275; 57000 × (1 − 937 / 171000) = 56687.666…
    quiet.pass(100);
    const price = ticks(566_877);
    expect(quiet.exchange.takes()).toEqual([
      {
        time: START + 100,
        actionId: quiet.exchange.lastActionId(),
        takerAccountId: backstop,
        takerSide: 'bid',
        marketId: 0,
        settlementPrice: price,
        baseSize: 30_000,
        makerAccountId: alice,
        bankruptcyPrice: price,
      },
    ]);
    expect(quiet.state(alice)).toMatchObject({ positions: [], balances: [{ amount: 0.1 }] }); // a third of a tick for 3 BTC
    expect(quiet.state(backstop).positions).toMatchObject([{ market: 0, size: 30_000, entry: 56_687.7 }]);
    expect(quiet.exchange.live(0)?.openInterest).toBe(3);
    expect(quiet.exchange.trades({ since: START + 100 }).items).toEqual([]);
  });

  test.each([
    [57_450, false], // mf 2287, half of mmf 2154.38
    [57_300, true], // mf 1837, half of mmf 2148.75, a third 1432.5
  ])('with the index at %i moves the position to the backstop: %s', (index, taken) => {
    const { quiet } = setup();
    quiet.index('BTCUSDC', index);
    quiet.pass(100);
    expect(quiet.exchange.takes().length).toBe(taken ? 1 : 0);
  });

  test('beyond bankruptcy the loss is the backstop’s, for longs and shorts', () => {
    const { quiet, alice, bob, backstop } = setup();
    const carol = quiet.user('carol', 10_000);
    quiet.trade({ buyer: bob, seller: carol }, '40 ETHUSDC @ 3000');
    quiet.index('BTCUSDC', 40_000);
    quiet.index('ETHUSDC', 9_000);
    expect(quiet.state(alice).margins).toMatchObject({ mf: usd(9_937 - 60_000), bankruptcy: true });
    quiet.pass(100);
    for (const account of [alice, carol]) {
      expect(quiet.state(account)).toMatchObject({ positions: [], margins: { bankruptcy: false, pn: 0 } });
      expect(quiet.amount(account)).toBeGreaterThanOrEqual(0);
      expect(quiet.amount(account)).toBeLessThan(1);
    }
    expect(quiet.exchange.takes()).toMatchObject([
      { makerAccountId: alice, takerSide: 'bid', bankruptcyPrice: 566_877 },
      { makerAccountId: carol, takerSide: 'ask' },
    ]);
    expect(quiet.state(backstop).margins.mf).toBeLessThan(0);
  });

  test('moves tokens to the backstop too, at their collateral value', () => {
    const quiet = new QuietExchange(spotSeller);
    const [alice, bob] = [quiet.user('alice', 10_000), quiet.user('bob', 1_000_000)];
    quiet.pass(100);
    quiet.placed(alice, 'bid 20 SOLUSDC-SPOT @ 150');
    quiet.placed(alice, 'ask 20 SOLUSDC-SPOT @ 170');
    quiet.trade({ buyer: alice, seller: bob }, '3 BTCUSDC @ 60000');
    quiet.index('BTCUSDC', 55_000);
    quiet.pass(100);
    expect(quiet.state(alice)).toMatchObject({ orders: [], positions: [], margins: { bankruptcy: false } });
    expect(quiet.amount(alice, 'SOL')).toBeUndefined();
    expect(quiet.amount(1, 'SOL')).toBe(20);
    expect(quiet.amount(alice)).toBeGreaterThanOrEqual(0);
  });
});
