// A lock that the kernel holds against this process, other processes, stopped processes and other process namespaces, until its holder ends.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { isLocked, lockFile } from '../../../src/base/files/file-lock.ts';

const MODULE = new URL('../../../src/base/files/file-lock.ts', import.meta.url).pathname;
/** Takes the lock, reports it, and keeps it. */
const HOLDER = `
  const { lockFile } = await import(process.argv[1]);
  const lock = lockFile(process.argv[2]);
  console.log(lock === undefined ? 'refused' : 'held');
  setInterval(() => {}, 1000);
`;
const ARGS = ['--import', './src/base/load-typescript.mjs', '--input-type=module', '-e', HOLDER, MODULE];

let file: string;
beforeEach(() => {
  file = join(mkdtempSync(join(tmpdir(), 'file-lock-')), 'lock');
});

/** Undefined if the lock was refused. */
function locked(path = file) {
  const lock = lockFile(path);
  onTestFinished(() => lock?.release());
  return lock;
}

/** `before` is put before the command. */
async function holder(before: readonly string[] = []): Promise<{ child: ChildProcess; says: string }> {
  const [program, ...args] = [...before, process.execPath, ...ARGS, file];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [chunk] = (await once(child.stdout ?? child, 'data')) as [Buffer];
  return { child, says: chunk.toString().trim() };
}

async function killed(child: ChildProcess): Promise<void> {
  child.kill('SIGKILL');
  await once(child, 'close'); // also of its output: a child of it may live longer
}

describe('in one process', () => {
  test('the second lock is refused, and granted when the first is released', () => {
    const first = locked();
    expect([first?.isHeld(), locked(), isLocked(file)]).toEqual([true, undefined, true]);
    first?.release();
    expect([first?.isHeld(), isLocked(file)]).toEqual([false, false]);
    expect(locked()?.isHeld()).toBe(true);
  });

  test('the text of the lock file can be written, and the lock stays', () => {
    const lock = locked();
    lock?.write('a longer text\n');
    lock?.write('7\n');
    expect([readFileSync(file, 'utf8'), isLocked(file), locked()]).toEqual(['7\n', true, undefined]);
  });

  test.each([
    ['removed', () => rmSync(file)],
    ['replaced', () => renameSync(`${file}.other`, file)],
  ])('is lost if its file was %s', (_, change) => {
    writeFileSync(`${file}.other`, '');
    const lock = locked();
    change();
    expect(lock?.isHeld()).toBe(false);
    lock?.release({ remove: true });
    expect(locked()?.isHeld()).toBe(true);
  });

  test('a symbolic link is not followed', () => {
    symlinkSync(`${file}.elsewhere`, file);
    expect(() => lockFile(file)).toThrow(/ELOOP|symbolic/);
  });

  test('a missing file is not locked', () => expect(isLocked(file)).toBe(false));
});

describe('against another process', () => {
  test('it holds until that process is dead, and no longer, whatever the file says', async () => {
    const { child, says } = await holder();
    expect([says, locked(), isLocked(file)]).toEqual(['held', undefined, true]);
    await killed(child);
    writeFileSync(file, '{"pid":1,"boot":"of another start of the machine"}');
    expect([isLocked(file), locked()?.isHeld()]).toEqual([false, true]);
  });

  test('it holds while that process is stopped, for any time', async () => {
    const { child } = await holder();
    child.kill('SIGSTOP');
    expect(locked()).toBeUndefined();
    child.kill('SIGCONT');
  });
});

const UNSHARE = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc'];
const hasNamespaces = spawnSync(UNSHARE[0] ?? '', [...UNSHARE.slice(1), 'true']).status === 0;

test.skipIf(!hasNamespaces)(
  'it holds both ways against a process in another process namespace (skipped if unshare is not allowed)',
  async () => {
    const inside = await holder(UNSHARE);
    expect([inside.says, locked(), isLocked(file)]).toEqual(['held', undefined, true]);
    await killed(inside.child);
    const outside = locked();
    expect(outside?.isHeld()).toBe(true);
    expect((await holder(UNSHARE)).says).toBe('refused');
  },
);
