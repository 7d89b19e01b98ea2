// One writer a directory: whoever makes the next generation of the lock holds it, and nobody can make the same one twice.
import { type Disk, DiskError } from '../base/disk.ts';
import { UserError } from '../base/errors.ts';

/** A process, told apart from another that gets the same number later. */
export interface Holder {
  readonly pid: number;
  /** When it was started, in whatever the system counts. */
  readonly started: string;
  /** Which start of the machine that was in. */
  readonly boot: string;
}

export interface Lock {
  /** For the next process, so that it need not ask whether this one lives. */
  release(): void;
}

export interface LockOptions {
  readonly self: Holder;
  readonly alive: (holder: Holder) => boolean;
}

const GENERATION = /^lock-(\d{6,})$/;

/**
 * Files are `lock-000001` and on; the newest counts, and is never removed but by who made a newer one: of several that find it dead, one makes
 * the next. A UserError where a living process holds it.
 */
export function takeLock(disk: Disk, { self, alive }: LockOptions): Lock {
  for (;;) {
    const newest = Math.max(0, ...generationsIn(disk));
    const holder = newest === 0 ? undefined : holderOf(disk, newest);
    if (holder === 'gone') continue; // somebody made a newer one and removed this
    if (holder !== undefined && alive(holder)) {
      throw new UserError({
        code: 'locked',
        message: `another process trades with this state directory: process ${holder.pid}`,
        hint: 'stop it first, or choose another directory with --state DIR',
      });
    }
    const file = fileOf(newest + 1);
    if (!disk.create(file, encoded(self))) continue;
    const all = generationsIn(disk);
    if (Math.max(...all) > newest + 1) {
      disk.remove(file); // one that was there once, and was removed by who made a newer one
      continue;
    }
    for (const older of all) if (older <= newest) disk.remove(fileOf(older));
    return { release: () => released(disk, file) };
  }
}

/** Whoever made the newest one, alive or not; undefined where it was released, and where there is none. */
export function holderIn(disk: Disk): Holder | undefined {
  for (;;) {
    const newest = Math.max(0, ...generationsIn(disk));
    const holder = newest === 0 ? undefined : holderOf(disk, newest);
    if (holder !== 'gone') return holder;
  }
}

function released(disk: Disk, file: string): void {
  try {
    disk.replace(file, encoded({}));
  } catch (error) {
    if (!(error instanceof DiskError)) throw error; // a dead process holds nothing either
  }
}

/** Undefined where it was released. */
function holderOf(disk: Disk, generation: number): Holder | 'gone' | undefined {
  const bytes = disk.read(fileOf(generation));
  if (bytes === undefined) return 'gone';
  const { pid, started, boot } = parsed(bytes, fileOf(generation));
  return pid === undefined || started === undefined || boot === undefined ? undefined : { pid, started, boot };
}

function parsed(bytes: Uint8Array, file: string): Partial<Holder> {
  try {
    const holder: unknown = JSON.parse(new TextDecoder().decode(bytes));
    if (typeof holder === 'object' && holder !== null) return holder;
  } catch {
    // told below
  }
  throw new UserError({
    code: 'locked',
    message: 'the lock is damaged: nobody knows who holds it',
    place: { file },
    hint: 'make sure that no bot uses this directory, then remove the file',
  });
}

const generationsIn = (disk: Disk): readonly number[] => disk.list().flatMap((file) => GENERATION.exec(file)?.slice(1).map(Number) ?? []);
const fileOf = (generation: number): string => `lock-${String(generation).padStart(6, '0')}`;
const encoded = (holder: Partial<Holder>): Uint8Array => new TextEncoder().encode(`${JSON.stringify(holder)}\n`);
