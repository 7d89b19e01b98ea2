// A run with websockets: every book that it receives is one that the exchange had. Single faults: `streams.slow.test.ts`.
import { expect, test } from 'vitest';
import { FAULTLESS, played, testDelivery } from './streams-played.ts';

testDelivery([['with all faults', { loss: 0.05, repeat: 0.1, cut: 0.02, lateMs: 500 }]]);

/** Returns the share of the exchange's books that the run has received. */
const seenOf = ({ books, states }: Awaited<ReturnType<typeof played>>): number =>
  new Set(books.map(({ updateId }) => updateId)).size / states.size;

test('streams deliver nearly every book of the exchange, polls only some', async () => {
  expect(seenOf(await played('seen', FAULTLESS))).toBeGreaterThan(0.9);
  expect(seenOf(await played('seen', undefined))).toBeLessThan(0.6);
});
