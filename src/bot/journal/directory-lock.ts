// The lock of a state directory: one writer per directory. The lock itself is the kernel's (`base/files/file-lock.ts`), given as `exclude`; a file
// names the holder, for people and for watchdogs.

import { UserError } from '../../base/errors.ts';
import { type Disk, DiskError } from '../../base/files/disk.ts';
import { JSON_LIMITS, readJson } from '../../base/text/json.ts';

/** Identifies a process, also against a later one with the same number. */
export interface Holder {
  readonly pid: number;
  /** When it was started, in the system's own unit; empty if the system does not report it. */
  readonly started: string;
  /** Identifies the boot of the machine in which it started. */
  readonly boot: string;
}

/** A lock that is released when its process ends. */
export interface ProcessLock {
  isHeld(): boolean;
  release(): void;
}

export interface Lock extends ProcessLock {
  /** Also records that the directory was released, so that the next process need not check whether this one lives. */
  release(): void;
}

export interface LockOptions {
  readonly self: Holder;
  /** Returns undefined if another process has the lock. Absent if no other process can reach the disk. */
  readonly exclude?: (() => ProcessLock | undefined) | undefined;
  /** True if a process that the file names is alive. Needed only for processes of earlier versions, which held no lock of the system. */
  readonly alive: (holder: Holder) => boolean;
}

const ALONE: ProcessLock = { isHeld: () => true, release: () => undefined };

/** The only lock file of this version; earlier versions numbered further ones. */
const FILE = 'lock-000001';
const GENERATION = /^lock-(\d{6,})$/;

/** Throws a UserError `locked` if another process has the directory. */
export function takeLock(disk: Disk, { self, exclude = () => ALONE, alive }: LockOptions): Lock {
  const exclusion = exclude();
  const holder = holderIn(disk);
  if (exclusion === undefined) throw isTaken(holder);
  try {
    if (holder !== undefined && holder.started !== '' && alive(holder)) throw isTaken(holder);
    disk.replace(FILE, encoded(self));
    for (const file of generationsIn(disk)) if (file !== FILE) disk.remove(file);
  } catch (error) {
    exclusion.release();
    throw error;
  }
  const release = (): void => {
    if (exclusion.isHeld()) markReleased(disk);
    exclusion.release();
  };
  return { isHeld: () => exclusion.isHeld(), release };
}

const isTaken = (holder: Holder | undefined): UserError =>
  new UserError({
    code: 'locked',
    message: `another process uses this state directory${holder === undefined ? '' : `: process ${holder.pid}`}`,
    hint: 'stop it first, or choose another directory with --state DIR; in a container, the process number is the one inside that container',
  });

/** Returns the last holder of the lock, alive or not; undefined if it was released or cannot be read. */
export function holderIn(disk: Disk): Holder | undefined {
  const newest = generationsIn(disk).at(-1);
  const bytes = newest === undefined ? undefined : disk.read(newest);
  try {
    const holder: unknown = readJson(bytes ?? '', JSON_LIMITS.state);
    return isHolder(holder) ? holder : undefined;
  } catch {
    return undefined;
  }
}

function isHolder(value: unknown): value is Holder {
  const { pid, started, boot } = typeof value === 'object' && value !== null ? (value as Partial<Holder>) : {};
  return typeof pid === 'number' && typeof started === 'string' && typeof boot === 'string';
}

function markReleased(disk: Disk): void {
  try {
    disk.replace(FILE, encoded({}));
  } catch (error) {
    if (!(error instanceof DiskError)) throw error; // the lock of a dead process does not count either
  }
}

/** Returns the generations of the lock that a directory has, oldest first. */
const generationsIn = (disk: Disk): readonly string[] =>
  disk
    .list()
    .filter((file) => GENERATION.test(file))
    .sort((a, b) => Number(a.slice(5)) - Number(b.slice(5)));

const encoded = (holder: Partial<Holder>): Uint8Array => new TextEncoder().encode(`${JSON.stringify(holder)}\n`);
