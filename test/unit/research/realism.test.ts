// The distance of the embedded market from recordings: the formula, and that the default market is near.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REGIMES, type RegimeName } from '../../../src/embedded/exchange/traders/regimes.ts';
import { recordEmbedded } from '../../../src/embedded/recording/record-embedded.ts';
import { openTape } from '../../../src/embedded/tape/reader.ts';
import { type Realism, realismOf } from '../../../src/research/facts/distance.ts';
import { type Distributions, distributionsOf, MEASURE_NAMES } from '../../../src/research/facts/distributions.ts';
import { observe } from '../../../src/research/facts/observations.ts';
import { RECORDINGS } from '../../../src/research/facts/recordings.ts';

async function market(regime: RegimeName): Promise<Realism> {
  const out = join(mkdtempSync(join(tmpdir(), 'realism-')), 'market.tape');
  await recordEmbedded({ seed: 'realism', regime: REGIMES[regime], market: 'BTCUSDC', spanMs: 900_000, out, command: 'test' });
  const tape = await openTape(out);
  const seen = await observe(tape.blocks());
  await tape.close();
  return realismOf(distributionsOf(seen), RECORDINGS);
}

test('15 minutes of the default market are near to recordings: no measure beyond five units, half of them within two', async () => {
  const { median, largest, distances } = await market('recorded');
  expect(distances.filter(({ units }) => units === undefined)).toEqual([]);
  expect(median).toBeLessThan(2);
  expect(largest, JSON.stringify(distances)).toBeLessThan(5);
});

test('the swinging market is not near to recordings', async () => {
  const { median, largest } = await market('swinging');
  expect(median).toBeGreaterThan(2);
  expect(largest).toBeGreaterThan(5);
});

/** Distributions with the same values for each measure: half a value above a middle, half below. */
const alike = (middle: number, reach: number): Distributions =>
  Object.fromEntries(
    MEASURE_NAMES.map((name) => [name, Array.from({ length: 40 }, (_, at) => middle + (at < 20 ? -reach : reach))]),
  ) as unknown as Distributions;

test('the unit of a distance is the distance between two recordings', () => {
  const recordings = [alike(0, 1), alike(2, 1)];
  const unitsOf = (one: Distributions): readonly (number | undefined)[] => [
    ...new Set(realismOf(one, recordings).distances.map(({ units }) => units && Math.round(units * 1e9) / 1e9)),
  ];
  expect(unitsOf(alike(0, 1))).toEqual([0.5]); // 0 from one and 1 from the other
  expect(unitsOf(alike(1, 1))).toEqual([0.5]);
  expect(unitsOf(alike(7, 1))).toEqual([3]); // 7 and 5, and the unit is 2
  expect(unitsOf(alike(1, 7))).toEqual([3]);
});

test('a measure without data has no distance', () => {
  const nothing = distributionsOf({ samples: [], trades: [], changes: 0, funding: [] });
  expect(new Set(realismOf(nothing, RECORDINGS).distances.map(({ units }) => units))).toEqual(new Set([undefined]));
});
