// The sorter emits items that arrive nearly in order of time in order, and holds back no more than necessary.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/embedded/rows/row-builder.ts';
import { createSorter } from '../../../src/embedded/tape/sorter.ts';
import { rowAt } from './samples.ts';

function sorted(rows: readonly Row[], { window, mostHeld }: { window: number; mostHeld?: number }): { out: Row[]; late: [Row, number][] } {
  const out: Row[] = [];
  const late: [Row, number][] = [];
  const sorter = createSorter<Row>({
    window,
    out: (row) => out.push(row),
    late: (row, behind) => void late.push([row, behind]),
    ...(mostHeld === undefined ? {} : { mostHeld }),
  });
  for (const row of rows) sorter.add(row);
  sorter.end();
  expect(sorter.held).toBe(0);
  return { out, late };
}

property.prop([fc.array(fc.nat({ max: 50 })), fc.nat({ max: 60 })], { seed: 20_260_118 })(
  'what comes out is in order of time, stable, and all but what was late',
  (times, window) => {
    const rows = times.map((time, size) => rowAt(time, { size }));
    const { out, late } = sorted(rows, { window });
    const kept = rows.filter((row) => !late.some(([lost]) => lost === row));
    expect(out).toEqual(kept.toSorted((a, b) => a.time - b.time));
    let newest = 0;
    for (const row of rows) {
      if (newest - row.time <= window) expect(late.map(([lost]) => lost)).not.toContain(row);
      newest = Math.max(newest, row.time);
    }
  },
);

test('an item older than `after` is late', () => {
  const out: number[] = [];
  const sorter = createSorter<Row>({
    window: 10,
    after: 100,
    out: ({ time }) => out.push(time),
    late: (row, behind) => ({ ...row, time: row.time + behind }),
  });
  for (const time of [90, 105, 100]) sorter.add(rowAt(time));
  sorter.end();
  expect(out).toEqual([100, 100, 105]);
});

describe('an item that is held back', () => {
  test('is emitted when an item newer by the window has arrived', () => {
    const out: number[] = [];
    const sorter = createSorter<Row>({ window: 10, out: ({ time }) => out.push(time), late: () => undefined });
    for (const time of [100, 105, 110, 103]) sorter.add(rowAt(time));
    expect(out).toEqual([]);
    sorter.add(rowAt(114));
    expect(out).toEqual([100, 103]);
    expect(sorter.held).toBe(3);
  });

  test('is emitted early if there are too many', () => {
    const { out, late } = sorted(
      [7, 5, 6, 9, 4].map((time) => rowAt(time)),
      { window: 100, mostHeld: 2 },
    );
    expect(out.map(({ time }) => time)).toEqual([5, 6, 7, 9]);
    expect(late.map(([{ time }, behind]) => [time, behind])).toEqual([[4, 2]]);
  });
});

interface Named {
  readonly time: number;
  readonly name: string;
}
const byLetter = (a: Named, b: Named): number => a.name.charCodeAt(0) - b.name.charCodeAt(0);

test('items of equal time are sorted by rank, then by arrival', () => {
  const out: string[] = [];
  const sorter = createSorter<Named>({
    window: 5,
    rank: byLetter,
    out: ({ name }) => out.push(name),
    late: () => undefined,
  });
  for (const name of ['b1', 'a1', 'b2', 'a2']) sorter.add({ time: 7, name });
  sorter.end();
  expect(out).toEqual(['a1', 'a2', 'b1', 'b2']);
});

test('a late item may be replaced by one of the newest time', () => {
  const out: (readonly [number, number])[] = [];
  const sorter = createSorter<Row>({
    window: 10,
    out: ({ time, size }) => out.push([time, size]),
    late: (row, behind) => ({ ...row, time: row.time + behind }),
  });
  [0, 20, 40, 5].forEach((time, size) => sorter.add(rowAt(time, { size })));
  expect(sorter.newest).toBe(40);
  sorter.end();
  expect(out).toEqual([
    [0, 0],
    [20, 1],
    [20, 3],
    [40, 2],
  ]);
});
