// Reads a file that only its owner may read; it is checked and read through one descriptor, so that it cannot be replaced in between.
import { closeSync, constants, fstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import { messageOf, UserError } from '../errors.ts';
import { unsafeParentReason } from '../files/private.ts';

const MAX_BYTES = 4096;

export interface Expected {
  /** The kind of file, for messages, such as `key file` or `token file`. */
  readonly what: string;
  /** What to do if the file is missing. */
  readonly hint: string;
  /** User id of its owner; default: the user of this process. */
  readonly owner?: number | undefined;
}

/** Bytes outside the JavaScript heap, where the garbage collector makes no copies: wiping them removes the only copy. */
export const secretBytes = (length: number): Uint8Array => new Uint8Array(new ArrayBuffer(length));

/** A copy in the same kind of memory. */
export function secretCopy(bytes: Uint8Array): Uint8Array {
  const copy = secretBytes(bytes.length);
  copy.set(bytes);
  return copy;
}

/**
 * Returns the content; the caller wipes it. Throws a UserError `key` for a symbolic link, and for anything that is not a regular file, belongs to another
 * user, has more than one hard link, is accessible to others, is in a folder where others could replace it, or is longer than 4 KiB. Messages never
 * quote the content.
 */
export function readPrivate(file: string, { what, hint, owner = process.geteuid?.() }: Expected): Uint8Array {
  const refused = (message: string, mend: string): UserError => keyError(`the ${what} ${file} ${message}`, mend);
  let descriptor: number | undefined;
  try {
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK); // a pipe without a writer would never open
    const { mode, size, uid, nlink } = fstatSync(descriptor);
    if ((mode & constants.S_IFMT) !== constants.S_IFREG) throw refused('is not a regular file', hint);
    if (owner !== undefined && uid !== owner) throw refused('belongs to another user', 'copy it to a file of your own');
    if ((mode & 0o077) !== 0) {
      const octal = (mode & 0o777).toString(8).padStart(4, '0');
      throw refused(`has mode ${octal}; others must not be able to read it`, `chmod 600 ${file}`);
    }
    const unsafeParent = unsafeParentReason(resolve(file)) ?? unsafeParentReason(realpathSync(file));
    if (unsafeParent !== undefined)
      throw refused(`can be replaced by others: ${unsafeParent}`, 'move it to a folder that only you can write');
    if (nlink > 1) throw refused(`has ${nlink} names (hard links); it must have one`, 'remove the others, or copy it to a new file');
    if (size > MAX_BYTES) throw refused(`is too large to be a ${what.replace(' file', '')}`, hint);
    const bytes = secretBytes(size);
    return bytes.subarray(0, readSync(descriptor, bytes));
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw refused(`cannot be read: ${messageOf(error)}`, hint);
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

export const keyError = (message: string, hint: string): UserError => new UserError({ code: 'key', message, hint });
