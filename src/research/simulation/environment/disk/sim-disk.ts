// A simulated disk that can be full, fail, and lose unsynced data at a power cut.
import { type Disk, DiskError } from '../../../../base/files/disk.ts';
import type { Rng } from '../../../../base/rng.ts';

interface File {
  bytes: Buffer;
  length: number;
  /** How many bytes survive a power cut. */
  synced: number;
  /** True after a failed sync: data that was not durable then never becomes durable, whatever later syncs report. */
  poisoned: boolean;
  /** What a power cut may restore in its place, because publishing this content failed. `null`: no file. */
  before?: File | null | undefined;
}

/** Returns the failure of a call, if it is to fail; the first `written` bytes are still written. */
export type DiskFaults = (call: {
  readonly name: keyof Disk;
  readonly file: string;
  readonly bytes: number;
}) => { readonly kind: 'full' | 'broken'; readonly written: number } | undefined;

/** One directory, which outlives the processes that use it. */
export class SimDisk implements Disk {
  readonly #files = new Map<string, File>();
  readonly #faults: DiskFaults;
  readonly #onSynced: (file: string, bytes: Uint8Array) => void;

  /** `onSynced` is called with each run of bytes when it becomes durable. */
  constructor({
    faults = () => undefined,
    onSynced = () => undefined,
  }: { faults?: DiskFaults; onSynced?: (file: string, bytes: Uint8Array) => void } = {}) {
    this.#faults = faults;
    this.#onSynced = onSynced;
  }

  read(file: string): Uint8Array | undefined {
    const found = this.#files.get(file);
    return found === undefined ? undefined : Uint8Array.from(found.bytes.subarray(0, found.length));
  }

  size(file: string): number | undefined {
    return this.#files.get(file)?.length;
  }

  list(): readonly string[] {
    return [...this.#files.keys()].sort();
  }

  append(file: string, bytes: Uint8Array): void {
    const fault = this.#faults({ name: 'append', file, bytes: bytes.length });
    const found = this.#files.get(file) ?? emptyFile();
    this.#files.set(file, found);
    grow(found, bytes.subarray(0, fault === undefined ? bytes.length : fault.written));
    if (fault !== undefined) throw failure(fault.kind, `append to ${file}`);
  }

  sync(file: string): void {
    const found = this.#files.get(file);
    if (found === undefined) throw failure('broken', `sync of ${file}, which is not there`);
    const fault = this.#faults({ name: 'sync', file, bytes: 0 });
    if (fault !== undefined) {
      found.poisoned = true;
      throw failure(fault.kind, `sync of ${file}`);
    }
    if (!found.poisoned) this.#settle(file, found);
  }

  create(file: string, bytes: Uint8Array): boolean {
    if (this.#files.has(file)) return false;
    this.#publish('create', file, bytes);
    return true;
  }

  replace(file: string, bytes: Uint8Array): void {
    this.#publish('replace', file, bytes);
  }

  /** Works on a full disk, because the space is allocated already. */
  overwrite(file: string, at: number, bytes: Uint8Array): void {
    const found = this.#files.get(file);
    if (found === undefined || at + bytes.length > found.length) throw failure('broken', `overwrite of ${file}, which is too short`);
    const fault = this.#faults({ name: 'overwrite', file, bytes: bytes.length });
    if (fault?.kind === 'broken') throw failure(fault.kind, `overwrite of ${file}`);
    found.bytes.set(bytes, at);
    this.#onSynced(file, bytes);
  }

  remove(file: string): void {
    if (!this.#files.has(file)) return;
    const fault = this.#faults({ name: 'remove', file, bytes: 0 });
    if (fault !== undefined) throw failure(fault.kind, `remove of ${file}`);
    this.#files.delete(file);
  }

  /** The present contents, by file. */
  copy(): ReadonlyMap<string, Uint8Array> {
    return new Map([...this.#files.keys()].map((name) => [name, this.read(name) ?? new Uint8Array()]));
  }

  /** Replaces all contents by these files, synced. */
  restore(files: ReadonlyMap<string, Uint8Array>): void {
    this.#files.clear();
    for (const [name, bytes] of files) {
      const file = emptyFile();
      grow(file, bytes);
      file.synced = file.length;
      this.#files.set(name, file);
    }
  }

  /** Bytes in all files. */
  get bytes(): number {
    let size = 0;
    for (const { length } of this.#files.values()) size += length;
    return size;
  }

  /** Cuts each file to its synced part and a random prefix of the rest, some of it as zeros. Returns true if a part of an append is left. */
  powerCut(rng: Rng): boolean {
    let hasPartOfAppend = false;
    for (const [name, file] of this.#files) {
      if (file.before !== undefined) {
        this.#takeBack(name, file, rng);
        continue;
      }
      const kept = rng.below(file.length - file.synced + 1);
      const torn = rng.next() < 0.3 ? rng.below(kept + 1) : 0;
      hasPartOfAppend ||= kept > 0;
      file.length = file.synced + kept;
      file.bytes.fill(0, file.length - torn, file.length);
      file.poisoned = false;
      file.synced = file.length;
      if (file.length === 0 && rng.next() < 0.5) this.#files.delete(name);
    }
    return hasPartOfAppend;
  }

  /** The power cut may restore what a failed publication would have replaced. */
  #takeBack(name: string, file: File, rng: Rng): void {
    const { before } = file;
    Object.assign(file, { synced: file.length, before: undefined });
    if (rng.next() < 0.5) return;
    if (before === null || before === undefined) this.#files.delete(name);
    else this.#files.set(name, before);
  }

  /** Publishes content atomically. If it fails, the new content may still be there until a power cut restores the old one. */
  #publish(call: keyof Disk, name: string, bytes: Uint8Array): void {
    const fault = this.#faults({ name: call, file: name, bytes: bytes.length });
    if (fault !== undefined && fault.written === 0) throw failure(fault.kind, `${call} of ${name}`);
    const file = emptyFile();
    grow(file, bytes);
    if (fault !== undefined) file.before = this.#files.get(name) ?? null;
    this.#files.set(name, file);
    if (fault !== undefined) throw failure(fault.kind, `${call} of ${name}`);
    this.#settle(name, file);
  }

  #settle(name: string, file: File): void {
    const fresh = file.bytes.subarray(file.synced, file.length);
    file.synced = file.length;
    this.#onSynced(name, fresh);
  }
}

const emptyFile = (): File => ({ bytes: Buffer.alloc(0), length: 0, synced: 0, poisoned: false });

function grow(file: File, bytes: Uint8Array): void {
  const length = file.length + bytes.length;
  if (length > file.bytes.length) {
    const larger = Buffer.alloc(Math.max(1024, 2 * length));
    larger.set(file.bytes.subarray(0, file.length));
    file.bytes = larger;
  }
  file.bytes.set(bytes, file.length);
  file.length = length;
}

const failure = (kind: 'full' | 'broken', what: string): DiskError =>
  new DiskError(kind, `${what}: ${kind === 'full' ? 'no space is left' : 'input/output error'}`);
