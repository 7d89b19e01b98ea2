// Verdicts on simulated sweeps of which it is known whether they earn. `npm run bench -- verdicts` plays a thousand of each kind; docs/sweeps.md has its table.
import { describe, expect, test } from 'vitest';
import { EARNING, NOISE, RARE_LOSSES, verdictOn } from '../../../bench/simulated-sweeps.ts';
import type { VerdictKind } from '../../../src/research/sweep/verdict.ts';

const SWEEPS = 40;
/** The share of false positives that a true share of 5 % stays below in 97 of 100 samples: two standard errors above it. The bench has no such margin. */
const MOST_FALSE = 0.05 + 2 * Math.sqrt((0.05 * 0.95) / SWEEPS);

/** Returns the share of the sweeps that get this verdict. */
function shareOf(kind: VerdictKind, columnsOf: Parameters<typeof verdictOn>[0] | undefined, seed: string): number {
  if (columnsOf === undefined) throw new Error(`there is no simulation ${seed}`);
  const verdicts = Array.from({ length: SWEEPS }, (_, sweep) => verdictOn(columnsOf, `${seed}: sweep ${sweep}`));
  return verdicts.filter((verdict) => verdict === kind).length / SWEEPS;
}

describe('the verdict', () => {
  test.each(["Student's t, 3 degrees", 'correlation 0.5', 'AR(1), 0.5'])('on noise is noise: %s', (name) => {
    expect(shareOf('promising', NOISE[name], name)).toBeLessThanOrEqual(MOST_FALSE);
  });

  test.each([
    ['one point with t = 3', 0.4],
    ['one point with t = 4', 0.7],
    ['one point with t = 5', 0.9],
    ['ten alike points with t = 4', 0.7],
  ])('finds an edge: %s', (name, power) => {
    expect(shareOf('promising', EARNING[name], name)).toBeGreaterThanOrEqual(power);
  });

  test.each([
    ['one loss of 499 in 500 wins of 1', 1],
    ['one loss of 49 in 50 wins of 1', 1],
    ['one loss of 19 in 20 wins of 1', 0.6],
  ])('says that it cannot decide where losses are rare: %s', (name, share) => {
    expect(shareOf('undecided', RARE_LOSSES[name], name)).toBeGreaterThanOrEqual(share);
    expect(shareOf('promising', RARE_LOSSES[name], name)).toBe(0);
  });
});
