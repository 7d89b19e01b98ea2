// Whether the process of a run lives, by the lock of its state directory.
import { join } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { isLocked } from '../../../base/file-lock.ts';
import { nodeDisk } from '../../../base/node-disk.ts';
import { type Holder, holderIn } from '../../../journal/lock.ts';
import { systemProcesses } from '../../../run/state/process-table.ts';
import { LOCK_FILE } from '../../../run/state/state.ts';

/** The process that has the directory, if it lives. */
export function livingIn(directory: string): Holder | undefined {
  const holder = holderIn(nodeDisk(directory));
  return holder !== undefined && lives(holder, directory) ? holder : undefined;
}

/** By the lock, which holds across process namespaces; by its number where the lock cannot be asked, and for a process of an earlier version. */
function lives(holder: Holder, directory: string): boolean {
  try {
    if (isLocked(join(directory, LOCK_FILE))) return true;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
  }
  return systemProcesses().alive(holder);
}

export const isAlive = (directory: string): boolean => livingIn(directory) !== undefined;

/** Whether some process holds the lock, also where nobody can say which. False where the lock cannot be asked. */
export function isHeld(directory: string): boolean {
  try {
    return isLocked(join(directory, LOCK_FILE));
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}
