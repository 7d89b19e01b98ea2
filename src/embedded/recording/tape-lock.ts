// Allows one recorder per tape, by a locked file beside the tape.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, UserError } from '../../base/errors.ts';
import { type FileLock, lockFile } from '../../base/files/file-lock.ts';
import { makeFolder } from '../../base/files/folder.ts';

/**
 * Locks the files, and creates their folders if they are missing. Returns a function that releases them. Throws a UserError `tape` if another recorder
 * has locked one of them.
 */
export function lockTapes(files: readonly string[], pid: number): () => void {
  const held: FileLock[] = [];
  const release = (): void => held.splice(0).forEach((lock) => lock.release({ remove: true }));
  try {
    for (const file of files) held.push(lockTape(file, pid));
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

function lockTape(file: string, pid: number): FileLock {
  const name = `${file}.lock`;
  const lock = tryLock(name);
  if (lock === undefined) {
    const holder = readFileSync(name, 'utf8').trim();
    const message = `another process${holder === '' ? '' : ` (${holder})`} is recording to this file`;
    throw new UserError({ code: 'tape', message, hint: 'choose another file, or end that process first', place: { file } });
  }
  lock.write(`${pid}\n`);
  return lock;
}

function tryLock(name: string): FileLock | undefined {
  try {
    makeFolder(dirname(name));
    return lockFile(name);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError({ code: 'tape', message: `${name} cannot be created: ${messageOf(error)}`, hint: 'check the path' });
  }
}
