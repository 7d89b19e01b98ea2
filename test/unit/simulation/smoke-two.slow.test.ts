// The whole bot under mild faults: no invariant is violated; the first run is played twice with the same result. The other seeds: the file beside.
import { expect, test } from 'vitest';
import { trial } from '../../../src/research/simulation/trial.ts';
import { builtIn } from './subjects.ts';

test.each([4, 5, 6, 7])('seed %i', async (seed) => {
  const { failure, figures } = await trial(await builtIn('grid'), { seed: String(seed), profile: 'smoke', twice: seed === 4 });
  expect(failure && [failure.invariant, failure.message, ...failure.timeline].join('\n')).toBeUndefined();
  expect(figures.orders).toBeGreaterThan(0);
});
