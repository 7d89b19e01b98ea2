// A directory of the file system as a disk: the port's contract, on real files.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Disk, DiskError } from '../../../src/base/files/disk.ts';
import { nodeDisk } from '../../../src/base/files/node-disk.ts';

let root: string;
let directory: string;
let disk: Disk;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'disk-'));
  directory = join(root, 'a', 'b');
  disk = nodeDisk(directory);
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (file: string): string | undefined => {
  const read = disk.read(file);
  return read && new TextDecoder().decode(read);
};
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** The DiskError that is thrown. */
function failure(run: () => unknown): DiskError {
  try {
    run();
  } catch (error) {
    if (error instanceof DiskError) return error;
    throw error;
  }
  throw new Error('it did not fail');
}

describe('a file', () => {
  test('grows by what is appended, and only this user can read it', () => {
    expect(text('x')).toBeUndefined();
    disk.append('x', bytes('one '));
    disk.sync('x');
    disk.append('x', bytes('two'));
    expect(text('x')).toBe('one two');
    expect([modeOf(join(root, 'a')), modeOf(directory), modeOf(join(directory, 'x'))]).toEqual(['700', '700', '600']);
  });

  test('is created once', () => {
    expect([disk.create('x', bytes('a')), disk.create('x', bytes('b'))]).toEqual([true, false]);
    expect(text('x')).toBe('a');
    expect(modeOf(join(directory, 'x'))).toBe('600');
    expect(readdirSync(directory)).toEqual(['x']);
  });

  test('is replaced, and appends follow the new content', () => {
    disk.append('x', bytes('old'));
    disk.replace('x', bytes('new'));
    disk.append('x', bytes('er'));
    expect(text('x')).toBe('newer');
    expect(readdirSync(directory)).toEqual(['x']);
  });

  test('is removed, and can be created again', () => {
    disk.append('x', bytes('old'));
    disk.remove('x');
    disk.remove('x');
    expect(disk.list()).toEqual([]);
    disk.append('x', bytes('new'));
    expect(text('x')).toBe('new');
  });

  test('can be appended to in turn with many others', () => {
    for (let round = 0; round < 3; round++) for (let file = 0; file < 30; file++) disk.append(`f${file}`, bytes(String(round)));
    expect(disk.list().map(text)).toEqual(Array.from({ length: 30 }, () => '012'));
    expect(readdirSync('/proc/self/fd').length).toBeLessThan(200);
  });

  test('is a name, not a path', () => expect(() => disk.append('../x', bytes(''))).toThrow());
});

test('names are listed in order, without incomplete files', () => {
  for (const name of ['b', 'a', 'c']) disk.create(name, bytes(''));
  writeFileSync(join(directory, `.unfinished-${process.pid}-0`), '');
  expect(disk.list()).toEqual(['a', 'b', 'c']);
});

test('incomplete files of a dead process are removed, those of a living one are not', () => {
  const [dead, living] = [join(directory, '.unfinished-4194399-0'), join(directory, `.unfinished-${process.pid}-7`)];
  for (const file of [dead, living]) writeFileSync(file, '');
  nodeDisk(directory);
  expect([existsSync(dead), existsSync(living)]).toEqual([false, true]);
});

describe('failure', () => {
  test('is reported as a DiskError', () => {
    rmSync(directory, { recursive: true });
    for (const call of [() => disk.list(), () => disk.create('x', bytes('')), () => disk.append('x', bytes(''))]) failure(call);
  });

  test.runIf(existsSync('/dev/full'))('is distinguished if there is no room', () => {
    const full = nodeDisk('/dev', { shared: true });
    expect(failure(() => full.append('full', bytes('x')))).toMatchObject({ kind: 'full' });
  });

  test('of a path that is a file, or is below a file, is reported', () => {
    writeFileSync(join(root, 'file'), 'x');
    for (const path of ['file', 'file/below']) expect(failure(() => nodeDisk(join(root, path))).kind).toBe('broken');
    expect(readFileSync(join(root, 'file'), 'utf8')).toBe('x');
  });

  test.runIf(existsSync('/proc'))('is reported at once if the folder cannot be made', () => {
    expect(failure(() => nodeDisk('/proc/x/y')).kind).toBe('broken');
  });

  test.skipIf(process.getuid?.() === 0)('is reported if this user may not write', () => {
    chmodSync(root, 0o500);
    expect(failure(() => nodeDisk(join(root, 'c'))).kind).toBe('broken');
    chmodSync(root, 0o700);
  });
});
