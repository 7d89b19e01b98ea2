// The crossover strategy.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { play, testTools } from '../../../src/testing.ts';
import crossover from '../../../strategies/crossover.ts';
import { recreated } from '../restart/recreated.ts';
import { minutes } from './minutes.ts';

const PARAMS = { resolution: '1m', fast: 2, slow: 4 };
const RISE_AND_FALL = [60_000, 60_000, 60_000, 60_000, 60_010, 60_020, 60_020, 60_000, 59_980, 59_960, 59_960];

describe('the crossover', () => {
  test('waits for its averages, is long above and short below them', async () => {
    const { fills, summary } = await play(crossover, { market: minutes(RISE_AND_FALL), params: PARAMS });
    expect(fills.map(({ side, price, size }) => [side, price, size])).toEqual([
      ['bid', '60020.1', '0.0100'],
      ['ask', '59979.9', '0.0200'],
    ]);
    expect(summary.positions).toEqual({ BTCUSDC: '-0.0100' });
  });

  test('is flat instead of short if short positions are off', async () => {
    const { fills, summary } = await play(crossover, { market: minutes(RISE_AND_FALL), params: { ...PARAMS, short: false } });
    expect(fills.map(({ side, size }) => [side, size])).toEqual([
      ['bid', '0.0100'],
      ['ask', '0.0100'],
    ]);
    expect(summary.positions).toEqual({});
  });

  test.each([
    ['a script', { market: minutes(RISE_AND_FALL) }],
    ['the embedded exchange', { for: '12m', seed: 'a' }],
  ] as const)('decides the same on %s if it is created anew in every turn', async (_, where) => {
    const once = await play(crossover, { ...where, params: PARAMS });
    const again = await play(recreated(crossover), { ...where, params: PARAMS });
    expect(once.fills.length).toBeGreaterThan(1);
    expect(again.fingerprint).toBe(once.fingerprint);
  });

  test('refuses a fast average that is not faster', () => {
    expect(() => crossover.create({ ...crossover.defaults, fast: 200 }, testTools())).toThrow(UserError);
  });
});
