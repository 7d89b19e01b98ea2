// Follows the recording of a run's newest process: each call reads the lines appended since the previous one. `newestRecording` lists its newest files.
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { recordingsIn } from '../../../bot/run/state/turn-recorder.ts';

export interface Tail {
  /** True if these lines are the first ones, or of a new process; they begin with a header. */
  readonly isNew: boolean;
  /** Complete lines, headers of segments included. */
  readonly lines: readonly string[];
}

/** Number of newest segments to read at first; each has about an hour of one market. */
const FIRST_SEGMENTS = 2;
/** At most this many segments are read into memory: one of 8 MiB takes ten times as much there. */
const MAX_SEGMENTS = 8;
const NOTHING: Tail = { isNew: false, lines: [] };

export class RecordingTail {
  readonly #directory: string;
  #process: string | undefined;
  #file: string | undefined;
  #offset = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Returns the lines since the previous call. If the process has ended, an incomplete last gzip member is read as far as possible. */
  read(hasEnded = false): Tail {
    const names = recordingsIn(readdirSync(this.#directory));
    const newest = names.at(-1);
    if (newest === undefined) return NOTHING;
    const isNew = processOf(newest) !== this.#process;
    if (isNew) this.#begin(newest, names);
    const lines: string[] = [];
    for (;;) {
      lines.push(...this.#readAppended(hasEnded));
      const next = names.find((name) => this.#file !== undefined && name > this.#file);
      if (next === undefined) return { isNew, lines };
      this.#open(next);
    }
  }

  /** Begins with the newest segments of a new process. */
  #begin(newest: string, names: readonly string[]): void {
    this.#process = processOf(newest);
    const segments = names.filter((name) => processOf(name) === this.#process);
    this.#open(segments.slice(-FIRST_SEGMENTS)[0]);
  }

  #open(file: string | undefined): void {
    this.#file = file;
    this.#offset = 0;
  }

  /** Reads what was appended to the current segment. */
  #readAppended(hasEnded: boolean): readonly string[] {
    if (this.#file === undefined) return [];
    const bytes = bytesFrom(join(this.#directory, this.#file), this.#offset);
    if (bytes.length === 0) return [];
    try {
      const text = gunzipSync(bytes, hasEnded ? { finishFlush: constants.Z_SYNC_FLUSH } : {}).toString();
      this.#offset += bytes.length;
      const lines = text.split('\n');
      lines.pop();
      return lines;
    } catch {
      return []; // an incomplete gzip member is read by the next call
    }
  }
}

/** Returns the newest files of a run's newest process, oldest first, at most MAX_SEGMENTS. */
export function newestRecording(directory: string): readonly string[] {
  const names = recordingsIn(readdirSync(directory));
  const newest = names.at(-1);
  const own = newest === undefined ? [] : names.filter((name) => processOf(name) === processOf(newest));
  return own.slice(-MAX_SEGMENTS).map((name) => join(directory, name));
}

/** Returns the part of a file name that identifies the process: `turns-20260105T120000000Z` of `turns-20260105T120000000Z-000001.jsonl.gz`. */
const processOf = (name: string): string => name.replace(/-\d+\.jsonl\.gz$/, '');

function bytesFrom(file: string, offset: number): Buffer {
  const descriptor = openSync(file, 'r');
  try {
    const bytes = Buffer.alloc(Math.max(0, fstatSync(descriptor).size - offset));
    return bytes.subarray(0, readSync(descriptor, bytes, 0, bytes.length, offset));
  } finally {
    closeSync(descriptor);
  }
}
