// Reads the recording of a run's newest process while it grows: what was appended since the last call.
import { closeSync, fstatSync, openSync, readdirSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { constants, gunzipSync } from 'node:zlib';
import { recordingsIn } from '../../run/recording/turn-recorder.ts';

export interface Tail {
  /** True if these lines are of another process than those before, or the first: a header comes first. */
  readonly isNew: boolean;
  /** Complete lines, headers of segments included. */
  readonly lines: readonly string[];
}

/** How many segments are read at first: about an hour of one market each. */
const FIRST_SEGMENTS = 2;
/** Segments of 8 MiB, which are ten times as large in memory. */
const MOST_SEGMENTS = 8;
const NOTHING: Tail = { isNew: false, lines: [] };

export class RecordingTail {
  readonly #directory: string;
  #process: string | undefined;
  #file: string | undefined;
  #offset = 0;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** `isOver`: no process writes it any more, so that a last member that was cut off is read as far as it goes. */
  read(isOver = false): Tail {
    const names = recordingsIn(readdirSync(this.#directory));
    const newest = names.at(-1);
    if (newest === undefined) return NOTHING;
    const isNew = processOf(newest) !== this.#process;
    if (isNew) this.#begin(newest, names);
    const lines: string[] = [];
    for (;;) {
      lines.push(...this.#more(isOver));
      const next = names.find((name) => this.#file !== undefined && name > this.#file);
      if (next === undefined) return { isNew, lines };
      [this.#file, this.#offset] = [next, 0];
    }
  }

  #begin(newest: string, names: readonly string[]): void {
    this.#process = processOf(newest);
    const segments = names.filter((name) => processOf(name) === this.#process);
    [this.#file, this.#offset] = [segments.slice(-FIRST_SEGMENTS)[0], 0];
  }

  #more(isOver: boolean): readonly string[] {
    if (this.#file === undefined) return [];
    const bytes = bytesFrom(join(this.#directory, this.#file), this.#offset);
    if (bytes.length === 0) return [];
    try {
      const text = gunzipSync(bytes, isOver ? { finishFlush: constants.Z_SYNC_FLUSH } : {}).toString();
      this.#offset += bytes.length;
      const lines = text.split('\n');
      lines.pop();
      return lines;
    } catch {
      return []; // a member is being written: it is read with the next call
    }
  }
}

/** The files of the newest process of a run, oldest first, and no more of them than memory holds. */
export function newestRecording(directory: string): readonly string[] {
  const names = recordingsIn(readdirSync(directory));
  const newest = names.at(-1);
  const own = newest === undefined ? [] : names.filter((name) => processOf(name) === processOf(newest));
  return own.slice(-MOST_SEGMENTS).map((name) => join(directory, name));
}

/** `turns-20260105T120000000Z-000001.jsonl.gz` without the number of its segment. */
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
