// Folders that others may write, and pipes in place of files: neither a key file nor a state directory is used there, and nothing waits.
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/files/node-disk.ts';
import { readPrivate } from '../../src/base/keys/private-file.ts';

const fresh = (): string => mkdtempSync(join(tmpdir(), 'folders-'));

/** A file of ours in a folder with this mode. */
function fileIn(mode: number): string {
  const folder = join(fresh(), 'keys');
  mkdirSync(folder);
  const file = join(folder, 'key.json');
  writeFileSync(file, 'secret', { mode: 0o600 });
  chmodSync(folder, mode);
  return file;
}
const read = (file: string): string => Buffer.from(readPrivate(file, { what: 'key file', hint: '' })).toString();

describe('a key file', () => {
  test.each([0o700, 0o755, 0o1777])('is read from a folder of mode %o', (mode) => {
    expect(read(fileIn(mode))).toBe('secret');
  });

  test('is refused in a folder that others may write, also further above, and through a link', () => {
    const file = fileIn(0o777);
    expect(() => read(file)).toThrow(/can be replaced by others: everybody can write .*keys/);
    const above = join(fresh(), 'open');
    mkdirSync(join(above, 'mine'), { recursive: true });
    writeFileSync(join(above, 'mine/key.json'), 'secret', { mode: 0o600 });
    chmodSync(above, 0o777);
    expect(() => read(join(above, 'mine/key.json'))).toThrow('can be replaced by others');
    const link = join(fresh(), 'link');
    symlinkSync(join(above, 'mine'), link);
    expect(() => read(join(link, 'key.json'))).toThrow('can be replaced by others');
  });
});

test('a pipe named like a file of the journal is refused, and not opened', () => {
  const directory = fresh();
  expect(spawnSync('mkfifo', ['-m', '600', join(directory, 'journal-000001.log')]).status).toBe(0);
  expect(() => nodeDisk(directory)).toThrow('journal-000001.log in it: it is a pipe or a device, not a file');
});
