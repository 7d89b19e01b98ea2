// Which orders an account's margins allow: an opening order needs omf above imf; a reducing order passes unless it brings the account towards its cancel margin.
import { describe, expect, test } from 'vitest';
import { QuietExchange } from './quiet-exchange.ts';

function setup() {
  const quiet = new QuietExchange();
  return { quiet, alice: quiet.user('alice', 10_000), bob: quiet.user('bob', 10_000_000) };
}

function underwater() {
  const { quiet, alice, bob } = setup();
  quiet.trade({ buyer: alice, seller: bob }, '3 BTCUSDC @ 60000');
  quiet.index('BTCUSDC', 59_900); // omf 9637, imf 8985: one more BTC is too much
  return { quiet, alice, bob };
}

describe('an order that opens', () => {
  test('rests while omf stays above imf, strictly, at the index price whatever its own price', () => {
    const { quiet, alice } = setup();
    expect(quiet.refusal(alice, 'bid 3.3333 BTCUSDC @ 30000')).toBeUndefined(); // 3.3333 × 60000 × 5 % = 9999.90
    expect(quiet.refusal(alice, 'bid 0.0001 BTCUSDC @ 30000')).toBe('INSUFFICIENT_FUNDS');
    expect(quiet.refusal(alice, 'ask 3.3333 BTCUSDC @ 90000')).toBeUndefined(); // the other side needs no further margin
  });

  test('pays for its fee and for a bad price at once', () => {
    const { quiet, alice, bob } = setup();
    quiet.placed(bob, 'ask 10 BTCUSDC @ 61000');
    expect(quiet.refusal(alice, 'bid 3.3333 BTCUSDC IMMEDIATE_OR_CANCEL')).toBe('INSUFFICIENT_FUNDS');
    expect(quiet.refusal(alice, 'bid 2.4 BTCUSDC IMMEDIATE_OR_CANCEL')).toBeUndefined(); // 10000 − 2400 loss − 51.24 fee > 2.4 × 3000
  });

  test('that reverses a position counts as opening', () => {
    const { quiet, alice, bob } = setup();
    quiet.trade({ buyer: alice, seller: bob }, '3 BTCUSDC @ 60000');
    quiet.placed(bob, 'bid 20 BTCUSDC @ 60000');
    expect(quiet.refusal(alice, 'ask 7 BTCUSDC IMMEDIATE_OR_CANCEL')).toBe('INSUFFICIENT_FUNDS');
    expect(quiet.refusal(alice, 'ask 5.9 BTCUSDC IMMEDIATE_OR_CANCEL')).toBeUndefined();
  });
});

describe('an order that only reduces', () => {
  test('may rest when an opening one may not', () => {
    const { quiet, alice } = underwater();
    expect(quiet.refusal(alice, 'bid 1 BTCUSDC @ 59000')).toBe('INSUFFICIENT_FUNDS');
    quiet.index('BTCUSDC', 59_000);
    expect(quiet.refusal(alice, 'ask 2 BTCUSDC @ 59100')).toBeUndefined();
    expect(quiet.refusal(alice, 'ask 1.1 BTCUSDC @ 59100')).toBe('INSUFFICIENT_FUNDS'); // 2 + 1.1 would reverse it
    expect(quiet.refusal(alice, 'ask 1 BTCUSDC @ 59100')).toBeUndefined();
  });

  test('trades unless it brings the account below its cancel margin and nearer to liquidation', () => {
    const { quiet, alice, bob } = underwater();
    quiet.index('BTCUSDC', 59_000); // omf 6937, cmf 6638
    quiet.placed(bob, 'bid 0.4 BTCUSDC @ 58900');
    quiet.placed(bob, 'bid 3 BTCUSDC @ 50000');
    expect(quiet.refusal(alice, 'ask 0.5 BTCUSDC IMMEDIATE_OR_CANCEL')).toBeUndefined();
    expect(quiet.refusal(alice, 'ask 2 BTCUSDC IMMEDIATE_OR_CANCEL')).toBe('RISK_TRADE_OMF_LESS_THAN_OR_EQUAL_CMF');
  });
});
