// Failures as a message and an exit code.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { AssertionError, UserError } from '../../../../src/base/errors.ts';
import { DiskError } from '../../../../src/base/files/disk.ts';
import { explain } from '../../../../src/program/failure.ts';
import { FakeHost } from '../fake-host.ts';

const folder = (): string => mkdtempSync(join(tmpdir(), 'failure-'));

test('an error of the user: what is wrong, where, and what to do', () => {
  const host = new FakeHost();
  const place = { file: 'config/grid.yaml', line: 7, column: 9 };
  expect(explain(new UserError({ code: 'x', message: 'size "0,01" is not a decimal', hint: 'write 0.01', place }), host)).toBe(2);
  expect(host.stderr.text).toBe('error: config/grid.yaml:7:9: size "0,01" is not a decimal\n  write 0.01\n');
});

test('an exchange that does not answer is a failure, not wrong input', () => {
  const host = new FakeHost();
  expect(explain(new UserError({ code: 'exchange', message: 'connecting failed', hint: 'try again' }), host)).toBe(1);
  expect(host.stderr.text).toBe('error: connecting failed\n  try again\n');
});

test('a state directory that is gone is no bug', () => {
  const host = new FakeHost();
  const directory = join(folder(), 'gone');
  expect(explain(new DiskError('broken', 'no such file or directory (ENOENT)'), host, directory)).toBe(1);
  expect(host.stderr.text).toContain('error: the state directory cannot be used: no such file or directory (ENOENT)');
  expect(existsSync(directory)).toBe(false);
});

test('a bug: one message, and its stack in a file that only the user can read', () => {
  const host = new FakeHost();
  const directory = join(folder(), 'run');
  expect(explain(new AssertionError('time ran backwards'), host, directory)).toBe(70);
  const file = join(directory, 'bug.log');
  expect(host.stderr.lines).toEqual(['bug: time ran backwards', `  this is a bug in the program; its stack is in ${file}`]);
  expect(readFileSync(file, 'utf8')).toMatch(/^\d{4}-.*Z AssertionError: time ran backwards\n\s+at /);
});

test('a message says so if the stack cannot be written', () => {
  const host = new FakeHost();
  const blocked = join(folder(), 'file');
  writeFileSync(blocked, '');
  expect(explain('just a text', host, blocked)).toBe(70);
  expect(host.stderr.text).toContain('bug: just a text\n');
  expect(host.stderr.text).toContain('its stack could not be written');
  expect(existsSync(join(blocked, 'bug.log'))).toBe(false);
});
