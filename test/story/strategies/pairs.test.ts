// The pairs strategy: entry and exit.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { play, testTools } from '../../../src/testing.ts';
import pairs from '../../../strategies/pairs.ts';
import { recreated } from '../restart/recreated.ts';
import { minutes } from './minutes.ts';

const PARAMS = { length: 6, enterDeviations: 1.5, exitDeviations: 0.5 };
const BTC = Array.from({ length: 16 }, () => 60_000);

/** Returns the second market around 3,000, with one move away and back. */
const market = (away: number) => {
  const eth = [
    3_000,
    3_001,
    3_000,
    3_001,
    3_000,
    3_001,
    3_001 + away,
    3_001 + away,
    3_000,
    3_001,
    3_000,
    3_001,
    3_000,
    3_001,
    3_000,
    3_001,
  ];
  return [minutes(eth, 'ETHUSDC'), minutes(BTC, 'BTCUSDC')];
};

describe('the pairs trade', () => {
  test.each([
    ['sells the market that rose and buys the other', 5, 'ask', 'bid'],
    ['buys the market that fell and sells the other', -5, 'bid', 'ask'],
  ] as const)('%s, and goes back', async (_, away, first, second) => {
    const { fills, summary } = await play(pairs, { market: market(away), params: PARAMS });
    const inMarket = (symbol: string) => fills.filter((fill) => fill.market === symbol).map(({ side, size }) => [side, size]);
    expect(inMarket('ETHUSDC')).toEqual([
      [first, '0.500'],
      [second, '0.500'],
    ]);
    expect(inMarket('BTCUSDC')).toEqual([
      [second, '0.0250'],
      [first, '0.0250'],
    ]);
    expect(summary.positions).toEqual({});
  });

  test('earns in each market what adds up to the whole', async () => {
    const { summary } = await play(pairs, { market: market(5), params: PARAMS });
    const parts = Object.values(summary.markets);
    const sums = (['pnl', 'fees', 'funding', 'volume', 'fills'] as const).map((key) => {
      const total = parts.reduce((sum, part) => sum + Math.round(Number(part[key]) * 1e6), 0);
      return [key, total === Math.round(Number(summary[key]) * 1e6)];
    });
    expect(Object.fromEntries(sums)).toEqual({ pnl: true, fees: true, funding: true, volume: true, fills: true });
    expect(parts.map(({ fills }) => fills)).toEqual([2, 2]);
    expect(parts.every(({ pnl }) => Number(pnl) !== 0)).toBe(true);
    const { pnl, fees, funding, volume, fills, positions } = summary;
    expect(summary.strategies).toEqual({ pairs: { pnl, fees, funding, volume, fills, positions } });
  });

  test('does not trade while the ratio is constant', async () => {
    expect((await play(pairs, { market: market(0), params: { ...PARAMS, enterDeviations: 3 } })).fills).toEqual([]);
  });

  test('decides the same on a script if it is created again in every turn', async () => {
    const once = await play(pairs, { market: market(5), params: PARAMS });
    const again = await play(recreated(pairs), { market: market(5), params: PARAMS });
    expect(once.fills.length).toBeGreaterThan(1);
    expect(again.fingerprint).toBe(once.fingerprint);
  });

  test('refuses an exit deviation above the entry deviation', () => {
    expect(() => pairs.create({ ...pairs.defaults, exitDeviations: 3 }, testTools())).toThrow(UserError);
  });
});
