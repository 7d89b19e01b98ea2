// Plain key files: which are accepted, which are refused, and that no message contains a secret.
import { chmodSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import bs58 from 'bs58';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { openKey, plainSecretIn, publicKeyIn, walletOf } from '../../../../src/base/keys/key.ts';
import { plainKeyIn } from '../../../../src/base/keys/key-text.ts';
import { publicKeyOf, sessionMessage, signerFrom, toBase58 } from '../../../../src/base/wire/ed25519.ts';
import { FRAMED, fileOf, folder, noWords, PAIR, PUBLIC, refusalOf, SECRET } from './samples.ts';

const FORMS: readonly (readonly [string, string])[] = [
  ['a JSON array of 64 bytes', JSON.stringify([...PAIR])],
  ['a JSON array with blanks in it', ` ${JSON.stringify([...PAIR], undefined, 2)}\r\n`],
  ['base58 of 64 bytes', toBase58(PAIR)],
  ['base58 of 32 bytes', toBase58(SECRET)],
  ['with blanks around it', `  ${toBase58(SECRET)}\n`],
];
const SIGNATURE = signerFrom(SECRET).sign(sessionMessage(FRAMED));

describe('accepted', () => {
  test.each(FORMS)('%s', async (_, text) => {
    const file = fileOf(text);
    const key = await openKey(file, noWords);
    expect(key.publicKey).toEqual(PUBLIC);
    expect(publicKeyIn(file)).toEqual(PUBLIC);
    expect(await key.signSession(FRAMED)).toEqual(SIGNATURE);
    key.forget();
    expect([key.renewable, await key.signSession(FRAMED)]).toEqual([true, SIGNATURE]);
  });

  test('a key that is created for one run', async () => {
    expect(await walletOf(SECRET).signSession(FRAMED)).toEqual(SIGNATURE);
  });

  test('base58 as the library reads it, with or without leading zeros', () => {
    const secrets = fc.tuple(fc.nat({ max: 31 }), fc.uint8Array({ minLength: 32, maxLength: 32 })).map(([zeros, bytes]) => {
      const secret = Uint8Array.from(bytes);
      return secret.fill(0, 0, zeros);
    });
    fc.assert(
      fc.property(secrets, (secret) => {
        expect([...plainKeyIn(Buffer.from(bs58.encode(secret)), 'x').secret]).toEqual([...secret]);
      }),
      { seed: 20_261_003, numRuns: 200 },
    );
  });
});

describe('refused', () => {
  test.each([
    ['nothing', ''],
    ['blanks', ' \n'],
    ['63 bytes', JSON.stringify(Array.from(PAIR.slice(1)))],
    ['a number above 255', JSON.stringify([...PAIR.slice(1), 256])],
    ['a number with a leading zero', JSON.stringify([...PAIR]).replace(/^\[1,/, '[01,')],
    ['a text in the array', JSON.stringify([...PAIR.slice(1), '1'])],
    ['an array that does not end', JSON.stringify([...PAIR]).slice(0, -1)],
    ['an array with text after it', `${JSON.stringify([...PAIR])}1`],
    ['an array that ends twice', `${JSON.stringify([...PAIR])}]`],
    ['an additional comma', JSON.stringify([...PAIR]).replace(']', ',]')],
    ['base58 of 33 bytes', toBase58(Uint8Array.from([...SECRET, 1]))],
    ['base58 with a blank in it', toBase58(SECRET).replace(/^(.{9})/, '$1 ')],
    ['invalid base58', `0${toBase58(SECRET).slice(1)}`],
    ['4000 letters', 'z'.repeat(4_000)],
  ])('%s', async (_, text) => {
    expect((await refusalOf(() => publicKeyIn(fileOf(text)))).message).toContain('is not a key file');
  });

  test('the public half of another key', async () => {
    const other = Uint8Array.from([...SECRET, ...publicKeyOf(PUBLIC)]);
    const file = fileOf(toBase58(other));
    for (const look of [() => publicKeyIn(file), () => openKey(file, noWords)])
      expect((await refusalOf(look)).message).toContain('the public half does not belong to the secret half');
  });

  test('a missing file, a link to an existing one, and one that is too long', async () => {
    expect((await refusalOf(() => publicKeyIn(join(folder(), 'nowhere')))).hint).toBe('make one with: npm run bot -- keys new FILE');
    const link = join(folder(), 'link');
    symlinkSync(fileOf(toBase58(SECRET)), link);
    expect((await refusalOf(() => publicKeyIn(link))).message).toContain('cannot be read');
    expect((await refusalOf(() => publicKeyIn(fileOf('1'.repeat(5_000))))).message).toContain('too large to be a key');
  });
});

test('the file is checked again at each use', async () => {
  const file = fileOf(toBase58(SECRET));
  const key = await openKey(file, noWords);
  chmodSync(file, 0o644);
  await expect(key.signSession(FRAMED)).rejects.toThrow('has mode 0644');
});

test('the text of a key is wiped after it is read', () => {
  const text = Buffer.from(toBase58(SECRET));
  plainKeyIn(text, 'x');
  expect(text.every((byte) => byte === 0)).toBe(true);
  expect([...plainSecretIn(fileOf(toBase58(SECRET)))]).toEqual([...SECRET]);
});
