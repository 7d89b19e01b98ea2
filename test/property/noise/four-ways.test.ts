// Four ways in which strategies once earned on noise: by a look at a market inside of its path or without a candle, and by an order that arrives inside a candle.
import { expect, test } from 'vitest';
import { HOUR, MINUTE, SECOND } from '../../../src/base/clock.ts';
import { DEFAULT_CANDLES } from '../../../src/embedded/exchange/recorded/candle-path.ts';
import type { BacktestOptions } from '../../../src/research/backtest/backtest.ts';
import { ASSUMPTIONS } from '../../story/backtest/played.ts';
import { earned } from './play.ts';
import { follower, onlyBetter } from './strategies.ts';
import { walkTapes } from './walks.ts';

const MAX_ERRORS = 3;
const [A, B] = ['BTCUSDC', 'BTC2USDC'];

/** No costs, so that nothing hides a profit. */
const free = (latencyMs: number): Partial<BacktestOptions> => ({
  fees: { makerPpm: 0, takerPpm: 0 },
  assumptions: {
    ...ASSUMPTIONS,
    latency: { kind: 'constant', there: latencyMs, back: latencyMs },
    candles: { ...DEFAULT_CANDLES, halfSpreadBps: 0 },
  },
});

test('two equal walks whose minutes begin at :00 and at :30', async () => {
  const tapes = walkTapes(
    [
      { symbol: A, length: MINUTE },
      { symbol: B, length: MINUTE, phase: MINUTE / 2 },
    ],
    { seed: 'halves', span: 6 * HOUR },
  );
  const { errors, turnsHeld } = await earned(tapes, follower([A, B]), free(20));
  expect(turnsHeld).toBeGreaterThan(300);
  expect(errors).toBeLessThan(MAX_ERRORS);
});

test('two equal walks of which one lacks a third of its minutes', async () => {
  const tapes = walkTapes(
    [
      { symbol: A, length: MINUTE },
      { symbol: B, length: MINUTE, missing: 0.35 },
    ],
    { seed: 'missing', span: 33 * HOUR },
  );
  const { errors, turnsHeld } = await earned(tapes, follower([A, B]), free(20));
  expect(turnsHeld).toBeGreaterThan(100);
  expect(errors).toBeLessThan(MAX_ERRORS);
});

test.each([
  ['a minute', MINUTE, 450, 6 * HOUR],
  ['a second', SECOND, 100, HOUR / 2],
] as const)('an order that arrives within a candle of %s', async (_, length, latencyMs, span) => {
  const { errors } = await earned(walkTapes([{ symbol: A, length }], { seed: 'inside', span }), onlyBetter(A), free(latencyMs));
  expect(errors).toBeLessThan(MAX_ERRORS);
});
