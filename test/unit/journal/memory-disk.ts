// A disk in memory, and one that breaks at a call of the test's choice.
import { type Disk, DiskError } from '../../../src/base/files/disk.ts';

export class MemoryDisk implements Disk {
  readonly files: Map<string, Uint8Array>;

  constructor(files: Iterable<readonly [string, Uint8Array]> = []) {
    this.files = new Map(files);
  }

  copy(): MemoryDisk {
    return new MemoryDisk(this.files);
  }

  text(file: string): string {
    return Buffer.from(this.files.get(file) ?? []).toString();
  }

  read(file: string): Uint8Array | undefined {
    return this.files.get(file);
  }

  size(file: string): number | undefined {
    return this.files.get(file)?.length;
  }

  list(): readonly string[] {
    return [...this.files.keys()].sort();
  }

  append(file: string, bytes: Uint8Array): void {
    this.files.set(file, Buffer.concat([this.files.get(file) ?? new Uint8Array(), bytes]));
  }

  sync(): void {
    // every write is durable at once
  }

  create(file: string, bytes: Uint8Array): boolean {
    if (this.files.has(file)) return false;
    this.files.set(file, bytes);
    return true;
  }

  replace(file: string, bytes: Uint8Array): void {
    this.files.set(file, bytes);
  }

  overwrite(file: string, at: number, bytes: Uint8Array): void {
    const known = this.files.get(file);
    if (known === undefined || at + bytes.length > known.length) throw new DiskError('broken', `${file} is too short`);
    const changed = Uint8Array.from(known);
    changed.set(bytes, at);
    this.files.set(file, changed);
  }

  remove(file: string): void {
    this.files.delete(file);
  }
}

/** A disk whose changing calls may fail. `breaks` gets the number of the call, counted from 1, and returns its error and whether the change was made before it. */
export function breaking(disk: Disk, breaks: (call: number) => { readonly error: Error; readonly done: boolean } | undefined): Disk {
  let calls = 0;
  const changing = <T>(run: () => T): T => {
    const broken = breaks(++calls);
    if (broken === undefined) return run();
    if (broken.done) run();
    throw broken.error;
  };
  return {
    read: (file) => disk.read(file),
    size: (file) => disk.size(file),
    list: () => disk.list(),
    append: (file, bytes) => changing(() => disk.append(file, bytes)),
    sync: (file) => changing(() => disk.sync(file)),
    create: (file, bytes) => changing(() => disk.create(file, bytes)),
    replace: (file, bytes) => changing(() => disk.replace(file, bytes)),
    overwrite: (file, at, bytes) => changing(() => disk.overwrite(file, at, bytes)),
    remove: (file) => changing(() => disk.remove(file)),
  };
}
