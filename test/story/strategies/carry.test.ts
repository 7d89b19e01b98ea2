// The carry strategy: entry, exit, and positions that never exceed the target.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { marketScript, play, testTools } from '../../../src/testing.ts';
import carry from '../../../strategies/carry.ts';
import { recreated } from '../restart/recreated.ts';
import { PERP, SPOT, SpotStage } from '../spot/spot-stage.ts';
import { ALWAYS, testReached } from './carry-reached.ts';

/** Returns markets with a funding rate per hour from each of the times. */
function markets(rates: Readonly<Record<string, number>>) {
  const perp = marketScript({ symbol: PERP }).price('0s', 150);
  for (const [at, rate] of Object.entries(rates)) perp.funding(at, { rate: rate * 8, due: '3h' });
  return [marketScript({ symbol: SPOT }).price('0s', 150).until('90s'), perp.until('90s')];
}
const PAYS_AND_ENDS = { '1s': 0.00003, '30s': 0.00001, '60s': -0.00002 };

const traded = async (rates: Readonly<Record<string, number>>, params = {}) => {
  const { fills, summary } = await play(carry, { market: markets(rates), params });
  return { fills: fills.map(({ market, side, size }) => [market, side, size]), positions: summary.positions };
};

describe('a carry on a scripted market', () => {
  test('holds both sides while funding pays, and no position afterwards', async () => {
    expect(await traded(PAYS_AND_ENDS)).toEqual({
      fills: [
        [SPOT, 'bid', '10.000'],
        [PERP, 'ask', '10.00'],
        [SPOT, 'ask', '10.000'],
        [PERP, 'bid', '10.00'],
      ],
      positions: {},
    });
  });

  test('enters at its entry rate or above, and stays below it', async () => {
    expect((await traded({ '1s': 0.00001 })).fills).toEqual([]);
    expect((await traded({ '1s': 0.00003, '30s': 0.000001 })).positions).toEqual({ [SPOT]: '10.000', [PERP]: '-10.00' });
  });

  test('decides the same if it is created again in every turn', async () => {
    const once = await play(carry, { market: markets(PAYS_AND_ENDS) });
    const again = await play(recreated(carry), { market: markets(PAYS_AND_ENDS) });
    expect(again.fingerprint).toBe(once.fingerprint);
  });
});

describe('a carry on the embedded exchange', () => {
  testReached([['with an account that is 5 s old, and lost replies', { lagMs: 5_000, lost: 3 }]]);

  test('does not enter without a funding rate, as with the local signing process', async () => {
    const stage = await SpotStage.open({ api: 'local', markets: [SPOT, PERP] });
    await stage.run(carry.create(ALWAYS, testTools()), { seconds: 10 });
    expect([stage.sol, stage.perp]).toEqual([0, 0]);
  });
});

test('reserved tokens are neither sold nor hedged', async () => {
  const stage = await SpotStage.open({ markets: [SPOT, PERP] });
  await stage.run(() => [], { seconds: 1 });
  stage.deposit(3);
  const decide = carry.create({ ...ALWAYS, keep: 3 }, testTools());
  await stage.run(decide, { seconds: 30 });
  expect([stage.sol, stage.perp]).toEqual([13, -10]);
});

test('the entry rate must exceed the exit rate', () => {
  expect(() => carry.create({ ...carry.defaults, exitRate: 0.00002 }, testTools())).toThrow(UserError);
});
