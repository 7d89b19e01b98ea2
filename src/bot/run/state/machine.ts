// What a run knows of its machine: which processes are alive (a reused process id does not count), and the user's folder.
import { readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isAlive } from '../../../base/files/node-disk.ts';
import type { Holder, LockOptions } from '../../journal/directory-lock.ts';

/** Index of the start time, the 22nd field of /proc/PID/stat, counted from the state, the first field after the name. */
const START_TIME = 22 - 3;

/** On Linux a process is identified by its id, its start time and the boot of the machine; elsewhere by its id alone. */
export function systemProcesses(): LockOptions {
  return {
    self: { pid: process.pid, started: startOf(process.pid) ?? '', boot: bootId() },
    alive: ({ pid, started, boot }: Holder) => boot === bootId() && (started === '' ? isAlive(pid) : startOf(pid) === started),
  };
}

const bootId = (): string => textOf('/proc/sys/kernel/random/boot_id')?.trim() ?? '';

/** Start time of a process; undefined if it has ended, even if its parent has not collected it yet. */
function startOf(pid: number): string | undefined {
  const stat = textOf(`/proc/${pid}/stat`);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? undefined : fields?.[START_TIME];
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the user's folder for data about all runs of the machine, whatever directory they were started in: `$XDG_STATE_HOME/tickwright`, or
 * `~/.local/state/tickwright`; never a shared temporary folder.
 */
export const machineFolder = (env: Environment): string =>
  join(env['XDG_STATE_HOME'] || join(env['HOME'] || homedir(), '.local', 'state'), 'tickwright');
