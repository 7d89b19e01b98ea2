// Finds out whether the process of a run is alive, by the lock of its state directory.
import { join } from 'node:path';
import { UserError } from '../base/errors.ts';
import { isLocked } from '../base/files/file-lock.ts';
import { nodeDisk } from '../base/files/node-disk.ts';
import { type Holder, holderIn } from '../bot/journal/directory-lock.ts';
import { systemProcesses } from '../bot/run/state/machine.ts';
import { LOCK_FILE } from '../bot/run/state/state.ts';

/**
 * Returns the live process that holds the directory; undefined if there is none. Checks the lock, which works across process namespaces; if it cannot be
 * checked, and for a process of an earlier version, checks the process id.
 */
export function liveProcessIn(directory: string): Holder | undefined {
  const holder = holderIn(nodeDisk(directory));
  return holder !== undefined && (isHeld(directory) || systemProcesses().alive(holder)) ? holder : undefined;
}

export const isRunAlive = (directory: string): boolean => liveProcessIn(directory) !== undefined;

/** Returns the process that holds the directory's lock; `unknown` if it cannot be determined. */
export function processOf(directory: string): Holder | 'unknown' | undefined {
  try {
    return liveProcessIn(directory) ?? (isHeld(directory) ? 'unknown' : undefined);
  } catch (error) {
    if (error instanceof UserError) return 'unknown';
    throw error;
  }
}

/** True if some process, even an unknown one, holds the lock. False if the lock cannot be checked. */
function isHeld(directory: string): boolean {
  try {
    return isLocked(join(directory, LOCK_FILE));
  } catch (error) {
    if (error instanceof UserError) return false;
    throw error;
  }
}
