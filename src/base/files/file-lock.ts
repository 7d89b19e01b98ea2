// A lock on a file, held by the kernel while this process lives. It works across process namespaces, and never outlives the process or a restart of
// the machine.
import { spawnSync } from 'node:child_process';
import { closeSync, constants, fstatSync, ftruncateSync, openSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { UserError } from '../errors.ts';

export interface FileLock {
  /** False once the file was removed or replaced: another process may then hold a lock of the same name. */
  isHeld(): boolean;
  /** Replaces the content of the file in place. */
  write(text: string): void;
  /** `remove`: also removes the file. */
  release(options?: { readonly remove?: boolean }): void;
}

/** Number of attempts before a lock is refused, because another process that checks the lock holds it briefly. */
const ATTEMPTS = 5;
const PAUSE_MS = 20;

/**
 * Creates the file if it is missing. Returns undefined if another process, or another part of this one, has the lock. Throws a UserError if files
 * cannot be locked here.
 */
export function lockFile(path: string): FileLock | undefined {
  for (let attempt = 1; attempt <= ATTEMPTS; attempt++) {
    const lock = tryLock(path);
    if (lock !== undefined) return lock;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
  return undefined;
}

function tryLock(path: string): FileLock | undefined {
  const descriptor = tryOpen(path, constants.O_RDWR | constants.O_CREAT);
  if (descriptor === undefined) return undefined;
  try {
    if (takes(descriptor, 'exclusive') && isAt(path, descriptor)) return new Held(path, descriptor);
  } catch (error) {
    closeSync(descriptor);
    throw error;
  }
  closeSync(descriptor);
  return undefined;
}

/** True if any process holds the lock now. Throws a UserError as `lockFile` does. */
export function isLocked(path: string): boolean {
  if (statSync(path, { throwIfNoEntry: false }) === undefined) return false;
  const descriptor = tryOpen(path, constants.O_RDONLY);
  if (descriptor === undefined) return true;
  try {
    return !takes(descriptor, 'shared');
  } finally {
    closeSync(descriptor);
  }
}

class Held implements FileLock {
  readonly #path: string;
  readonly #descriptor: number;
  #open = true;

  constructor(path: string, descriptor: number) {
    this.#path = path;
    this.#descriptor = descriptor;
  }

  isHeld(): boolean {
    return this.#open && isAt(this.#path, this.#descriptor);
  }

  write(text: string): void {
    ftruncateSync(this.#descriptor);
    writeSync(this.#descriptor, text, 0);
  }

  release({ remove = false }: { readonly remove?: boolean } = {}): void {
    if (!this.#open) return;
    if (remove && this.isHeld()) unlinkSync(this.#path);
    this.#open = false;
    closeSync(this.#descriptor);
  }
}

/** True if the file of that name is still the open one. */
function isAt(path: string, descriptor: number): boolean {
  const [named, open] = [statSync(path, { bigint: true, throwIfNoEntry: false }), fstatSync(descriptor, { bigint: true })];
  return named !== undefined && named.ino === open.ino && named.dev === open.dev;
}

/** A flag of libuv: on Windows, a file opened with it cannot be opened by any other process. */
const WINDOWS_EXCLUSIVE = 0x1000_0000;

/** Opens the file, and returns its descriptor; undefined if another process has it open, on Windows. A symbolic link is not followed. */
function tryOpen(path: string, flags: number): number | undefined {
  if (process.platform !== 'win32') return openSync(path, flags | constants.O_NOFOLLOW, 0o600);
  try {
    return openSync(path, flags | WINDOWS_EXCLUSIVE);
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EBUSY') return undefined;
    throw error;
  }
}

type Kind = 'exclusive' | 'shared';

/**
 * Programs that lock files, which Node cannot do. They lock the inherited open file, which this process shares, so it stays locked after they have
 * ended.
 */
const PROGRAMS: readonly { readonly name: string; readonly args: (kind: Kind) => readonly string[] }[] = [
  { name: 'flock', args: (kind) => ['-n', kind === 'exclusive' ? '-x' : '-s', '3'] },
  {
    name: 'perl',
    args: (kind) => [
      '-MErrno',
      '-e',
      'open(my $f, "<&=", 3) or exit 2; exit(flock($f, $ARGV[0]) ? 0 : $!{EWOULDBLOCK} ? 1 : 2)',
      kind === 'exclusive' ? '6' : '5',
    ],
  },
];
const CONFLICT = 1;

/** Tries to take the lock; returns false if another process has it. */
function takes(descriptor: number, kind: Kind): boolean {
  if (process.platform === 'win32') return true;
  for (const { name, args } of PROGRAMS) {
    const { status } = spawnSync(name, args(kind), { stdio: ['ignore', 'ignore', 'ignore', descriptor] });
    if (status === 0) return true;
    if (status === CONFLICT) return false;
  }
  throw new UserError({
    code: 'locked',
    message: `the file cannot be locked: ${PROGRAMS.map(({ name }) => name).join(' and ')} are missing, or the file system does not support locks`,
    hint: 'install flock (package util-linux) or perl, or keep the file on a local file system',
  });
}
