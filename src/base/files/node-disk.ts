// A directory of the file system as a Disk: accessible to this user only, and durable as the port requires. Also: whether a process is alive.
import {
  closeSync,
  constants,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { assert, messageOf } from '../errors.ts';
import { type Disk, DiskError } from './disk.ts';
import { makeFolder } from './folder.ts';
import { requirePrivate } from './private.ts';

const FOLDER = 0o700;
const FILE = 0o600;
/** Maximum number of open files for appending. Data of closed files is not synced; the system writes it. */
const OPEN_FILES = 8;
const UNFINISHED = /^\.unfinished-(\d+)-/;

/**
 * Creates the directory if it is missing; throws a DiskError if that fails. Throws a UserError `state` if the directory, or a file in it, is not this
 * user's alone; with `shared` that is not checked.
 */
export function nodeDisk(directory: string, { shared = false }: { readonly shared?: boolean } = {}): Disk {
  const root = resolve(directory);
  attempt(() => makeFolder(root, FOLDER));
  if (!shared) requirePrivate(directory);
  attempt(() => {
    for (const name of readdirSync(root)) if (isAbandoned(name)) unlinkSync(join(root, name));
  });
  return new NodeDisk(root);
}

interface OpenFile {
  readonly descriptor: number;
  /** True while the file's name is not durable. */
  isNew: boolean;
}

class NodeDisk implements Disk {
  readonly #root: string;
  readonly #open = new Map<string, OpenFile>();
  #made = 0;

  constructor(root: string) {
    this.#root = root;
  }

  read(file: string): Uint8Array | undefined {
    return attempt(() => unlessMissing(() => readFileSync(this.#path(file))));
  }

  size(file: string): number | undefined {
    return attempt(() => unlessMissing(() => statSync(this.#path(file)).size));
  }

  list(): readonly string[] {
    return attempt(() =>
      readdirSync(this.#root)
        .filter((name) => !UNFINISHED.test(name))
        .sort(),
    );
  }

  append(file: string, bytes: Uint8Array): void {
    attempt(() => writeAll(this.#openFile(file).descriptor, bytes));
  }

  sync(file: string): void {
    attempt(() => {
      const opened = this.#openFile(file);
      fdatasyncSync(opened.descriptor);
      if (opened.isNew) this.#syncNames();
      opened.isNew = false;
    });
  }

  create(file: string, bytes: Uint8Array): boolean {
    return this.#writeWhole(bytes, (unfinished) => {
      try {
        linkSync(unfinished, this.#path(file));
        return true;
      } catch (error) {
        if (codeOf(error) === 'EEXIST') return false;
        throw error;
      } finally {
        unlinkSync(unfinished);
      }
    });
  }

  replace(file: string, bytes: Uint8Array): void {
    this.#forget(file);
    this.#writeWhole(bytes, (unfinished) => renameSync(unfinished, this.#path(file)));
  }

  overwrite(file: string, at: number, bytes: Uint8Array): void {
    attempt(() => {
      const descriptor = openSync(this.#path(file), constants.O_RDWR | constants.O_NOFOLLOW);
      try {
        const { size } = fstatSync(descriptor);
        if (at + bytes.length > size) throw new Error(`${file} has ${size} bytes, which is too few to write over`);
        writeAll(descriptor, bytes, at);
        fsyncSync(descriptor);
      } finally {
        closeSync(descriptor);
      }
    });
  }

  remove(file: string): void {
    this.#forget(file);
    attempt(() => {
      unlessMissing(() => unlinkSync(this.#path(file)));
      this.#syncNames();
    });
  }

  /** Writes the content under a temporary name, durably; then `publish` gives it its name. */
  #writeWhole<T>(bytes: Uint8Array, publish: (unfinished: string) => T): T {
    return attempt(() => {
      const unfinished = join(this.#root, `.unfinished-${process.pid}-${this.#made++}`);
      const descriptor = openSync(unfinished, 'wx', FILE);
      try {
        writeAll(descriptor, bytes);
        fsyncSync(descriptor);
      } catch (error) {
        unlinkSync(unfinished);
        throw error;
      } finally {
        closeSync(descriptor);
      }
      const published = publish(unfinished);
      this.#syncNames();
      return published;
    });
  }

  #openFile(file: string): OpenFile {
    const known = this.#open.get(file);
    if (known !== undefined) return known;
    for (const oldest of this.#open.keys()) {
      if (this.#open.size < OPEN_FILES) break;
      this.#forget(oldest);
    }
    const opened = { descriptor: openSync(this.#path(file), 'a', FILE), isNew: true };
    this.#open.set(file, opened);
    return opened;
  }

  #forget(file: string): void {
    const opened = this.#open.get(file);
    this.#open.delete(file);
    if (opened !== undefined) attempt(() => closeSync(opened.descriptor));
  }

  #syncNames(): void {
    if (process.platform === 'win32') return; // a directory cannot be opened there, and names are durable with their files
    const descriptor = openSync(this.#root, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  #path(file: string): string {
    assert(file === basename(file), `${file} is not a file name`);
    return join(this.#root, file);
  }
}

/** True for the unfinished file of a process that has ended. */
function isAbandoned(name: string): boolean {
  const [, pid] = UNFINISHED.exec(name) ?? [];
  return pid !== undefined && !isAlive(Number(pid));
}

/** Writes from the offset `at`, or without one at the current position: the end of the file if it was opened for appending. */
function writeAll(descriptor: number, bytes: Uint8Array, at?: number): void {
  for (let written = 0; written < bytes.length; )
    written += writeSync(descriptor, bytes, written, bytes.length - written, at === undefined ? null : at + written);
}

function unlessMissing<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function attempt<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    const code = codeOf(error);
    throw new DiskError(code === 'ENOSPC' || code === 'EDQUOT' ? 'full' : 'broken', messageOf(error));
  }
}

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/** Returns true if a process with this id is alive, of any user; false for a value that cannot be a process id. */
export function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0); // signal 0 sends nothing
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'; // another user's process
  }
}
