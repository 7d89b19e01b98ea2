// Which processes live: this one does, one that has ended does not, and neither does one with another start time.
import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { systemProcesses } from '../../../../src/bot/run/state/machine.ts';

const { self, alive } = systemProcesses();

test('this process lives', () => expect(alive(self)).toBe(true));

test('one that has ended does not', () => {
  const { pid } = spawnSync(process.execPath, ['--version']);
  expect(alive({ ...self, pid })).toBe(false);
});

test.runIf(process.platform === 'linux').each([{ started: '1' }, { boot: 'another' }, { started: '', boot: 'another' }])(
  'another one with the same process id does not: %o',
  (part) => {
    expect(alive({ ...self, ...part })).toBe(false);
  },
);

test('one that belongs to another user lives', () => {
  expect(alive({ pid: 1, started: '', boot: self.boot })).toBe(true);
});
