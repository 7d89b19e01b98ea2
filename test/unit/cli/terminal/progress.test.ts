// Progress in a pipe: each tenth once, for any size of the steps, of work that takes longer than ten seconds.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { progressOf } from '../../../../src/program/output/progress.ts';
import { FakeHost } from '../fake-host.ts';

/** Returns the tenths of the printed lines. */
function printedBy(pieces: number, stepMs: number): readonly number[] {
  const host = new FakeHost();
  const clock = new VirtualClock(0);
  const progress = progressOf('work', host, clock);
  for (let done = 1; done <= pieces; done++) {
    clock.advanceTo(done * stepMs);
    progress.at(done / pieces);
  }
  progress.end();
  return host.stderr.lines.map((line) => Math.floor(Number(/\d+/.exec(line)?.[0]) / 10));
}

const TENTHS = [1, 2, 3, 4, 5, 6, 7, 8, 9];

test.each([10, 30, 2000, 2003])('long work in %i steps prints nine lines, and none at its end', (pieces) => {
  expect(printedBy(pieces, 200_000 / pieces)).toEqual(TENTHS);
});

test('work of less than ten seconds prints nothing, and longer work only what comes after them', () => {
  expect(printedBy(100, 99)).toEqual([]);
  expect(printedBy(100, 200)).toEqual([5, 6, 7, 8, 9]);
});
