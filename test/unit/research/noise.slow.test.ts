// The verdict of a hundred sweeps on random returns. On single sweeps: `sweep.test.ts`; on a thousand of each kind: `npm run bench -- verdicts`.
import { expect, test } from 'vitest';
import { alike, planted } from './planted-sweeps.ts';

test('the verdict is noise for random returns in at least 95 of 100 seeds', () => {
  const verdicts = Array.from({ length: 100 }, (_, seed) => planted(`noise ${seed}`).verdict);
  expect(verdicts.filter((verdict) => verdict.startsWith('noise: the best of 10 earned')).length).toBeGreaterThanOrEqual(95);
});

test('the verdict is noise for correlated random returns, which all earn or all lose', () => {
  const verdicts = Array.from({ length: 100 }, (_, seed) => alike(`alike ${seed}`, 0).verdict);
  expect(verdicts.filter((verdict) => verdict.startsWith('noise')).length).toBeGreaterThanOrEqual(95);
  expect(
    verdicts.filter((verdict) => verdict.startsWith('noise: nothing here earns, and chance explains that the best of 10 lost')).length,
  ).toBeGreaterThan(20);
});
