// Allows one recorder per tape while a command runs.
import { lockTapes } from '../../../embedded/recording/tape-lock.ts';
import type { Host } from '../../host.ts';

/** Locks the files while `work` runs, at most until the process exits. Throws a UserError `tape` if another recorder holds one of them. */
export async function whileLocked<T>(files: readonly string[], host: Host, work: () => Promise<T>): Promise<T> {
  const release = lockTapes(files, host.pid);
  host.onExit(release);
  try {
    return await work();
  } finally {
    release();
  }
}
