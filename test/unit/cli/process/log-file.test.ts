// Log files: their size stays bounded, and a disk that fails disturbs nothing.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { boundedLog, openLogFile } from '../../../../src/program/process/log-file.ts';
import { logTo } from '../../../../src/program/process/logs.ts';

const MOST = 20_000;
const fresh = (): string => mkdtempSync(join(tmpdir(), 'logs-'));

test('10,000 warnings leave two files with the newest warnings, which only this user can read', () => {
  const directory = fresh();
  const log = logTo(boundedLog(join(directory, 'bot.log'), MOST));
  for (let index = 0; index < 10_000; index++) log.warn(`nothing answers ${index}`);
  expect(readdirSync(directory)).toEqual(['bot.log', 'bot.log.1']);
  for (const name of readdirSync(directory)) {
    const { size, mode } = statSync(join(directory, name));
    expect([size <= MOST, mode & 0o777]).toEqual([true, 0o600]);
  }
  expect(readFileSync(join(directory, 'bot.log'), 'utf8')).toContain('nothing answers 9999');
});

test('a file that is too large when it is opened is rotated', () => {
  const directory = fresh();
  boundedLog(join(directory, 'watchdog.log')).write('x'.repeat(MOST));
  openLogFile(join(directory, 'watchdog.log'), MOST)?.close();
  expect([statSync(join(directory, 'watchdog.log')).size, statSync(join(directory, 'watchdog.log.1')).size]).toEqual([0, MOST]);
});

test('lines are lost if it cannot be written, and nothing is thrown', () => {
  const directory = fresh();
  mkdirSync(join(directory, 'bot.log'));
  expect(() => boundedLog(join(directory, 'bot.log')).write('lost')).not.toThrow();
  expect(openLogFile(join(directory, 'nowhere', 'bot.log'))).toBeUndefined();
});
