// Files that users name: anything but a regular file is refused at once.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTextFile } from '../../../src/base/files/text-file.ts';
import { openSource } from '../../../src/embedded/tape/source.ts';
import { openInput } from '../../../src/research/import/formats/input.ts';

const folder = mkdtempSync(join(tmpdir(), 'text-file-'));
const pipe = join(folder, 'pipe');
execFileSync('sh', ['-c', 'mkfifo "$0"', pipe]);

test('a file is read whole', () => {
  writeFileSync(join(folder, 'a'), 'text\n');
  expect(readTextFile(join(folder, 'a'))).toBe('text\n');
});

test('a pipe without a writer does not hang', async () => {
  expect(() => readTextFile(pipe)).toThrow('it is a pipe or a device, not a file');
  await expect(openInput(pipe)).rejects.toThrow(/pipe is not a file/);
  await expect(openSource(pipe, 'r')).rejects.toThrow(/is not a tape/);
});

test.each([
  ['a directory', folder, 'it is a directory, not a file'],
  ['a device', '/dev/zero', 'it is a pipe or a device, not a file'],
  ['nothing', join(folder, 'b'), 'ENOENT'],
])('%s', (_, file, message) => expect(() => readTextFile(file)).toThrow(message));

test('a file that is too large is not read', () => {
  writeFileSync(join(folder, 'large'), 'x'.repeat(3_000));
  expect(() => readTextFile(join(folder, 'large'), 2_048)).toThrow('larger than 2 KiB');
});
