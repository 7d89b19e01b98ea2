// Reads a passphrase from a file, a descriptor or a terminal; never from the command line or the environment itself.
import { closeSync, readSync } from 'node:fs';
import { messageOf, UserError } from '../errors.ts';
import { keyError, readPrivate, secretBytes, secretCopy } from './private-file.ts';

export const PASSPHRASE_FILE = 'TICKWRIGHT_PASSPHRASE_FILE';
export const PASSPHRASE_FD = 'TICKWRIGHT_PASSPHRASE_FD';
const MAX_BYTES = 1024;

export interface Passphrase {
  /** A copy; the caller wipes it. Throws a UserError `key` if the passphrase is no longer available. */
  read(): Uint8Array;
  /** True if it can be read again after `forget`. */
  readonly lasting: boolean;
  forget(): void;
}

export interface Asking {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Asks a person; the returned bytes belong to the passphrase. Throws a UserError if there is no terminal. */
  readonly ask: () => Promise<Uint8Array>;
}

/** Throws a UserError `key` if it cannot be read or is empty. */
export async function passphraseFrom({ env, ask }: Asking): Promise<Passphrase> {
  const [file, descriptor] = [env[PASSPHRASE_FILE], env[PASSPHRASE_FD]];
  if (file !== undefined && descriptor !== undefined)
    throw keyError(`${PASSPHRASE_FILE} and ${PASSPHRASE_FD} are both set`, 'set one of them');
  if (file !== undefined) {
    const read = (): Uint8Array => checked(readPrivate(file, { what: 'passphrase file', hint: `see ${PASSPHRASE_FILE}` }));
    read().fill(0);
    return { read, lasting: true, forget: () => undefined };
  }
  return heldOnce(checked(descriptor === undefined ? await ask() : fromDescriptor(descriptor)));
}

/** A passphrase in memory, until `forget`. */
export function heldOnce(bytes: Uint8Array): Passphrase {
  let forgotten = false;
  return {
    read() {
      if (forgotten) throw keyError('the passphrase was given once and is not kept in memory', 'stop the bot and start it again');
      return secretCopy(bytes);
    },
    lasting: false,
    forget() {
      forgotten = true;
      bytes.fill(0);
    },
  };
}

function fromDescriptor(text: string): Uint8Array {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isNaN(number) || number === 1 || number === 2)
    throw keyError(`${PASSPHRASE_FD} is not the number of an open file`, `for example ${PASSPHRASE_FD}=3 and 3< FILE`);
  const bytes = secretBytes(MAX_BYTES + 1);
  try {
    let length = 0;
    for (let more = 1; more > 0 && length < bytes.length; length += more)
      more = readSync(number, bytes, length, bytes.length - length, null);
    closeSync(number);
    return bytes.subarray(0, length);
  } catch (error) {
    bytes.fill(0);
    throw keyError(
      `the passphrase cannot be read from descriptor ${number}: ${messageOf(error)}`,
      `for example ${PASSPHRASE_FD}=3 and 3< FILE`,
    );
  }
}

/** The bytes without a line end. */
function checked(bytes: Uint8Array): Uint8Array {
  let end = bytes.length;
  if (bytes[end - 1] === 0x0a) end--;
  if (bytes[end - 1] === 0x0d) end--;
  if (end > 0 && end <= MAX_BYTES) return bytes.subarray(0, end);
  bytes.fill(0);
  throw keyError(end === 0 ? 'the passphrase is empty' : `the passphrase is longer than ${MAX_BYTES} bytes`, 'it is one line of text');
}

/** The error if there is neither a file, a descriptor nor a terminal. */
export const nobodyToAsk = (): UserError =>
  keyError(
    'the keystore needs its passphrase, and there is no terminal to type it on',
    `set ${PASSPHRASE_FILE} to a file of mode 0600 that holds it, or ${PASSPHRASE_FD} to the number of an open descriptor`,
  );
