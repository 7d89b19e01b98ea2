// Which processes live, as the system says: a number that was given to another process since does not count.
import { readFileSync } from 'node:fs';
import { isAlive } from '../../base/alive.ts';
import type { Holder, LockOptions } from '../../journal/lock.ts';

/** Its fields after the name, which may hold anything, from the state on; the start time is the 22nd of all. */
const START_TIME = 22 - 3;

/** On Linux a process is told by its number, its start and the machine's; elsewhere by its number alone. */
export function systemProcesses(): LockOptions {
  return {
    self: { pid: process.pid, started: startOf(process.pid) ?? '', boot: bootId() },
    alive: ({ pid, started, boot }: Holder) => boot === bootId() && (started === '' ? isAlive(pid) : startOf(pid) === started),
  };
}

const bootId = (): string => textOf('/proc/sys/kernel/random/boot_id')?.trim() ?? '';

/** None of one that has ended and that its parent has not asked about yet. */
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
