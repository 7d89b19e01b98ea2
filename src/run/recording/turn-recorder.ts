// A recording on disk: segments of gzip members, each member of whole lines, so that a crash costs the last member alone and no file grows without bound.
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, gzipSync } from 'node:zlib';
import type { Clock, Millis } from '../../base/clock.ts';
import { type Disk, DiskError } from '../../base/disk.ts';

/** So much, or what came in so long, is kept in memory before it is written. */
const MEMBER_CHARACTERS = 128 * 1024;
const MEMBER_SPAN: Millis = 2_000;
const MIB = 2 ** 20;
/** After so much a segment is left for the next. */
const SEGMENT_BYTES = 8 * MIB;
/** Of all recordings together, that of the living process too; the oldest segments go first. The journal keeps what a start needs. */
const KEPT_BYTES = 256 * MIB;
/** After a failure nothing is recorded for so long. */
const PAUSE_AFTER_FAILURE: Millis = 60_000;
/** A longer line is none of ours. */
const LONGEST_LINE = 64 * MIB;
const RECORDING = /^turns-.*\.jsonl\.gz$/;

export interface Recorder {
  /** One line, without its end. The first is the head: every segment begins with it. */
  readonly record: (text: string) => void;
  readonly close: () => void;
}

export interface RecorderOptions {
  /** What the names of its segments begin with. They are numbered from 1; a number that is left out says that lines were lost there. */
  readonly name: string;
  readonly clock: Clock;
  readonly segmentBytes?: number;
  readonly keptBytes?: number;
}

/** A disk that does not take it interrupts the recording, and nothing else: it is for looking back, and what is at stake is in the journal. */
export function openRecorder(disk: Disk, options: RecorderOptions): Recorder {
  const writer = new SegmentWriter(disk, options);
  return { record: (text) => writer.record(text), close: () => writer.write() };
}

class SegmentWriter {
  readonly #disk: Disk;
  readonly #options: RecorderOptions;
  #head: string | undefined;
  #lines: string[] = [];
  #characters = 0;
  #since: Millis = 0;
  #segment = 1;
  #bytes = 0;
  #pausedUntil: Millis = 0;

  constructor(disk: Disk, options: RecorderOptions) {
    this.#disk = disk;
    this.#options = options;
  }

  record(text: string): void {
    const now = this.#options.clock.now();
    if (now < this.#pausedUntil) return;
    if (this.#lines.length === 0) this.#since = now;
    if (this.#head === undefined) this.#head = text;
    else if (this.#bytes === 0 && this.#lines.length === 0 && this.#segment > 1) this.#add(this.#head);
    this.#add(text);
    if (this.#characters >= MEMBER_CHARACTERS || now - this.#since >= MEMBER_SPAN) this.write();
  }

  write(): void {
    if (this.#lines.length === 0) return;
    const member = gzipSync(`${this.#lines.join('\n')}\n`, { level: constants.Z_BEST_SPEED });
    [this.#lines, this.#characters] = [[], 0];
    try {
      this.#disk.append(`${this.#options.name}-${String(this.#segment).padStart(6, '0')}.jsonl.gz`, member);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      return this.#interrupt(error);
    }
    this.#bytes += member.length;
    if (this.#bytes >= (this.#options.segmentBytes ?? SEGMENT_BYTES)) this.#next();
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
  }

  #next(): void {
    this.#segment += 1;
    this.#bytes = 0;
    removeOldRecordings(this.#disk, this.#options.keptBytes);
  }

  /** Nothing can be read after half a member. On a full disk the journal needs the room more than what was recorded long ago. */
  #interrupt({ kind }: DiskError): void {
    this.#segment += 2;
    this.#bytes = 0;
    this.#pausedUntil = this.#options.clock.now() + PAUSE_AFTER_FAILURE;
    if (kind === 'full') removeOldRecordings(this.#disk, (this.#options.keptBytes ?? KEPT_BYTES) / 2);
  }
}

/** The files of all recordings, oldest first: names sort by when their process began, then by segment. */
export const recordingsIn = (names: readonly string[]): readonly string[] => names.filter((name) => RECORDING.test(name)).sort();

/**
 * Keeps the newest segments, as many as there is room for. One that cannot be looked at or removed is set aside: it is told in a sentence, and hinders
 * nothing.
 */
export function removeOldRecordings(disk: Disk, keptBytes = KEPT_BYTES): readonly string[] {
  const told: string[] = [];
  let left = keptBytes;
  for (const file of recordingsIn(disk.list()).toReversed()) {
    try {
      if (left >= 0) left -= disk.size(file) ?? 0;
      if (left < 0) disk.remove(file);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      told.push(`the recording ${file} is left as it is: ${error.message}`);
    }
  }
  return told;
}

/**
 * The lines of one segment, read as they are wanted: memory does not grow with the file. A last member that a crash cut off is left out. Throws where
 * the file cannot be read, or is no recording from some place on; lines before that may have been yielded then.
 */
export async function* readRecording(file: string): AsyncGenerator<string, void> {
  const text = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  const source = createReadStream(file);
  const read = pipeline(source, text);
  read.catch(() => undefined); // it is thrown below as well, where the lines are read
  const decoder = new TextDecoder();
  let rest = '';
  try {
    for await (const chunk of text) {
      const parts = `${rest}${decoder.decode(chunk as Buffer, { stream: true })}`.split('\n');
      rest = parts.pop() ?? '';
      if (rest.length > LONGEST_LINE) throw new Error(`a line is longer than ${LONGEST_LINE / MIB} MiB`);
      yield* parts;
    }
  } finally {
    source.destroy();
    text.destroy();
  }
}
