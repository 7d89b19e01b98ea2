// The journal: a write-ahead log. Entries are durable before anything acts on them; its size is bounded, and it is readable after any crash.
// Also the disk space reserved for it.
import { UserError } from '../../base/errors.ts';
import { type Disk, DiskError } from '../../base/files/disk.ts';
import { damaged, fileOf, type JournalEntry, lineOf, readLines, segmentsIn } from './segment.ts';

export interface Journal<E extends JournalEntry> {
  /** The state of the last process: its checkpoint, and all entries appended after it. */
  readonly earlier: readonly E[];
  /** The entries are durable when it returns. If it throws a DiskError, do not rely on them: after a crash some may still be in the file. */
  append(entries: readonly E[]): void;
}

export interface JournalOptions<E extends JournalEntry> {
  /** Returns a shorter list with what a later process needs of these entries. May be called with its own results. */
  readonly checkpoint: (entries: readonly E[]) => readonly E[];
  /** Bytes appended to one segment; 2 MiB by default. */
  readonly segmentBytes?: number;
  /** Bytes of older segments that are kept, for inspection; 64 MiB by default. */
  readonly keptBytes?: number;
}

const VERSION = 1;
const MIB = 2 ** 20;
/** A smaller segment counts as this size, which bounds the number of segments. */
const MIN_BYTES = 2 ** 16;

interface Segment {
  readonly segment: number;
  readonly bytes: number;
}

/** The first entry of a segment; the checkpoint follows in the same line. */
interface Header extends JournalEntry {
  readonly kind: 'journal';
  readonly version: number;
  readonly segment: number;
  /** The earlier segments that are kept, oldest first. */
  readonly older: readonly Segment[];
}

/**
 * Opens the journal. Its segments are `journal-000001.log` and so on. Each begins with a checkpoint, written atomically, and needs no earlier
 * segment; so the newest alone has the whole state, and after any failure of a segment the next one is started. Every process starts a new one.
 * A journal of an earlier version is continued, with its orders, fills and totals. Throws a UserError if the newest segment is damaged or of a later
 * version.
 */
export function openJournal<E extends JournalEntry>(disk: Disk, options: JournalOptions<E>): Journal<E> {
  return new SegmentedJournal(disk, options);
}

class SegmentedJournal<E extends JournalEntry> implements Journal<E> {
  readonly earlier: readonly E[];
  readonly #disk: Disk;
  readonly #options: JournalOptions<E>;
  /** All entries since the last checkpoint, including it. */
  #entries: E[] = [];
  #older: readonly Segment[] = [];
  #newest: number;
  /** The segment to append to, until it has `full` bytes; undefined if the next append has to start one. */
  #current: { readonly file: string; bytes: number; full: number } | undefined;

  constructor(disk: Disk, options: JournalOptions<E>) {
    this.#disk = disk;
    this.#options = options;
    this.#newest = newestIn(disk);
    if (this.#newest > 0) this.#recover();
    this.earlier = [...this.#entries];
  }

  append(entries: readonly E[]): void {
    const current = this.#current;
    if (current === undefined) return this.#begin(entries);
    const line = lineOf(entries);
    try {
      this.#disk.append(current.file, line);
      this.#disk.sync(current.file);
    } catch (error) {
      [this.#older, this.#current] = [this.#allSegments(), undefined]; // a file is not used any more after a failed append
      if (!(error instanceof DiskError)) throw error;
      return this.#begin(entries);
    }
    current.bytes += line.length;
    this.#entries.push(...entries);
    if (current.bytes >= current.full) this.#rotate();
  }

  /** Starts the next segment. If that fails, the current one grows, since its entries are durable already. */
  #rotate(): void {
    const current = this.#current;
    try {
      this.#begin([]);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      if (current !== undefined) current.full = current.bytes + this.#segmentBytes / 2;
    }
  }

  /** Starts a segment, atomically. */
  #begin(more: readonly E[]): void {
    const checkpoint = this.#entries.length === 0 ? [] : this.#options.checkpoint(this.#entries);
    const older = this.#retained(this.#allSegments());
    for (let segment = this.#newest + 1; ; segment++) {
      const header: Header = { kind: 'journal', version: VERSION, segment, older };
      const content = Buffer.concat([lineOf([header, ...checkpoint]), ...(more.length === 0 ? [] : [lineOf(more)])]);
      const file = fileOf(segment);
      if (!this.#disk.create(file, content)) continue; // the file of an earlier attempt that failed halfway
      this.#newest = segment;
      this.#current = { file, bytes: content.length, full: content.length + Math.max(this.#segmentBytes, content.length) };
      [this.#entries, this.#older] = [[...checkpoint, ...more], older];
      return this.#removeBefore(older[0]?.segment ?? segment);
    }
  }

  /** All segments so far. */
  #allSegments(): readonly Segment[] {
    return this.#current === undefined ? this.#older : [...this.#older, { segment: this.#newest, bytes: this.#current.bytes }];
  }

  get #segmentBytes(): number {
    return this.#options.segmentBytes ?? 2 * MIB;
  }

  #recover(): void {
    const file = fileOf(this.#newest);
    const bytes = this.#disk.read(file) ?? new Uint8Array();
    const [head = [], ...lines] = readLines(bytes, file);
    const [header, ...checkpoint] = head;
    if (!isHeader(header)) throw damaged({ file, line: 1 });
    if (header.version > VERSION) {
      const message = `${file} was written by a later version, in format ${header.version}`;
      throw new UserError({ code: 'state', message, hint: 'run that version, or choose another directory with --state DIR' });
    }
    this.#entries = [checkpoint, ...lines].flat() as E[];
    this.#older = [...header.older, { segment: this.#newest, bytes: bytes.length }];
  }

  /** Returns the newest segments, up to `keptBytes`. */
  #retained(segments: readonly Segment[]): readonly Segment[] {
    const { keptBytes = 64 * MIB } = this.#options;
    let left = keptBytes;
    let first = segments.length;
    while (first > 0) {
      left -= Math.max(segments[first - 1]!.bytes, MIN_BYTES);
      if (left < 0) break;
      first--;
    }
    return segments.slice(first);
  }

  #removeBefore(first: number): void {
    try {
      for (const segment of segmentsIn(this.#disk)) if (segment < first) this.#disk.remove(fileOf(segment));
    } catch (error) {
      if (!(error instanceof DiskError)) throw error; // after a DiskError the next rotation removes them
    }
  }
}

const newestIn = (disk: Disk): number => segmentsIn(disk).at(-1) ?? 0;
const isHeader = (entry: JournalEntry | undefined): entry is Header => entry?.kind === 'journal' && 'version' in entry && 'older' in entry;

const FILE = 'reserve-journal';
const BYTES = 2 ** 20;

/**
 * Disk space reserved for the journal: freed when the disk is full, so that cancels and answers can still be recorded. Nothing is placed meanwhile:
 * `bot/run/state/journal-writer.ts`.
 */
export class JournalReserve {
  readonly #disk: Disk;

  constructor(disk: Disk) {
    this.#disk = disk;
  }

  /** Allocates the space, unless it is allocated already. Returns false if the disk has too little space left. */
  keep(): boolean {
    try {
      if ((this.#disk.size(FILE) ?? 0) < BYTES) this.#disk.replace(FILE, new Uint8Array(BYTES));
      return true;
    } catch (error) {
      if (error instanceof DiskError) return false;
      throw error;
    }
  }

  /** Frees the space. Returns false if none was allocated. */
  free(): boolean {
    try {
      if (this.#disk.size(FILE) === undefined) return false;
      this.#disk.remove(FILE);
      return true;
    } catch (error) {
      if (error instanceof DiskError) return false;
      throw error;
    }
  }
}
