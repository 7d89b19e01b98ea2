// A key encrypted with a passphrase: scrypt derives the key, AES-256-GCM encrypts the secret half and authenticates the public one.
import { createCipheriv, createDecipheriv, randomBytes, scrypt } from 'node:crypto';
import { z } from 'zod';
import { COMMAND } from '../package.ts';
import { fromBase58, KEY_BYTES, publicKeyOf, toBase58 } from '../wire/ed25519.ts';
import { keyError, secretBytes } from './private-file.ts';

/** Scrypt parameters of version 1, fixed so that a file cannot demand more memory or less work. 128 MiB and about half a second. */
const COST = { N: 2 ** 17, r: 8, p: 1 } as const;
const MAXMEM = 2 * 128 * COST.N * COST.r;
const [SALT_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16];

const bytesOf = (length: number) => z.base64().refine((text) => Buffer.from(text, 'base64').length === length);
const keystoreShape = z.strictObject({
  keystore: z.literal(1),
  publicKey: z.string().refine((text) => fromBase58(text)?.length === KEY_BYTES),
  kdf: z.strictObject({
    name: z.literal('scrypt'),
    N: z.literal(COST.N),
    r: z.literal(COST.r),
    p: z.literal(COST.p),
    salt: bytesOf(SALT_BYTES),
  }),
  cipher: z.strictObject({ name: z.literal('aes-256-gcm'), nonce: bytesOf(NONCE_BYTES), sealed: bytesOf(KEY_BYTES + TAG_BYTES) }),
});
export type Keystore = z.infer<typeof keystoreShape>;

/** Throws a UserError `key` if the file is not a keystore of this program. */
export function parseKeystore(value: unknown, file: string): Keystore {
  const { data } = keystoreShape.safeParse(value);
  if (data !== undefined) return data;
  throw keyError(`${file} is not a keystore of this program, or is damaged`, `make one with: ${COMMAND} keys encrypt FILE`);
}

/** The caller wipes `secret` and `passphrase`. */
export async function sealKeystore(secret: Uint8Array, passphrase: Uint8Array): Promise<Keystore> {
  const [salt, nonce, publicKey] = [randomBytes(SALT_BYTES), randomBytes(NONCE_BYTES), publicKeyOf(secret)];
  const key = await deriveKey(passphrase, salt);
  const cipher = createCipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES }).setAAD(authenticatedData(publicKey));
  const sealed = Buffer.concat([cipher.update(secret), cipher.final(), cipher.getAuthTag()]);
  key.fill(0);
  return {
    keystore: 1,
    publicKey: toBase58(publicKey),
    kdf: { name: 'scrypt', ...COST, salt: salt.toString('base64') },
    cipher: { name: 'aes-256-gcm', nonce: nonce.toString('base64'), sealed: sealed.toString('base64') },
  };
}

/** The secret half; the caller wipes it. Throws a UserError `key` if the passphrase is wrong or any byte of the file has changed. */
export async function openKeystore({ publicKey, kdf, cipher }: Keystore, passphrase: Uint8Array): Promise<Uint8Array> {
  const [nonce, sealed] = [Buffer.from(cipher.nonce, 'base64'), Buffer.from(cipher.sealed, 'base64')];
  const key = await deriveKey(passphrase, Buffer.from(kdf.salt, 'base64'));
  const secret = secretBytes(KEY_BYTES);
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG_BYTES });
    decipher.setAAD(authenticatedData(fromBase58(publicKey) ?? new Uint8Array())).setAuthTag(sealed.subarray(KEY_BYTES));
    // One byte at a time: Node's decipher frees a copy of what it returns without wiping it.
    for (let at = 0; at < KEY_BYTES; at++) secret.set(decipher.update(sealed.subarray(at, at + 1)), at);
    decipher.final();
    return secret;
  } catch {
    secret.fill(0);
    throw keyError('the passphrase is wrong, or the keystore is damaged', 'type it again, or take the keystore from your backup');
  } finally {
    key.fill(0);
  }
}

const authenticatedData = (publicKey: Uint8Array): Buffer => Buffer.concat([Buffer.from('tickwright keystore 1\n'), publicKey]);

function deriveKey(passphrase: Uint8Array, salt: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    scrypt(passphrase, salt, 32, { ...COST, maxmem: MAXMEM }, (error, key) => (error === null ? resolve(key) : reject(error)));
  });
}
