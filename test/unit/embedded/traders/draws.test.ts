// The random distributions have the shapes they claim.
import { describe, expect, it } from 'vitest';
import { rngFrom } from '../../../../src/base/rng.ts';
import { decay, happens, meanReverting, pareto, STEP_SECONDS } from '../../../../src/embedded/exchange/traders/draws.ts';

const DRAWS = 20_000;
const many = <T>(draw: () => T): readonly T[] => Array.from({ length: DRAWS }, draw);
const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

it('a Pareto tail falls as it should, between its ends', () => {
  const rng = rngFrom('pareto');
  const sizes = many(() => pareto(rng, { least: 100, tail: 1.5, most: 5_000 }));
  expect(Math.min(...sizes)).toBeGreaterThanOrEqual(100);
  expect(Math.max(...sizes)).toBe(5_000);
  expect(sizes.filter((size) => size > 400).length / DRAWS).toBeCloseTo(4 ** -1.5, 2);
});

it('what happens twice a second happens in a fifth of the steps', () => {
  const rng = rngFrom('happens');
  expect(many(() => happens(rng, 2)).filter(Boolean).length / DRAWS).toBeCloseTo(2 * STEP_SECONDS, 1);
});

describe('a mean-reverting process', () => {
  const values = many(meanReverting(rngFrom('meanReverting'), { deviation: 3, seconds: 2 }));

  it('keeps its deviation and its mean', () => {
    expect(Math.abs(meanOf(values))).toBeLessThan(0.5);
    expect(Math.sqrt(meanOf(values.map((value) => value ** 2)))).toBeCloseTo(3, 0);
  });

  it('forgets with its time constant', () => {
    const steps = 2 / STEP_SECONDS;
    const remembered = meanOf(values.slice(steps).map((value, nth) => value * (values[nth] ?? 0))) / 9;
    expect(remembered).toBeGreaterThan(decay(2) ** steps - 0.12);
    expect(remembered).toBeLessThan(decay(2) ** steps + 0.12);
  });
});
