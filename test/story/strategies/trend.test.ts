// The trend follower: entry and stop.
import { describe, expect, test } from 'vitest';
import { play } from '../../../src/testing.ts';
import trend from '../../../strategies/trend.ts';
import { recreated } from '../restart/recreated.ts';
import { minutes } from './minutes.ts';

const PARAMS = { resolution: '1m', length: 4, trailBps: 5 };
const BREAKOUT = [60_000, 60_010, 60_000, 60_010, 60_000, 60_020, 60_040, 60_060, 60_050, 60_030, 60_020, 60_020];

describe('the trend follower', () => {
  test('buys the breakout and sells at the trailing stop', async () => {
    const { fills, summary } = await play(trend, { market: minutes(BREAKOUT), params: PARAMS });
    expect(fills.map(({ side, price, size }) => [side, price, size])).toEqual([
      ['bid', '60040.1', '0.0100'],
      ['ask', '60019.9', '0.0100'],
    ]);
    expect(summary.positions).toEqual({});
  });

  test('does not enter without a breakout', async () => {
    const { orders } = await play(trend, {
      market: minutes([60_000, 60_010, 60_000, 60_010, 60_000, 60_010, 60_010, 60_000]),
      params: PARAMS,
    });
    expect(orders).toEqual([]);
  });

  const cases = [
    ['a script', { market: minutes(BREAKOUT) }],
    ['the embedded exchange', { for: '15m', seed: 'a' }],
  ] as const;
  test.each(cases)('decides the same on %s if it is created again in every turn', async (_, where) => {
    const once = await play(trend, { ...where, params: PARAMS });
    const again = await play(recreated(trend), { ...where, params: PARAMS });
    expect(once.fills.length).toBeGreaterThan(1);
    expect(again.fingerprint).toBe(once.fingerprint);
  });
});
