// Any rows survive a tape, a continued tape and Parquet; any integers survive packing into byte planes.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fc, test as property } from '@fast-check/vitest';
import { afterAll, expect } from 'vitest';
import type { Row } from '../../src/embedded/rows/row-builder.ts';
import { isCode } from '../../src/embedded/rows/rows.ts';
import { MAX_PLANES, packColumn, paddedRows, unpackColumn } from '../../src/embedded/tape/column.ts';
import { exportParquet, importParquet } from '../../src/embedded/tape/parquet.ts';
import { openTape } from '../../src/embedded/tape/reader.ts';
import { appendTape, createTape, type TapeFacts } from '../../src/embedded/tape/writer.ts';
import { allRows, headerOf } from '../unit/tape/samples.ts';

const seed = 20_260_119;
const directory = mkdtempSync(join(tmpdir(), 'tapes-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Mostly small integers, sometimes the minimum or the maximum. */
const upTo = (least: number, most: number): fc.Arbitrary<number> =>
  fc.oneof(
    { weight: 5, arbitrary: fc.integer({ min: Math.max(least, -300), max: Math.min(most, 300) }) },
    { weight: 1, arbitrary: fc.integer({ min: least, max: most }) },
  );

const row = fc.record({
  step: upTo(0, 2 ** 44),
  lag: upTo(-(2 ** 52), 2 ** 52),
  code: fc.nat({ max: 255 }).filter((code) => isCode(code)),
  price: upTo(-(2 ** 31), 2 ** 31 - 1),
  size: upTo(-(2 ** 52), 2 ** 52),
  order: upTo(0, Number.MAX_SAFE_INTEGER),
});
const rows = fc.array(row, { maxLength: 120 }).map((steps): Row[] => {
  let time = 0;
  return steps.map(({ step, ...others }) => ({ ...others, time: (time += step) }));
});

/** Writes rows; after some of them a block or a process ends. */
async function written(file: string, all: readonly Row[], ends: ReadonlyMap<number, 'block' | 'process'>): Promise<TapeFacts> {
  let writer = await createTape(file, headerOf('orders'));
  for (const [index, row] of all.entries()) {
    writer.add(row);
    const end = ends.get(index);
    if (end === 'block') await writer.checkpoint();
    if (end !== 'process') continue;
    await writer.close();
    writer = await appendTape(file);
  }
  return writer.close();
}

const ends = fc.array(fc.tuple(fc.nat({ max: 120 }), fc.constantFrom('block', 'process')), { maxLength: 4 }).map((pairs) => new Map(pairs));

property.prop([rows, ends, fc.double({ min: 0, max: 1, noNaN: true })], { seed, numRuns: 60 })(
  'a tape holds its rows',
  async (all, ends, part) => {
    const file = join(directory, 'a.tape');
    const { hash } = await written(file, all, new Map());
    const facts = await written(file, all, ends);
    const tape = await openTape(file);
    expect(tape.facts).toEqual(facts);
    expect(facts).toMatchObject({ hash, rows: all.length, first: all[0]?.time ?? 0, last: all.at(-1)?.time ?? 0 });
    expect(await allRows(tape)).toEqual(all);
    const from = facts.last * part;
    expect(await allRows(await openTape(file), from)).toEqual(all.filter(({ time }) => time >= from));
  },
);

property.prop([rows, ends], { seed, numRuns: 30 })('a tape comes back from Parquet', async (all, ends) => {
  const [file, parquet, again] = ['b.tape', 'b.parquet', 'c.tape'].map((name) => join(directory, name)) as [string, string, string];
  const { hash } = await written(file, all, ends);
  const tape = await openTape(file);
  await exportParquet(tape, parquet);
  await tape.close();
  expect(await importParquet(parquet, again)).toMatchObject({ hash });
  expect(await allRows(await openTape(again))).toEqual(all);
});

const bits = fc.nat({ max: 53 });
property.prop([fc.array(fc.tuple(bits, fc.double({ min: 0, max: 1, noNaN: true })), { minLength: 1, maxLength: 30 }), bits, bits], {
  seed,
  numRuns: 300,
})('planes hold any whole numbers less than 2^53 apart', (parts, baseBits, unitBits) => {
  const base = -(2 ** baseBits - 1);
  const unit = 3 * 2 ** Math.max(0, unitBits - 4);
  const most = Math.floor((2 ** 53 - 1) / unit);
  const values = Float64Array.from(parts, ([bits, part]) => base + unit * Math.min(most, Math.floor(part * 2 ** bits)));
  const packed = packColumn(values);
  expect(packed.planes.length).toBeLessThanOrEqual(MAX_PLANES);
  const again = unpackColumn(new Float64Array(paddedRows(values.length)), packed);
  expect(again.subarray(0, values.length)).toEqual(values);
});
