// A recording of turns on disk: segments of gzip members of complete lines. A crash loses only the last member, and no file grows without bound.
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { constants, createGunzip, gzipSync } from 'node:zlib';
import type { Clock, Millis } from '../../../base/clock.ts';
import { type Disk, DiskError } from '../../../base/files/disk.ts';
import { timeText } from '../../../base/text/duration.ts';

/** Lines are kept in memory until there is this much of them, or for this long. */
const MEMBER_CHARACTERS = 128 * 1024;
const MEMBER_SPAN: Millis = 2_000;
const MIB = 2 ** 20;
/** Size at which a new segment begins. */
const SEGMENT_BYTES = 8 * MIB;
/** Maximum size of all recordings together, the current one included. The oldest segments are removed first. A start needs only the journal. */
const KEPT_BYTES = 256 * MIB;
/** Recording pauses for this long after a failure. */
const PAUSE_AFTER_FAILURE: Millis = 60_000;
/** Maximum length of a line; a file with a longer one is not a recording. */
const LONGEST_LINE = 64 * MIB;
const RECORDING = /^turns-.*\.jsonl\.gz$/;

export interface Recorder {
  /** Adds a line, without line end. The first is the header, with which every segment begins. */
  readonly record: (text: string) => void;
  /** Interrupts the recording because a line cannot be made of a turn. */
  readonly interrupt: (reason: string) => void;
  /** The newest gap of the recording; undefined if it has none. */
  readonly gap: () => RecordingGap | undefined;
  readonly close: () => void;
}

/** Turns that are missing in a recording. The header of the next segment has it. */
export interface RecordingGap {
  readonly from: Millis;
  /** Undefined while turns are not recorded. */
  readonly to?: Millis | undefined;
  readonly reason: string;
}

export interface RecorderOptions {
  /** Prefix of the segment names. Segments are numbered from 1; a missing number means that lines were lost there. */
  readonly name: string;
  readonly clock: Clock;
  readonly segmentBytes?: number;
  readonly keptBytes?: number;
}

/** Opens a recorder. A disk error interrupts the recording and nothing else: it is for analysis, and the journal has what the run needs. */
export function openRecorder(disk: Disk, options: RecorderOptions): Recorder {
  const writer = new SegmentWriter(disk, options);
  return {
    record: (text) => writer.record(text),
    interrupt: (reason) => writer.interrupt(reason),
    gap: () => writer.gap,
    close: () => writer.write(),
  };
}

class SegmentWriter {
  readonly #disk: Disk;
  readonly #options: RecorderOptions;
  #head: string | undefined;
  /** Lines that were not written yet, and their length. */
  #lines: string[] = [];
  #characters = 0;
  /** The time of the first of them. */
  #since: Millis = 0;
  #segment = 1;
  /** Size of the current segment. */
  #bytes = 0;
  #pausedUntil: Millis = 0;
  gap: RecordingGap | undefined;

  constructor(disk: Disk, options: RecorderOptions) {
    this.#disk = disk;
    this.#options = options;
  }

  record(text: string): void {
    const now = this.#options.clock.now();
    if (now < this.#pausedUntil) return;
    if (this.gap !== undefined && this.gap.to === undefined) this.gap = { ...this.gap, to: now };
    if (this.#lines.length === 0) this.#since = now;
    if (this.#head === undefined) this.#head = text;
    else if (this.#bytes === 0 && this.#lines.length === 0 && this.#segment > 1) this.#add(withGap(this.#head, this.gap));
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
      this.#pause(error.message);
      if (error.kind === 'full') removeOldRecordings(this.#disk, (this.#options.keptBytes ?? KEPT_BYTES) / 2);
      return;
    }
    this.#bytes += member.length;
    if (this.#bytes >= (this.#options.segmentBytes ?? SEGMENT_BYTES)) this.#beginSegment();
  }

  #add(line: string): void {
    this.#lines.push(line);
    this.#characters += line.length;
  }

  #beginSegment(): void {
    this.#segment += 1;
    this.#bytes = 0;
    removeOldRecordings(this.#disk, this.#options.keptBytes);
  }

  /** Ends the segment; the next one comes after a pause. */
  interrupt(reason: string): void {
    if (this.#options.clock.now() < this.#pausedUntil) return;
    this.write();
    this.#pause(reason);
  }

  /** Begins a new segment, as nothing can be read after an incomplete member. On a full disk old recordings make space for the journal. */
  #pause(reason: string): void {
    const now = this.#options.clock.now();
    this.#segment += 2;
    this.#bytes = 0;
    this.#pausedUntil = now + PAUSE_AFTER_FAILURE;
    this.gap = { from: now, reason };
  }
}

/** Returns a gap as text for people. */
export const gapWords = ({ from, to, reason }: RecordingGap): string =>
  `turns ${to === undefined ? `since ${timeText(from)} are` : `from ${timeText(from)} to ${timeText(to)} were`} not recorded: ${reason}`;

const withGap = (head: string, gap: RecordingGap | undefined): string =>
  gap === undefined || !head.endsWith('}') ? head : `${head.slice(0, -1)},"gap":${JSON.stringify(gap)}}`;

/** Returns the files of all recordings, oldest first: names sort by the start of their process, then by segment. */
export const recordingsIn = (names: readonly string[]): readonly string[] => names.filter((name) => RECORDING.test(name)).sort();

/**
 * Keeps the newest segments up to `keptBytes` and removes the others. Returns a sentence for each file that could not be examined or removed; such a
 * file does not stop the removal.
 */
export function removeOldRecordings(disk: Disk, keptBytes = KEPT_BYTES): readonly string[] {
  const problems: string[] = [];
  let left = keptBytes;
  for (const file of recordingsIn(disk.list()).toReversed()) {
    try {
      if (left >= 0) left -= disk.size(file) ?? 0;
      if (left < 0) disk.remove(file);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      problems.push(`the recording ${file} was not removed: ${error.message}`);
    }
  }
  return problems;
}

/**
 * Yields the lines of one segment; memory does not grow with the file. A last member truncated by a crash is left out. Throws if the file cannot be
 * read or is damaged; earlier lines may have been yielded by then.
 */
export async function* readRecording(file: string): AsyncGenerator<string, void> {
  const text = createGunzip({ finishFlush: constants.Z_SYNC_FLUSH });
  const source = createReadStream(file);
  const read = pipeline(source, text);
  read.catch(() => undefined); // also thrown below, where the lines are read
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
