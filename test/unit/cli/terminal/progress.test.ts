// Progress in a pipe: each tenth once, for any size of the steps.
import { expect, test } from 'vitest';
import { progressOf } from '../../../../src/cli/output/progress.ts';
import { FakeHost } from '../fake-host.ts';

test.each([10, 30, 2000, 2003])('work in %i steps prints nine lines, and none at its end', (pieces) => {
  const host = new FakeHost();
  const progress = progressOf('work', host);
  for (let done = 1; done <= pieces; done++) progress.at(done / pieces);
  progress.end();
  const tenths = Array.from({ length: 9 }, (_, index) => index + 1);
  expect(host.stderr.lines.map((line) => Math.floor(Number(/\d+/.exec(line)?.[0]) / 10))).toEqual(tenths);
});
