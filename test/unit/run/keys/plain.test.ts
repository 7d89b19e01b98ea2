// Key files: which are taken, which are refused, and that nothing of a secret is ever said.
import { chmodSync, mkdtempSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { walletFromFile, walletOf } from '../../../src/run/key-file.ts';
import { publicKeyOf, signerFrom, toBase58 } from '../../../src/wire/signing.ts';

const SECRET = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
const PUBLIC = publicKeyOf(SECRET);
const PAIR = Uint8Array.from([...SECRET, ...PUBLIC]);
const FORMS: readonly (readonly [string, string])[] = [
  ['a JSON array of 64 bytes', JSON.stringify([...PAIR])],
  ['base58 of 64 bytes', toBase58(PAIR)],
  ['base58 of 32 bytes', toBase58(SECRET)],
  ['with blanks around it', `  ${toBase58(SECRET)}\n`],
];
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'keys-'));
});

function keyFile(text: string, mode = 0o600): string {
  const file = join(folder, 'user.key');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

function refusal(file: string): UserError {
  try {
    walletFromFile(file);
  } catch (error) {
    if (error instanceof UserError) return error;
  }
  throw new Error(`${file} was not refused`);
}

describe('taken', () => {
  test.each(FORMS)('%s', async (_, text) => {
    const wallet = walletFromFile(keyFile(text));
    expect(wallet.publicKey).toEqual(PUBLIC);
    const message = new TextEncoder().encode('hello');
    expect(await wallet.use((signer) => signer.sign(message))).toEqual(signerFrom(SECRET).sign(message));
  });

  test('a key that is made for one run', async () => {
    expect(await walletOf(SECRET).use((signer) => signer.publicKey)).toEqual(PUBLIC);
  });
});

describe('refused', () => {
  test.each([0o644, 0o640, 0o604, 0o601, 0o777])('mode %o, with the way to mend it', (mode) => {
    const file = keyFile(JSON.stringify([...PAIR]), mode);
    const { message, hint } = refusal(file);
    expect(message).toContain(`has mode 0${mode.toString(8)}; others must not be able to read it`);
    expect(hint).toBe(`chmod 600 ${file}`);
  });

  test.each([
    ['nothing', ''],
    ['63 bytes', JSON.stringify(Array.from(PAIR.slice(1)))],
    ['what is no byte', JSON.stringify([...PAIR.slice(1), 256])],
    ['what is no number', JSON.stringify([...PAIR.slice(1), '1'])],
    ['an array that does not end', JSON.stringify([...PAIR]).slice(0, -1)],
    ['base58 of 33 bytes', toBase58(Uint8Array.from([...SECRET, 1]))],
    ['what is no base58', `0${toBase58(SECRET).slice(1)}`],
    ['an object', JSON.stringify({ secret: [...PAIR] })],
  ])('%s', (_, text) => {
    expect(refusal(keyFile(text)).message).toContain('is not a key file');
  });

  test('a public half of another key', () => {
    const other = Uint8Array.from([...SECRET, ...publicKeyOf(PUBLIC)]);
    expect(refusal(keyFile(toBase58(other))).message).toContain('the public half does not belong to the secret half');
  });

  test('a file that is not there, a link to one that is, and one that is far too long', () => {
    expect(refusal(join(folder, 'nowhere')).hint).toBe('make one with: npm run bot -- keys new FILE');
    const link = join(folder, 'link');
    symlinkSync(keyFile(toBase58(SECRET)), link);
    expect(refusal(link).message).toContain('cannot be read');
    expect(refusal(keyFile('1'.repeat(5_000))).message).toContain('too large to be a key');
  });

  test('without a word of what was in it', () => {
    const text = JSON.stringify(Array.from(PAIR.slice(0, 63)));
    const { message, hint, stack } = refusal(keyFile(text));
    for (const said of [message, hint, stack]) expect(said).not.toContain('1,2,3,4');
  });
});

test('the file is looked at again at each use', async () => {
  const file = keyFile(toBase58(SECRET));
  const wallet = walletFromFile(file);
  chmodSync(file, 0o644);
  await expect(wallet.use((signer) => signer.publicKey)).rejects.toThrow('has mode 0644');
});
