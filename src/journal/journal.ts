// What must not be forgotten, on disk before it is acted on: appended, synced, bounded, and whole after any crash.
import { type Disk, DiskError } from '../base/disk.ts';
import { UserError } from '../base/errors.ts';
import { damaged, type Entry, fileOf, lineOf, readLines, segmentsIn } from './segment.ts';

export interface Journal<E extends Entry> {
  /** What the last process knew: its checkpoint, and all that was appended after. */
  readonly earlier: readonly E[];
  /** Durable when it returns. A DiskError says that it was not, though after a crash it may be found all the same. */
  append(entries: readonly E[]): void;
}

export interface JournalOptions<E extends Entry> {
  /** The same in short: what a later process will need to know of these. It may get its own results again. */
  readonly checkpoint: (entries: readonly E[]) => readonly E[];
  /** How much is appended to one segment: 2 MiB unless told. */
  readonly segmentBytes?: number;
  /** How much of older segments is kept for whoever asks what happened: 64 MiB unless told. */
  readonly keptBytes?: number;
}

const VERSION = 1;
const MIB = 2 ** 20;
/** A small segment counts as so much, so that there are never very many. */
const LEAST_BYTES = 2 ** 16;

interface Segment {
  readonly segment: number;
  readonly bytes: number;
}

/** The first entry of a segment; the checkpoint follows in the same line. */
interface Header extends Entry {
  readonly kind: 'journal';
  readonly version: number;
  readonly segment: number;
  /** The segments before it that are kept, oldest first. */
  readonly older: readonly Segment[];
}

/**
 * Segments are `journal-000001.log` and on. One begins with a checkpoint, made in one piece, and needs none before it; so the newest alone tells
 * everything, and whatever goes wrong with a segment is left behind by beginning the next. Every process begins one.
 * A UserError where the newest is damaged, or of a later version.
 */
export function openJournal<E extends Entry>(disk: Disk, options: JournalOptions<E>): Journal<E> {
  return new SegmentedJournal(disk, options);
}

class SegmentedJournal<E extends Entry> implements Journal<E> {
  readonly earlier: readonly E[];
  readonly #disk: Disk;
  readonly #options: JournalOptions<E>;
  /** All since the last checkpoint, that included. */
  #entries: E[] = [];
  #older: readonly Segment[] = [];
  #newest: number;
  /** The segment to append to, until it has `full` bytes; undefined where the next append has to begin one. */
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
      [this.#older, this.#current] = [this.#behind(), undefined]; // what follows in a file that failed once is never trusted
      if (!(error instanceof DiskError)) throw error;
      return this.#begin(entries);
    }
    current.bytes += line.length;
    this.#entries.push(...entries);
    if (current.bytes >= current.full) this.#rotate();
  }

  /** What was appended is durable already: where no segment can be begun, this one grows. */
  #rotate(): void {
    const current = this.#current;
    try {
      this.#begin([]);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      if (current !== undefined) current.full = current.bytes + this.#segmentBytes / 2;
    }
  }

  /** All of it in one piece, or nothing. */
  #begin(more: readonly E[]): void {
    const checkpoint = this.#entries.length === 0 ? [] : this.#options.checkpoint(this.#entries);
    const older = this.#within(this.#behind());
    for (let segment = this.#newest + 1; ; segment++) {
      const header: Header = { kind: 'journal', version: VERSION, segment, older };
      const content = Buffer.concat([lineOf([header, ...checkpoint]), ...(more.length === 0 ? [] : [lineOf(more)])]);
      const file = fileOf(segment);
      if (!this.#disk.create(file, content)) continue; // one that failed halfway before
      this.#newest = segment;
      this.#current = { file, bytes: content.length, full: content.length + Math.max(this.#segmentBytes, content.length) };
      [this.#entries, this.#older] = [[...checkpoint, ...more], older];
      return this.#removeBefore(older[0]?.segment ?? segment);
    }
  }

  /** All segments so far. */
  #behind(): readonly Segment[] {
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

  /** The newest of them, as many as may be kept. */
  #within(segments: readonly Segment[]): readonly Segment[] {
    const { keptBytes = 64 * MIB } = this.#options;
    let left = keptBytes;
    const from = segments.findLastIndex(({ bytes }) => (left -= Math.max(bytes, LEAST_BYTES)) < 0);
    return segments.slice(from + 1);
  }

  #removeBefore(first: number): void {
    try {
      for (const segment of segmentsIn(this.#disk)) if (segment < first) this.#disk.remove(fileOf(segment));
    } catch (error) {
      if (!(error instanceof DiskError)) throw error; // they are removed another time
    }
  }
}

const newestIn = (disk: Disk): number => segmentsIn(disk).at(-1) ?? 0;
const isHeader = (entry: Entry | undefined): entry is Header => entry?.kind === 'journal' && 'version' in entry && 'older' in entry;
