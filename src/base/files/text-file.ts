// Reads a text file that a person named: a regular file of a bounded size, so that a pipe or a device cannot hang the program. Replaces a file of ours.
import { closeSync, constants, fstatSync, openSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { messageOf, UserError } from '../errors.ts';

const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

/** Flags for opening a file that a person named: a pipe without a writer would otherwise block. */
export const READ_WITHOUT_WAITING = constants.O_RDONLY | constants.O_NONBLOCK;

/** Throws an Error if the path is not a regular file or the file is too large, and passes on the system's errors. */
export function readTextFile(file: string, maxBytes = DEFAULT_MAX_BYTES): string {
  const descriptor = openSync(file, READ_WITHOUT_WAITING);
  try {
    const stats = fstatSync(descriptor);
    if (!stats.isFile()) throw new Error(`it is ${stats.isDirectory() ? 'a directory' : 'a pipe or a device'}, not a file`);
    if (stats.size > maxBytes) throw new Error(`larger than ${maxBytes / 1024} KiB`);
    return readFileSync(descriptor, 'utf8');
  } finally {
    closeSync(descriptor);
  }
}

interface NamedFile {
  /** The code of the error. */
  readonly code: string;
  /** The file in the message; default: its path. */
  readonly what?: string;
  readonly hint: string;
  readonly maxBytes?: number;
}

/** Reads a file as `readTextFile` does. Throws a UserError instead of any other error. */
export function readNamedFile(file: string, { code, what = file, hint, maxBytes }: NamedFile): string {
  try {
    return readTextFile(file, maxBytes);
  } catch (error) {
    throw new UserError({ code, message: `${what} cannot be read: ${messageOf(error)}`, hint });
  }
}

/**
 * Writes the text beside the file and renames it, so that a reader never sees half of it. Only its owner may read the file. It is not synced: a power
 * cut may lose it. Passes on the system's errors.
 */
export function replaceFile(file: string, text: string): void {
  writeFileSync(`${file}.new`, text, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}
