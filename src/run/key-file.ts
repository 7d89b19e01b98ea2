// A user's key file: checked before anything is sent, read only while a session is being made, and wiped after.
import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { messageOf, UserError } from '../base/errors.ts';
import type { Wallet } from '../exchange/hosted/session-opening.ts';
import { fromBase58, KEY_BYTES, publicKeyOf, signerFrom } from '../wire/signing.ts';

const MAX_BYTES = 4096;

/** A wallet whose key stays in the file between sessions. The file is checked now and at each use. */
export function walletFromFile(file: string): Wallet {
  const publicKey = withSecret(file, publicKeyOf);
  return { publicKey, use: async (run) => withSecret(file, (secret) => run(signerFrom(secret))) };
}

/** A wallet of a key that was made for this run alone. */
export function walletOf(secret: Uint8Array): Wallet {
  const signer = signerFrom(secret);
  return { publicKey: signer.publicKey, use: async (run) => run(signer) };
}

function withSecret<T>(file: string, use: (secret: Uint8Array) => T): T {
  const secret = parseKey(readPrivate(file), file);
  try {
    return use(secret);
  } finally {
    secret.fill(0);
  }
}

/** The mode is asked of the opened file, so that it cannot be exchanged in between; links are not followed. */
function readPrivate(file: string): Buffer {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW);
    const { mode, size } = fstatSync(descriptor);
    if ((mode & 0o077) !== 0) {
      const hint = `chmod 600 ${file}`;
      throw keyError(
        `the key file ${file} has mode ${(mode & 0o777).toString(8).padStart(4, '0')}; others must not be able to read it`,
        hint,
      );
    }
    if (size > MAX_BYTES) throw keyError(`the key file ${file} is too large to be a key`, 'give a Solana keypair file or base58 text');
    const text = Buffer.alloc(size);
    readSync(descriptor, text);
    return text;
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw keyError(`the key file ${file} cannot be read: ${messageOf(error)}`, 'make one with: npm run bot -- keys new FILE');
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

/** A JSON array of 64 bytes, or base58 of 32 or 64; of 64 the last 32 must be the public key of the first. */
function parseKey(text: Buffer, file: string): Uint8Array {
  const bytes = bytesOf(text.toString('latin1').trim());
  text.fill(0);
  if (bytes === undefined || (bytes.length !== KEY_BYTES && bytes.length !== 2 * KEY_BYTES)) {
    throw keyError(`${file} is not a key file`, 'expected a JSON array of 64 bytes, or base58 text of 32 or 64 bytes');
  }
  const secret = bytes.slice(0, KEY_BYTES);
  const stated = bytes.slice(KEY_BYTES);
  bytes.fill(0);
  if (stated.length > 0 && !Buffer.from(publicKeyOf(secret)).equals(stated)) {
    throw keyError(`${file}: the public half does not belong to the secret half`, 'export the keypair again');
  }
  return secret;
}

function bytesOf(text: string): Uint8Array | undefined {
  if (!text.startsWith('[')) return fromBase58(text);
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) && values.every(isByte) ? Uint8Array.from(values as number[]) : undefined;
  } catch {
    return undefined;
  }
}

const isByte = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 255;

const keyError = (message: string, hint: string): UserError => new UserError({ code: 'key', message, hint });
