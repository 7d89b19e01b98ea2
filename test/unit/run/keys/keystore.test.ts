// Keystores open with their passphrase only, and not at all if a byte was changed.
import { writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { openKey, publicKeyIn } from '../../../../src/base/keys/key.ts';
import { type Keystore, openKeystore, parseKeystore, sealKeystore } from '../../../../src/base/keys/keystore.ts';
import { passphraseFrom } from '../../../../src/base/keys/passphrase.ts';
import { sessionMessage, signerFrom, toBase58 } from '../../../../src/base/wire/ed25519.ts';
import { FRAMED, fileOf, noWords, PUBLIC, refusalOf, SECRET, words } from './samples.ts';

const PASSPHRASE = Buffer.from('correct horse battery');
const SIGNATURE = signerFrom(SECRET).sign(sessionMessage(FRAMED));
let keystore: Keystore;
beforeAll(async () => {
  keystore = await sealKeystore(SECRET, PASSPHRASE);
});

const changed = (change: (draft: Record<'kdf' | 'cipher', Record<string, unknown>> & Record<string, unknown>) => void): unknown => {
  const draft = structuredClone(keystore) as never;
  change(draft);
  return draft;
};
/** Changes one bit of base64 text. */
const flipped = (text: string, at: number): string => {
  const bytes = Buffer.from(text, 'base64');
  bytes[at] = (bytes[at] ?? 0) ^ 1;
  return bytes.toString('base64');
};

describe('the file', () => {
  test('has its parameters and its public key, and not the secret', () => {
    expect(keystore).toMatchObject({
      keystore: 1,
      publicKey: toBase58(PUBLIC),
      kdf: { name: 'scrypt', N: 131_072, r: 8, p: 1 },
      cipher: { name: 'aes-256-gcm' },
    });
    expect(publicKeyIn(fileOf(JSON.stringify(keystore)))).toEqual(PUBLIC);
  });

  test('is different each time', async () => {
    const again = await sealKeystore(SECRET, PASSPHRASE);
    expect([again.kdf.salt, again.cipher.nonce, again.cipher.sealed]).not.toContain(keystore.kdf.salt);
    expect(again.kdf.salt).not.toBe(keystore.kdf.salt);
    expect(again.cipher.nonce).not.toBe(keystore.cipher.nonce);
  });

  test.each<[string, unknown]>([
    ['another version', { keystore: 2 }],
    ['nothing', {}],
    ['a list', [1]],
  ])('is refused if it is %s', async (_, value) => {
    expect((await refusalOf(() => parseKeystore(value, 'x'))).message).toBe('x is not a keystore of this program, or is damaged');
  });

  test.each<[string, Parameters<typeof changed>[0]]>([
    ['less work', (draft) => void (draft.kdf['N'] = 1024)],
    ['more memory', (draft) => void (draft.kdf['N'] = 2 ** 30)],
    ['another r', (draft) => void (draft.kdf['r'] = 1)],
    ['another p', (draft) => void (draft.kdf['p'] = 1_000_000)],
    ['another cipher', (draft) => void (draft.cipher['name'] = 'none')],
    ['a short salt', (draft) => void (draft.kdf['salt'] = 'AAAA')],
    ['a short tag', (draft) => void (draft.cipher['sealed'] = Buffer.alloc(36).toString('base64'))],
    ['an invalid public key', (draft) => void (draft['publicKey'] = 'abc')],
    ['an additional field', (draft) => void (draft['note'] = 'hello')],
  ])('is refused if it requires %s', async (_, change) => {
    await refusalOf(() => parseKeystore(changed(change), 'x'));
  });
});

describe('opening', () => {
  test('succeeds with its passphrase', async () => {
    expect([...(await openKeystore(keystore, PASSPHRASE))]).toEqual([...SECRET]);
  });

  test.each<[string, Parameters<typeof changed>[0]]>([
    ['the salt', (draft) => void (draft.kdf['salt'] = flipped(String(draft.kdf['salt']), 0))],
    ['the nonce', (draft) => void (draft.cipher['nonce'] = flipped(String(draft.cipher['nonce']), 11))],
    ['the ciphertext', (draft) => void (draft.cipher['sealed'] = flipped(String(draft.cipher['sealed']), 5))],
    ['the tag', (draft) => void (draft.cipher['sealed'] = flipped(String(draft.cipher['sealed']), 40))],
    ['the public key', (draft) => void (draft['publicKey'] = toBase58(SECRET))],
  ])('fails if %s was changed', async (_, change) => {
    const { message } = await refusalOf(() => openKeystore(parseKeystore(changed(change), 'x'), PASSPHRASE));
    expect(message).toBe('the passphrase is wrong, or the keystore is damaged');
  });

  test('fails with another passphrase', async () => {
    await refusalOf(() => openKeystore(keystore, Buffer.from('correct horse batterz')));
  });
});

describe('as the key of a run', () => {
  test('a passphrase that is given once signs one session, and no other after it is forgotten', async () => {
    const given = words('correct horse battery');
    const key = await openKey(fileOf(JSON.stringify(keystore)), async () => given);
    expect([key.publicKey, key.renewable]).toEqual([PUBLIC, false]);
    expect(await key.signSession(FRAMED)).toEqual(SIGNATURE);
    key.forget();
    expect((await refusalOf(() => key.signSession(FRAMED))).hint).toBe('stop the bot and start it again');
  });

  test('a passphrase in a file is read again each time', async () => {
    const file = fileOf('correct horse battery\n');
    const env = { TICKWRIGHT_PASSPHRASE_FILE: file };
    const key = await openKey(fileOf(JSON.stringify(keystore)), () => passphraseFrom({ env, ask: () => Promise.reject(new Error('no')) }));
    expect(key.renewable).toBe(true);
    key.forget();
    expect(await key.signSession(FRAMED)).toEqual(SIGNATURE);
    writeFileSync(file, 'another');
    expect((await refusalOf(() => key.signSession(FRAMED))).message).toContain('the passphrase is wrong');
  });

  test('a wrong passphrase is reported at once, and forgotten', async () => {
    const given = words('wrong');
    await refusalOf(() => openKey(fileOf(JSON.stringify(keystore)), async () => given));
    await refusalOf(() => given.read());
  });

  test('a file that is no JSON is refused without quoting it', async () => {
    const { message } = await refusalOf(() => openKey(fileOf('{"keystore":1,2,3,4'), noWords));
    expect(message).not.toContain('keystore":');
  });
});
