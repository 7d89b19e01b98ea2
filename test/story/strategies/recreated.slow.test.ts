// The pairs trade is created again in every turn of a quarter of an hour on the embedded exchange. On a script: `pairs.test.ts`.
import { expect, test } from 'vitest';
import { play } from '../../../src/testing.ts';
import pairs from '../../../strategies/pairs.ts';
import { recreated } from '../restart/recreated.ts';

test('the pairs trade decides the same if it is created again in every turn', async () => {
  const options = { for: '15m', seed: 'restarts', params: { length: 6, enterDeviations: 1.5, exitDeviations: 0.5 } };
  const once = await play(pairs, options);
  const again = await play(recreated(pairs), options);
  expect(once.fills.length).toBeGreaterThan(1);
  expect(again.fingerprint).toBe(once.fingerprint);
});
