// Allows one recorder per tape, by a locked file beside the tape.
import { readFileSync } from 'node:fs';
import { messageOf, UserError } from '../../../base/errors.ts';
import { type FileLock, lockFile } from '../../../base/files/file-lock.ts';
import type { Host } from '../../host.ts';

/** Locks the files while `work` runs. Throws a UserError `tape` if another recorder holds one of them. */
export async function whileLocked<T>(files: readonly string[], host: Host, work: () => Promise<T>): Promise<T> {
  const held: FileLock[] = [];
  const release = (): void => held.splice(0).forEach((lock) => lock.release({ remove: true }));
  host.onExit(release);
  try {
    for (const file of files) held.push(locked(file, host));
    return await work();
  } finally {
    release();
  }
}

function locked(file: string, host: Host): FileLock {
  const name = `${file}.lock`;
  const lock = taken(name);
  if (lock === undefined) {
    const pid = readFileSync(name, 'utf8').trim();
    const message = `another process${pid === '' ? '' : ` (${pid})`} is recording to this file`;
    throw new UserError({ code: 'tape', message, hint: 'choose another --out, or end that process first', place: { file } });
  }
  lock.write(`${host.pid}\n`);
  return lock;
}

function taken(name: string): FileLock | undefined {
  try {
    return lockFile(name);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError({ code: 'tape', message: `${name} cannot be created: ${messageOf(error)}`, hint: 'check the path' });
  }
}
