// The whole bot while one field of the exchange's answers is wrong for 5 to 120 s, alone and in pairs: no invariant is violated.
import { expect, test } from 'vitest';
import { trial } from '../../../src/research/simulation/trial.ts';
import { builtIn } from './subjects.ts';

test.each([2, 3, 4])('seed %i', async (seed) => {
  const { failure, figures } = await trial(await builtIn('grid'), { seed: String(seed), profile: 'liar', twice: false });
  expect(failure && [failure.invariant, failure.message, ...failure.timeline].join('\n')).toBeUndefined();
  expect([figures.orders > 0, figures.struck['lie'] !== undefined, figures.doubled]).toEqual([true, true, 0]);
});
