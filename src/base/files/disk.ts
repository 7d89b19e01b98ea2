// A directory as a port: small, synchronous, with exact guarantees of durability.

/**
 * File names only, no paths. Any failure throws a `DiskError`; a call that threw may have been done in part. Appended bytes survive the end of the
 * process, but a power cut only after `sync`.
 */
export interface Disk {
  /** Undefined if there is no such file. */
  read(file: string): Uint8Array | undefined;
  /** In bytes; undefined if there is no such file. */
  size(file: string): number | undefined;
  /** All names, sorted. */
  list(): readonly string[];
  /** Appends to the file, and creates it if it is missing. */
  append(file: string, bytes: Uint8Array): void;
  /** Returns when all appended data and the file's name are durable. After a failed sync, the file must not be appended to any more. */
  sync(file: string): void;
  /** Creates a file with this content, complete and durable. Returns false if there is a file of that name already, by any process. */
  create(file: string, bytes: Uint8Array): boolean;
  /** Replaces the file's content, complete and durable; on failure the old content stays. */
  replace(file: string, bytes: Uint8Array): void;
  /**
   * Overwrites existing bytes of the file from offset `at`; durable when it returns. No space is allocated, so it works on a full disk. Throws a
   * DiskError if the file is missing or too short.
   */
  overwrite(file: string, at: number, bytes: Uint8Array): void;
  /** Removes the file durably; no error if there is none. */
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
