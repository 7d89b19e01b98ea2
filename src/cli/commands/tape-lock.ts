// One recorder a tape: beside the tape lies who is at work on it.
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { messageOf, UserError } from '../../base/errors.ts';
import type { Host } from '../host.ts';

/**
 * Does the work while no other recorder can begin on one of these files. UserError `tape` where one is at work already; what a process left that is
 * no longer there is taken over.
 */
export async function whileLocked<T>(files: readonly string[], host: Host, work: () => Promise<T>): Promise<T> {
  const held: string[] = [];
  const release = (): void => held.splice(0).forEach((lock) => rmSync(lock, { force: true }));
  host.onExit(release);
  try {
    for (const file of files) held.push(locked(file, host));
    return await work();
  } finally {
    release();
  }
}

function locked(file: string, host: Host): string {
  const lock = `${file}.lock`;
  if (made(lock, host.pid)) return lock;
  const pid = readFileSync(lock, 'utf8').trim();
  if (!host.isRunning(Number(pid)) && takenAside(lock, { pid, host }) && made(lock, host.pid)) return lock;
  throw new UserError({
    code: 'tape',
    message: `is being recorded by another process${pid === '' ? '' : `, ${pid}`}`,
    hint: `choose another --out, or end that one first; if it is no recorder, delete ${lock}`,
    place: { file },
  });
}

/** False where there is one. */
function made(lock: string, pid: number): boolean {
  try {
    writeFileSync(lock, `${pid}\n`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw new UserError({ code: 'tape', message: `${lock} cannot be made: ${messageOf(error)}`, hint: 'check the path' });
  }
}

/** Of several that find the same lock left over one alone takes it: what another has made since is put back. */
function takenAside(lock: string, { pid, host }: { pid: string; host: Host }): boolean {
  const aside = `${lock}.${host.pid}`;
  try {
    renameSync(lock, aside);
    const same = readFileSync(aside, 'utf8').trim() === pid;
    if (!same) linkSync(aside, lock);
    rmSync(aside);
    return same;
  } catch {
    return false; // another was quicker
  }
}
