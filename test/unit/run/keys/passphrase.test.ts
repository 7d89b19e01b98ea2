// The sources of a passphrase.
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { heldOnce, passphraseFrom } from '../../../../src/base/keys/passphrase.ts';
import { fileOf, folder, refusalOf } from './samples.ts';

const ask = (): Promise<Uint8Array> => Promise.reject(new Error('nobody was to be asked'));
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString();
const from = (env: Record<string, string>) => passphraseFrom({ env, ask });
const fd = (text: string): string => {
  const file = join(folder(), 'words');
  writeFileSync(file, text);
  return String(openSync(file, 'r'));
};

describe('a file', () => {
  test.each([
    ['one line', 'my words\n', 'my words'],
    ['without a line end', 'my words', 'my words'],
    ['with a Windows line end', 'my words\r\n', 'my words'],
    ['with blanks, which belong to it', ' my words ', ' my words '],
    ['with characters beyond ASCII', 'Füße', 'Füße'],
  ])('%s', async (_, text, expected) => {
    const passphrase = await from({ TICKWRIGHT_PASSPHRASE_FILE: fileOf(text) });
    expect([textOf(passphrase.read()), passphrase.lasting]).toEqual([expected, true]);
  });

  test('must be readable by its owner only, must not be empty, and must be small', async () => {
    for (const [file, reason] of [
      [fileOf('words', 0o644), 'the passphrase file'],
      [fileOf('\n'), 'the passphrase is empty'],
      [fileOf('x'.repeat(1_025)), 'longer than 1024 bytes'],
      [join(folder(), 'nowhere'), 'cannot be read'],
    ] as const)
      expect((await refusalOf(() => from({ TICKWRIGHT_PASSPHRASE_FILE: file }))).message).toContain(reason);
  });
});

describe('a descriptor', () => {
  test('is read once, and the passphrase is wiped when it is forgotten', async () => {
    const passphrase = await from({ TICKWRIGHT_PASSPHRASE_FD: fd('my words\n') });
    expect([textOf(passphrase.read()), textOf(passphrase.read()), passphrase.lasting]).toEqual(['my words', 'my words', false]);
    passphrase.forget();
    await refusalOf(() => passphrase.read());
  });

  test.each(['', 'x', '1', '2', '-1', '99999', '1e1'])('"%s" is not a descriptor', async (text) => {
    expect((await refusalOf(() => from({ TICKWRIGHT_PASSPHRASE_FD: text }))).message).toContain('not the number of an open file');
  });

  test('must be open, with data, and not with too much', async () => {
    for (const [descriptor, reason] of [
      ['9999', 'cannot be read from descriptor 9999'],
      [fd(''), 'is empty'],
      [fd('x'.repeat(5_000)), 'longer than'],
    ] as const)
      expect((await refusalOf(() => from({ TICKWRIGHT_PASSPHRASE_FD: descriptor }))).message).toContain(reason);
  });
});

test('both at once are refused', async () => {
  const both = { TICKWRIGHT_PASSPHRASE_FILE: fileOf('words'), TICKWRIGHT_PASSPHRASE_FD: '3' };
  expect((await refusalOf(() => from(both))).message).toContain('are both set');
});

test('a copy can be wiped without harm, and forgetting wipes the kept passphrase', () => {
  const bytes = Uint8Array.from(Buffer.from('my words'));
  const passphrase = heldOnce(bytes);
  passphrase.read().fill(0);
  expect(textOf(passphrase.read())).toBe('my words');
  passphrase.forget();
  expect(bytes.every((byte) => byte === 0)).toBe(true);
});
