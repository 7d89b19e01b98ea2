// The guards of possible holdings (position, leverage, balance), at their exact boundaries. BTC at 60 000; a lot is worth 6.
import { beforeEach, describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Order } from '../../../src/bot/domain/order.ts';
import { LAG } from '../../../src/bot/world/orders/proof.ts';
import { calmWorld, marketOf, START, WorldBuilder } from '../world-builder.ts';
import { foreign, guardVerdict, standingOf } from './verdicts.ts';

const SPOT = marketOf({ kind: 'spot', symbol: 'BTC/USDC' });

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
});
const standing = (id: string): Order => standingOf(builder.world, id);

describe('position', () => {
  // 6 000 at 60 000 is 0.1.
  const limits = { maxNotional: 6_000 };
  const bid = (size: number) => guardVerdict('position', builder.world, { side: 'bid', price: 59_000, size }, limits);
  const sell = (size: number) => guardVerdict('position', builder.world, { side: 'ask', price: 61_000, size }, limits);

  test('shrinks an order so that the position stays within the limit', () => {
    expect([bid(0.1), sell(0.1)]).toEqual(['pass', 'pass']);
    expect(bid(0.1001)).toBe('shrink to 0.1: with all its bids filled the position could reach 0.1001; the limit of 6000 is 0.1000');
    expect(sell(0.1001)).toBe('shrink to 0.1: with all its asks filled the position could reach 0.1001; the limit of 6000 is 0.1000');
  });

  test('counts the position and the orders resting on its side', () => {
    builder.placed({ side: 'bid', price: 59_000, size: 0.03, id: '1' }).account({ position: 0.05 });
    expect([bid(0.02), sell(0.15)]).toEqual(['pass', 'pass']);
    expect(bid(0.0201)).toMatch(/^shrink to 0\.02: /);
    expect(sell(0.1501)).toMatch(/^shrink to 0\.15: /);
  });

  test('counts an order without an answer as filled', () => {
    builder.pending({ side: 'bid', price: 59_000, size: 0.03, id: '1' }).unknown('1', START);
    expect(bid(0.07)).toBe('pass');
    expect(bid(0.0701)).toMatch(/^shrink/);
    expect(sell(0.1)).toBe('pass');
  });

  test('refuses an order if the limit is exceeded already', () => {
    builder.account({ position: 0.12 });
    expect(bid(0.01)).toMatch(/^shrink to 0: /);
  });

  test('of a spot market is the balance of its base token', () => {
    builder = calmWorld({ bid: 59_999, ask: 60_001 }, SPOT).account({ tokens: { 1: 0.06 } });
    expect(bid(0.04)).toBe('pass');
    expect(bid(0.0401)).toMatch(/^shrink to 0\.04: /);
  });

  test('passes an order that can only reduce the position', () => {
    builder.account({ position: 1 });
    expect(sell(1)).toBe('pass');
    expect(sell(1.2)).toMatch(/^shrink to 1\.1: /);
  });

  test('is measured at the higher of mark and index, plus the oracle confidence', () => {
    builder.apply((at) => ({
      kind: 'infoSeen',
      at,
      asked: at,
      infos: [{ market: 0, frozen: false, index: ticks(600_000), mark: ticks(610_000), indexConf: ticks(10_000) }],
    }));
    expect(bid(0.0967)).toBe('pass');
    expect(bid(0.0968)).toMatch(/^shrink to 0\.0967: /);
  });
});

describe('leverage', () => {
  // Worth 10 000: three times that is 0.5 at 60 000.
  const three = { max: 3 };
  const bid = (size: number, limits = three) => guardVerdict('leverage', builder.world, { side: 'bid', price: 59_000, size }, limits);
  const sell = (size: number) => guardVerdict('leverage', builder.world, { side: 'ask', price: 61_000, size }, three);

  test('shrinks an order so that all positions stay within the multiple', () => {
    expect(bid(0.5)).toBe('pass');
    expect(bid(0.5001)).toBe('shrink to 0.5: all positions together could exceed 3 times what the account is worth');
    expect(bid(0.5001, { max: 4 })).toBe('pass');
  });

  test('counts the worse side of the orders that can fill', () => {
    builder.placed({ side: 'bid', price: 59_000, size: 0.2, id: '1' }).account({ position: 0.1 });
    expect(bid(0.2)).toBe('pass');
    expect(bid(0.2001)).toMatch(/^shrink to 0\.2: /);
    expect(sell(0.6)).toBe('pass');
    expect(sell(0.6001)).toMatch(/^shrink to 0\.6: /);
  });

  test('refuses all orders except reducing ones if the limit is exceeded already', () => {
    builder.account({ position: 0.6 });
    expect(bid(0.1)).toMatch(/^shrink to 0: /);
    expect(sell(0.6)).toBe('pass');
    expect(sell(0.7)).toMatch(/^shrink to 0: /);
  });

  test('refuses to open with an account that is worth nothing', () => {
    builder.account({ margins: { mf: -5 } });
    expect(bid(0.0001)).toMatch(/^shrink to 0: /);
  });

  test('counts the holdings and bids of a spot market', () => {
    builder = calmWorld({ bid: 59_999, ask: 60_001 }, SPOT).account({ tokens: { 1: 0.2 } });
    expect(bid(0.3)).toBe('pass');
    expect(bid(0.3001)).toMatch(/^shrink to 0\.3: /);
  });
});

describe('balance', () => {
  const none = { reserve: 0 };
  const bid = (size: number, limits = none) => guardVerdict('balance', builder.world, { side: 'bid', price: 50_000, size }, limits);
  const sell = (size: number, limits = none) => guardVerdict('balance', builder.world, { side: 'ask', price: 61_000, size }, limits);
  beforeEach(() => {
    builder = calmWorld({ bid: 59_999, ask: 60_001 }, SPOT).account({ balance: 10_000, tokens: { 1: 0.3 } });
  });

  test('shrinks a bid to the quote balance, an ask to the base balance', () => {
    expect([bid(0.2), sell(0.3)]).toEqual(['pass', 'pass']);
    expect(bid(0.2001)).toBe('shrink to 0.2: 0.2001 is more than the free balance covers (0.2000)');
    expect(sell(0.3001)).toBe('shrink to 0.3: 0.3001 is more than the free balance covers (0.3000)');
  });

  test('keeps a reserve of quote money for fees; all base tokens can be sold', () => {
    expect(bid(0.2, { reserve: 0.001 })).toMatch(/^shrink to 0\.1998: /);
    expect(sell(0.3, { reserve: 0.001 })).toBe('pass');
  });

  test('keeps a reserve for the fee of the account if it is known', () => {
    const { account } = builder.world;
    if (account === undefined) throw new Error('no account');
    builder.apply((at) => ({ kind: 'accountSeen', at, asked: at, account: { ...account.value, feeRate: 0.01 } }));
    expect(bid(0.2, { reserve: 0.001 })).toMatch(/^shrink to 0\.198: /);
  });

  test('does not count tokens twice that another order needs', () => {
    builder.placed({ side: 'bid', price: 40_000, size: 0.1, id: '1' }).placed({ side: 'ask', price: 61_000, size: 0.1, id: '2' });
    expect([bid(0.12), sell(0.2)]).toEqual(['pass', 'pass']);
    expect(bid(0.1201)).toMatch(/^shrink to 0\.12: /);
    expect(sell(0.2001)).toMatch(/^shrink to 0\.2: /);
  });

  test('does not count tokens that a foreign order needs', () => {
    builder.account({
      tokens: { 1: 0.3 },
      others: [foreign({ size: lots(1_000) }), foreign({ orderId: 'theirs 2', side: 'bid', price: ticks(400_000) })],
    });
    expect(sell(0.2001)).toMatch(/^shrink to 0\.2: /);
    expect(bid(0.1201)).toMatch(/^shrink to 0\.12: /);
  });

  test('does not count tokens paid in a trade that the balances may not show yet', () => {
    builder.placed({ side: 'bid', price: 50_000, size: 0.1, id: '1' }).filled('1');
    expect(bid(0.0801)).toMatch(/^shrink to 0\.08: /); // 0.1 counted at 60 000
    builder.after(LAG).account({ balance: 5_000, tokens: { 1: 0.4 } });
    expect([bid(0.1), sell(0.4)]).toEqual(['pass', 'pass']);
  });

  test('does not count quote money that another spot market has used', () => {
    const other = marketOf({ id: 1, kind: 'spot', symbol: 'ETH/USDC', baseTokenId: 2 });
    builder = new WorldBuilder([SPOT, other]).info({ price: 60_000 }).account({ balance: 10_000 });
    const order = { clientOrderId: '9', market: 1, side: 'bid', price: ticks(400_000), size: lots(1_000), fillMode: 'LIMIT' } as const;
    builder.sent([{ kind: 'place', ...order }]); // 4 000
    expect(bid(0.12)).toBe('pass');
    expect(bid(0.1201)).toMatch(/^shrink to 0\.12: /);
  });

  test('counts an order without an answer once', () => {
    builder.pending({ side: 'ask', price: 61_000, size: 0.1, id: '1' }).unknown('1', START);
    expect(sell(0.2)).toBe('pass');
    expect(sell(0.2001)).toMatch(/^shrink to 0\.2: /);
  });

  test('does not count the tokens of a standing order against itself', () => {
    builder.placed({ side: 'bid', price: 50_000, size: 0.2, id: '1' });
    expect(guardVerdict('balance', builder.world, { side: 'bid', price: 50_000, size: 0.2, standing: standing('1') }, { reserve: 0 })).toBe(
      'pass',
    );
  });

  test('counts no balance for a token that is not listed', () => {
    builder.account({ tokens: {} });
    expect(sell(0.0001)).toMatch(/^shrink to 0: /);
  });

  test('does not apply to perpetuals', () => {
    builder = calmWorld({ bid: 59_999, ask: 60_001 });
    expect(bid(100)).toBe('pass');
  });
});
