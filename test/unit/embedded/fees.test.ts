// The fee schedule, and the tier by thirty days of volume.
import { describe, expect, test } from 'vitest';
import { feeTierOf, newAccount } from '../../../src/embedded/exchange/state/account.ts';
import { FEE_BRACKETS, feeOn, tierOf } from '../../../src/embedded/exchange/state/fees.ts';
import { HOUR, QuietExchange, START, usd } from './quiet-exchange.ts';

const DAY = 24 * HOUR;

describe('the schedule', () => {
  test('has ten tiers, and a discounted fee is never higher than the standard one', () => {
    expect(FEE_BRACKETS.map(({ tier }) => tier)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    for (const { tier, makerPpm, takerPpm } of FEE_BRACKETS.slice(5)) {
      expect(makerPpm).toBeLessThanOrEqual(FEE_BRACKETS[tier - 5]!.makerPpm);
      expect(takerPpm).toBeLessThanOrEqual(FEE_BRACKETS[tier - 5]!.takerPpm);
    }
  });

  test.each([
    [0, 0],
    [5e6, 0],
    [5e6 + 1e-6, 1],
    [25e6 + 1, 2],
    [100e6, 2],
    [100e6 + 1, 3],
    [1e9, 3],
    [2e9, 4],
  ])('%d USD traded: tier %d', (volume, tier) => {
    expect(tierOf(usd(volume))).toBe(tier);
  });

  test('a fee is rounded up to the millionth', () => {
    expect(feeOn(usd(0.000_001), 350)).toBe(1);
    expect(feeOn(usd(100), 350)).toBe(35_000);
    expect(feeOn(usd(100), 0)).toBe(0);
  });
});

describe('an account', () => {
  test('pays by its role, and less once its volume is above the next threshold', () => {
    const quiet = new QuietExchange();
    const [alice, bob] = [quiet.user('alice', 10e6), quiet.user('bob', 10e6)];
    quiet.trade({ buyer: alice, seller: bob }, '90 BTCUSDC @ 60000');
    const [first] = quiet.exchange.trades({}).items;
    expect([first?.takerFee, first?.makerFee]).toEqual([usd(5.4e6 * 0.000_35), usd(5.4e6 * 0.000_1)]);
    expect(quiet.exchange.feeTier(alice)).toBe(1);
    expect(quiet.exchange.feeRatePpm({ account: bob, role: 'taker' })).toBe(300);
    expect(quiet.exchange.feeRatePpm({ account: bob, role: 'maker' })).toBe(50);
    expect(quiet.exchange.feeTier(999)).toBeUndefined();
  });

  test('has a volume of thirty days', () => {
    const account = newAccount({ id: 0, isOtherTrader: false, wallet: [0] });
    account.volume.at(START).quote += usd(4e6);
    account.volume.at(START + 10 * DAY).quote += usd(2e6);
    expect(feeTierOf(account, START + 29 * DAY)).toBe(1);
    expect(feeTierOf(account, START + 30 * DAY)).toBe(0);
  });
});
