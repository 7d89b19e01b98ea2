// The whole bot under mild faults, each run made twice: no invariant breaks, and both runs are the same. The other half is in the file beside.
import { expect, test } from 'vitest';
import { trial } from '../../../src/simulation/trial.ts';
import { builtIn } from './subjects.ts';

const SEEDS = [6, 7, 8, 9, 10, 11];

test.each(SEEDS)('seed %i', async (seed) => {
  const { failure, figures } = await trial(await builtIn('grid'), { seed: String(seed), profile: 'smoke', twice: true });
  expect(failure && [failure.invariant, failure.message, ...failure.timeline].join('\n')).toBeUndefined();
  expect(figures.orders).toBeGreaterThan(0);
});
