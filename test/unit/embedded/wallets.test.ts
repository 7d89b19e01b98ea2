// What users own outside their accounts, and what may leave an account.
import { describe, expect, test } from 'vitest';
import { lots } from '../../../src/bot/domain/numbers.ts';
import { QuietExchange, usd } from './quiet-exchange.ts';

const SOL = 3;

function setup() {
  const quiet = new QuietExchange();
  const [alice, bob] = [quiet.user('alice', 10_000), quiet.user('bob', 1_000_000)];
  const { wallets } = quiet.exchange;
  wallets.endow({ account: alice, token: SOL, amount: lots(50_000) });
  return { quiet, alice, bob, wallets };
}

describe('a wallet', () => {
  test('accepts deposits and withdrawals, and records each of them', () => {
    const { quiet, alice, wallets } = setup();
    expect(wallets.withdraw({ account: alice, token: 0, amount: usd(4_000) }).kind).toBe('accepted');
    expect(wallets.deposit({ account: alice, token: SOL, amount: 20_000 }).kind).toBe('accepted');
    expect([quiet.amount(alice), quiet.amount(alice, 'SOL')]).toEqual([6_000, 20]);
    expect(wallets.amounts(alice)).toEqual([usd(4_000), 0, 0, 30_000]);
    const { time, actionId } = wallets.moves(alice)[0]!;
    expect([time, actionId]).toEqual([quiet.exchange.now(), quiet.exchange.lastActionId()]);
    expect(wallets.moves(alice)).toMatchObject([
      { kind: 'deposit', token: SOL, amount: 20_000 },
      { kind: 'withdrawal', token: 0, amount: usd(4_000), balance: usd(6_000), index: 2 },
      { kind: 'deposit', token: 0, amount: usd(10_000), balance: usd(10_000), index: 0 },
    ]);
  });

  test('is one for all accounts of a user, and for no other user', () => {
    const { quiet, alice, bob, wallets } = setup();
    const second = quiet.exchange.openAccount('alice');
    wallets.deposit({ account: second, token: SOL, amount: 50_000 });
    expect([wallets.amounts(alice)[SOL], wallets.amounts(bob)[SOL]]).toEqual([0, 0]);
    expect(wallets.moves(second)).toEqual([expect.objectContaining({ kind: 'deposit', token: SOL, balance: 50_000 })]);
    expect(wallets.moves(alice)).toEqual([expect.objectContaining({ kind: 'deposit', token: 0 })]); // its registration
  });

  test('cannot be overdrawn, and a refusal counts nothing', () => {
    const { quiet, alice, wallets } = setup();
    const before = quiet.exchange.lastActionId();
    expect(wallets.deposit({ account: alice, token: SOL, amount: 50_001 })).toMatchObject({ kind: 'refused', error: 'INSUFFICIENT_FUNDS' });
    expect(wallets.withdraw({ account: alice, token: 0, amount: usd(10_000) + 1 })).toMatchObject({ error: 'INSUFFICIENT_FUNDS' });
    expect(wallets.withdraw({ account: alice, token: SOL, amount: 1 })).toMatchObject({ error: 'INSUFFICIENT_FUNDS' });
    expect(quiet.exchange.lastActionId()).toBe(before);
  });

  test('tokens without a price, and invalid amounts, are programmer errors', () => {
    const { alice, wallets } = setup();
    expect(() => wallets.endow({ account: alice, token: 1, amount: 1 })).toThrow('token 1');
    for (const amount of [0, -1, 0.5, Number.NaN]) expect(() => wallets.deposit({ account: alice, token: 0, amount })).toThrow('whole');
  });
});

describe('what may leave', () => {
  test('keeps omf above imf, to the last millionth', () => {
    const { quiet, alice, bob, wallets } = setup();
    quiet.trade({ buyer: alice, seller: bob }, '1 BTCUSDC @ 60000');
    quiet.index('BTCUSDC', 59_500);
    const { omf, imf } = quiet.state(alice).margins;
    const free = wallets.withdrawable(alice, 0);
    expect(free).toBe(omf - imf - 1);
    expect(wallets.withdraw({ account: alice, token: 0, amount: free + 1 }).kind).toBe('refused');
    expect(wallets.withdraw({ account: alice, token: 0, amount: free }).kind).toBe('accepted');
    const after = quiet.state(alice).margins;
    expect(after.omf - after.imf).toBe(1);
    expect(wallets.withdrawable(alice, 0)).toBe(0);
  });

  test('leaves the cover of a resting spot order', () => {
    const { quiet, alice, wallets } = setup();
    wallets.deposit({ account: alice, token: SOL, amount: 50_000 });
    quiet.placed(alice, 'ask 30 SOLUSDC-SPOT @ 160');
    quiet.placed(alice, 'bid 10 SOLUSDC-SPOT @ 140');
    expect(wallets.withdrawable(alice, SOL)).toBe(20_000);
    expect(wallets.withdrawable(alice, 0)).toBe(usd(10_000 - 1_400 * 1.0001));
  });

  test('of a token that is collateral, as much as the margins can spare at its weight', () => {
    const { quiet, alice, bob, wallets } = setup();
    wallets.deposit({ account: alice, token: SOL, amount: 50_000 });
    wallets.withdraw({ account: alice, token: 0, amount: usd(9_000) });
    quiet.trade({ buyer: alice, seller: bob }, '2 BTCUSDC @ 60000');
    const free = wallets.withdrawable(alice, SOL);
    const { omf, imf } = quiet.state(alice).margins;
    expect(free).toBe(Math.floor((omf - imf - 2) / 135_000)); // a thousandth of a SOL at 150, nine tenths of it
    expect(wallets.withdraw({ account: alice, token: SOL, amount: free }).kind).toBe('accepted');
    expect(wallets.withdraw({ account: alice, token: SOL, amount: 1 }).kind).toBe('refused');
  });

  test('a debt keeps its collateral', () => {
    const { quiet, alice, bob, wallets } = setup();
    wallets.deposit({ account: alice, token: SOL, amount: 50_000 });
    wallets.withdraw({ account: alice, token: 0, amount: usd(10_000) });
    quiet.trade({ buyer: alice, seller: bob }, '1 BTCUSDC @ 60000');
    quiet.index('BTCUSDC', 58_000);
    quiet.trade({ buyer: bob, seller: alice }, '1 BTCUSDC @ 58000');
    const debt = -quiet.amount(alice)!;
    expect(debt).toBeGreaterThan(2_000);
    expect(wallets.withdrawable(alice, 0)).toBe(0);
    const free = wallets.withdrawable(alice, SOL);
    wallets.withdraw({ account: alice, token: SOL, amount: free });
    const { mf } = quiet.state(alice).margins;
    expect(mf).toBeGreaterThanOrEqual(0);
    expect(mf).toBeLessThan(300_000);
  });
});
