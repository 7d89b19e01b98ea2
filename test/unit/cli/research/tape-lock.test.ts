// Two recorders at one tape: the second is refused, and the lock of a dead one is taken over.
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { UserError } from '../../../../src/base/errors.ts';
import { lockFile } from '../../../../src/base/files/file-lock.ts';
import { whileLocked } from '../../../../src/program/commands/tapes/tape-files.ts';
import { runProgram } from '../../../../src/program/program.ts';
import { FakeHost } from '../fake-host.ts';

let tape: string;
beforeEach(() => {
  tape = join(mkdtempSync(join(tmpdir(), 'lock-')), 'x.tape');
});
const lock = (): string => `${tape}.lock`;
const [first, second] = [new FakeHost({ pid: 1 }), new FakeHost({ pid: 2 })];
const nothing = (): Promise<string> => Promise.resolve('done');

describe('while one recorder writes', () => {
  test('a second recorder is refused with the process id; afterwards it may start', async () => {
    let begun = false;
    const began = (): Promise<string> => {
      begun = true;
      return nothing();
    };
    await whileLocked([tape], first, async () => {
      expect(readFileSync(lock(), 'utf8')).toBe('1\n');
      await expect(whileLocked([tape], second, began)).rejects.toThrow('another process (1) is recording to this file');
      await expect(whileLocked([tape], second, began)).rejects.toBeInstanceOf(UserError);
    });
    expect([begun, existsSync(lock())]).toEqual([false, false]);
    expect(await whileLocked([tape], second, nothing)).toBe('done');
  });

  test('the tapes that the refused one had already locked are free again', async () => {
    const other = `${tape}.other`;
    await whileLocked([tape], first, async () => {
      await expect(whileLocked([other, tape], second, nothing)).rejects.toThrow('is recording to this file');
      expect(existsSync(`${other}.lock`)).toBe(false);
    });
  });

  test('a folder that is missing is created', async () => {
    const missing = join(tape, '..', 'tapes', 'new', 'x.tape');
    expect(await whileLocked([missing], first, nothing)).toBe('done');
  });

  test('work that fails, and a process that ends, leave no lock', async () => {
    await expect(whileLocked([tape], first, () => Promise.reject(new Error('no disk')))).rejects.toThrow('no disk');
    expect(existsSync(lock())).toBe(false);
    await whileLocked([tape], second, async () => {
      second.exit();
      expect(existsSync(lock())).toBe(false);
      await nothing();
    });
  });
});

test.each(['4711\n', '1\n'])('the lock of a dead process is taken over, even if its id is in use again: %j', async (left) => {
  writeFileSync(lock(), left);
  await whileLocked([tape], first, async () => {
    expect(readFileSync(lock(), 'utf8')).toBe('1\n');
    await nothing();
  });
});

test.each([
  ['the embedded exchange', ['--for', '1s', '--seed', 'x']],
  ['a hosted exchange', ['--url', 'http://127.0.0.1:9']],
])('bot record of %s exits with 2, and changes nothing', async (_, words) => {
  const held = lockFile(lock());
  onTestFinished(() => held?.release());
  held?.write('7\n');
  writeFileSync(`${tape}.new`, 'of the other one');
  const host = new FakeHost();
  expect(await runProgram(['record', '--markets', 'BTCUSDC', '--out', tape, ...words], host)).toBe(2);
  expect(host.stderr.text).toContain('another process (7) is recording to this file');
  expect(readFileSync(`${tape}.new`, 'utf8')).toBe('of the other one');
  expect(readFileSync(lock(), 'utf8')).toBe('7\n');
});
