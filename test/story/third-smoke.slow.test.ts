// The third exchange in the smoke profile of the simulation: lost, late, repeated, damaged and mixed-up messages, kills at every call, full disks, and
// a websocket. Each order arrives once, no order is left behind, and fills, fees and position agree with the exchange.
import { expect, test } from 'vitest';
import { disagreements, playWhole, type WholeRunResult } from '../../src/research/testing/venue/whole-run.ts';
import fake from '../third-venue/adapter/venue.fake.ts';
import venue from '../third-venue/adapter/venue.ts';
import { keyOf } from '../third-venue/exchange.ts';

/** Together they meet faults of the network, of the disk, of the process and of the exchange. */
const SEEDS = ['2', '12'];

const play = (seed: string) => playWhole({ subject: { venue, fake, key: keyOf('bot'), seed }, seed });

const ordersOf = ({ exchange }: WholeRunResult) => [exchange.orders(), exchange.fills()];

test.each(SEEDS)('seed %s', async (seed) => {
  const result = await play(seed);
  if (seed === SEEDS[0]) expect(ordersOf(await play(seed)), 'the same seed is the same run').toEqual(ordersOf(result));
  expect(disagreements(result, fake)).toEqual([]);
  expect(result.exchange.fills().length).toBeGreaterThan(10);
  expect(result.struck.size).toBeGreaterThan(2);
});
