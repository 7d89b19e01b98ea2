// Keys for tests, and key files.
import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../../../src/base/errors.ts';
import { heldOnce, type Passphrase } from '../../../../src/base/keys/passphrase.ts';
import { publicKeyOf } from '../../../../src/base/wire/ed25519.ts';

export const SECRET = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
export const PUBLIC = publicKeyOf(SECRET);
export const PAIR = Uint8Array.from([...SECRET, ...PUBLIC]);
export const FRAMED = Uint8Array.of(3, 1, 2, 3);

export const folder = (): string => mkdtempSync(join(tmpdir(), 'keys-'));

/** Writes a new file in a new folder. */
export function fileOf(text: string, mode = 0o600): string {
  const file = join(folder(), 'user.key');
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

export const words = (text: string): Passphrase => heldOnce(Uint8Array.from(Buffer.from(text)));
export const noWords = (): Promise<Passphrase> => Promise.reject(new Error('no passphrase was expected to be read'));

/** The thrown UserError, which must have code `key` and must not contain the secret. */
export async function refusalOf(work: () => unknown): Promise<UserError> {
  try {
    await work();
  } catch (error) {
    if (error instanceof UserError && error.code === 'key' && !/1,2,3,4|01020304/.test(`${error.message}${error.hint}${error.stack}`))
      return error;
    throw error;
  }
  throw new Error('it was not refused');
}
