// Progress in a pipe: each tenth once, however the work is cut.
import { expect, test } from 'vitest';
import { progressOf } from '../../../../src/cli/output/progress.ts';
import { FakeHost } from '../fake-host.ts';

test.each([10, 30, 2000, 2003])('of work in %i pieces nine lines are printed, and none at its end', (pieces) => {
  const host = new FakeHost();
  const progress = progressOf('work', host);
  for (let done = 1; done <= pieces; done++) progress.at(done / pieces);
  progress.end();
  const tenths = Array.from({ length: 9 }, (_, index) => index + 1);
  expect(host.stderr.lines.map((line) => Math.floor(Number(/\d+/.exec(line)?.[0]) / 10))).toEqual(tenths);
});
