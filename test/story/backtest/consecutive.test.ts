// Consecutive parts of a tape equal the whole tape, and a time window equals a tape that ends there.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTapes } from '../../../src/embedded/recording/tapes.ts';
import { STAMPS_PER_MILLI } from '../../../src/embedded/rows/rows.ts';
import { openTape } from '../../../src/embedded/tape/reader.ts';
import { type Slice, sliceTape } from '../../../src/embedded/tape/slice.ts';
import { createTape } from '../../../src/embedded/tape/writer.ts';
import { memoryTape, randomRows, START } from './memory-tape.ts';
import { fineGrid, played } from './played.ts';

/** A recorded market of ten seconds on disk, and its parts. */
async function market(seed: string): Promise<{ readonly whole: string; readonly part: (slice: Slice) => Promise<string> }> {
  const folder = mkdtempSync(join(tmpdir(), 'consecutive-'));
  const whole = join(folder, 'whole.tape');
  const { header } = memoryTape([]);
  const writer = await createTape(whole, header);
  for (const row of randomRows(seed, 10)) writer.add(row);
  await writer.close();
  const part = async (slice: Slice): Promise<string> => {
    const file = join(folder, `${String(slice.from)}-${String(slice.to)}.tape`);
    const tape = await openTape(whole);
    await sliceTape(tape, slice, file);
    await tape.close();
    return file;
  };
  return { whole, part };
}

const stampOf = (ms: number): number => (START + ms) * STAMPS_PER_MILLI;

test.each(['one', 'two', 'three'])('consecutive tapes give the same run as the tape they were cut from (%s)', async (seed) => {
  const { whole, part } = await market(seed);
  const files = [
    await part({ from: stampOf(7_000) }),
    await part({ to: stampOf(3_500) }),
    await part({ from: stampOf(3_500), to: stampOf(7_000) }),
  ];
  const fingerprints = [];
  for (const given of [[whole], files]) {
    const tapes = await openTapes(given);
    expect(tapes.length).toBe(1);
    const { summary } = await played(tapes, await fineGrid());
    fingerprints.push([summary.fingerprint, summary.pnl, summary.fills]);
    for (const tape of tapes) await tape.close();
  }
  expect(fingerprints[1]).toEqual(fingerprints[0]);
  expect(fingerprints[0]?.[2]).toBeGreaterThan(0);
});

test.each(['one', 'two', 'three'])('the market does not change while a run closes at the end of its window (%s)', async (seed) => {
  const { whole, part } = await market(seed);
  const results = [];
  for (const file of [whole, await part({ to: stampOf(5_000) })]) {
    const tapes = await openTapes([file]);
    const { summary } = await played(tapes, await fineGrid(), { window: { to: START + 5_000 } });
    results.push([summary.fingerprint, summary.pnl]);
    for (const tape of tapes) await tape.close();
  }
  expect(results[1]).toEqual(results[0]);
});

test('a window that ends before its start is refused', async () => {
  const tapes = await openTapes([(await market('one')).whole]);
  await expect(played(tapes, await fineGrid(), { window: { from: START + 2_000, to: START + 1_000 } })).rejects.toThrow(
    'is not after --from',
  );
  for (const tape of tapes) await tape.close();
});
