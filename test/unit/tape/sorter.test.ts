// The sorter: rows nearly in order of time come out in order, and no more are held back than need be.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import type { Row } from '../../../src/domain/row-builder.ts';
import { createSorter } from '../../../src/tape/sorter.ts';
import { rowAt, START } from './samples.ts';

function sorted(rows: readonly Row[], { window, mostHeld }: { window: number; mostHeld?: number }): { out: Row[]; late: [Row, number][] } {
  const out: Row[] = [];
  const late: [Row, number][] = [];
  const sorter = createSorter({
    window,
    out: (row) => out.push(row),
    late: (row, behind) => late.push([row, behind]),
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

describe('what is held back', () => {
  test('is let out when something a window younger has come', () => {
    const out: number[] = [];
    const sorter = createSorter({ window: 10, out: ({ time }) => out.push(time) });
    for (const time of [100, 105, 110, 103]) sorter.add(rowAt(time));
    expect(out).toEqual([]);
    sorter.add(rowAt(114));
    expect(out).toEqual([100, 103]);
    expect(sorter.held).toBe(3);
  });

  test('is bounded in number, too', () => {
    const { out, late } = sorted(
      [7, 5, 6, 9, 4].map((time) => rowAt(time)),
      { window: 100, mostHeld: 2 },
    );
    expect(out.map(({ time }) => time)).toEqual([5, 6, 7, 9]);
    expect(late.map(([{ time }, behind]) => [time, behind])).toEqual([[4, 2]]);
  });
});

test('a row that is too late stops the work, if nothing else is asked for', () => {
  const sorter = createSorter({ window: 1_000_000, out: () => undefined });
  for (const time of [START, START + 3_000_000]) sorter.add(rowAt(time));
  expect(() => sorter.add(rowAt(START - 500_000))).toThrow(
    'a row of 2023-11-14T22:13:19.500Z arrived 0.5 s after its turn; 1 s of disorder are put right',
  );
});
