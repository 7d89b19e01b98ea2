// One directory as a port: small, synchronous, and honest about what would survive a power cut.

/**
 * File names only, no paths. Whatever cannot be done throws a `DiskError`; a call that threw may have been done in part.
 * What was appended survives the end of the process, but a power cut only after `sync`.
 */
export interface Disk {
  /** Undefined where there is no such file. */
  read(file: string): Uint8Array | undefined;
  /** In bytes; undefined where there is no such file. */
  size(file: string): number | undefined;
  /** All names, in order. */
  list(): readonly string[];
  /** At the end of the file, which is made where it is missing. */
  append(file: string, bytes: Uint8Array): void;
  /** Returns when all that was appended to the file is durable, its name included. A file whose sync failed must not be appended to any more. */
  sync(file: string): void;
  /** A new file with this content, whole and durable; false where there is one of that name already, whoever made it. */
  create(file: string, bytes: Uint8Array): boolean;
  /** The file's content becomes this, whole and durable, or stays what it was. */
  replace(file: string, bytes: Uint8Array): void;
  /**
   * Writes over bytes that the file has, from offset `at` on, and is durable when it returns. No space is allocated, so it works on a full disk.
   * A DiskError where the file is missing or ends before.
   */
  overwrite(file: string, at: number, bytes: Uint8Array): void;
  /** Durable; no error where there is no such file. */
  remove(file: string): void;
}

/** `full`: no space is left, or a quota is used up. */
export class DiskError extends Error {
  override readonly name = 'DiskError';
  readonly kind: 'full' | 'broken';

  constructor(kind: 'full' | 'broken', message: string) {
    super(message);
    this.kind = kind;
  }
}
