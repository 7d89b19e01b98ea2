// Whether the process of a run lives, by the lock of its state directory.
import { nodeDisk } from '../../base/node-disk.ts';
import { type Holder, holderIn } from '../../journal/lock.ts';
import { systemProcesses } from '../../run/process-table.ts';

/** The process that has the directory, if it lives. */
export function livingIn(directory: string): Holder | undefined {
  const holder = holderIn(nodeDisk(directory));
  return holder !== undefined && systemProcesses().alive(holder) ? holder : undefined;
}

export const isAlive = (directory: string): boolean => livingIn(directory) !== undefined;
