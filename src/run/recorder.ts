// A recording on disk: gzip members one after the other, each of whole lines, so that a crash costs the last one alone.
import { readFileSync } from 'node:fs';
import { constants, gunzipSync, gzipSync } from 'node:zlib';
import type { Clock, Millis } from '../base/clock.ts';
import { type Disk, DiskError } from '../base/disk.ts';

/** So much, or what came in so long, is kept in memory before it is written. */
const MEMBER_CHARACTERS = 128 * 1024;
const MEMBER_SPAN: Millis = 2_000;
/** Of all recordings of earlier processes together; the oldest go first. */
const KEPT_BYTES = 64 * 2 ** 20;
const RECORDING = /^turns-.*\.jsonl\.gz$/;

export interface Recorder {
  /** One line, without its end. */
  readonly record: (text: string) => void;
  readonly close: () => void;
}

/** A disk that does not take it ends the recording, and nothing else: it is for looking back, and what is at stake is in the journal. */
export function openRecorder(disk: Disk, { file, clock }: { file: string; clock: Clock }): Recorder {
  let lines: string[] = [];
  let characters = 0;
  let since: Millis = clock.now();
  let broken = false;
  const write = (): void => {
    if (lines.length === 0) return;
    const member = gzipSync(`${lines.join('\n')}\n`, { level: constants.Z_BEST_SPEED });
    [lines, characters] = [[], 0];
    try {
      disk.append(file, member);
    } catch (error) {
      if (!(error instanceof DiskError)) throw error;
      broken = true; // nothing can be read after half a member
    }
  };
  return {
    record(text) {
      if (broken) return;
      if (lines.length === 0) since = clock.now();
      lines.push(text);
      characters += text.length;
      if (characters >= MEMBER_CHARACTERS || clock.now() - since >= MEMBER_SPAN) write();
    },
    close: write,
  };
}

/** Keeps the newest recordings, as many as there is room for. Names sort by when their process began. */
export function removeOldRecordings(disk: Disk, keptBytes = KEPT_BYTES): void {
  let left = keptBytes;
  for (const file of disk
    .list()
    .filter((name) => RECORDING.test(name))
    .reverse()) {
    if (left >= 0) left -= disk.read(file)?.length ?? 0;
    if (left < 0) disk.remove(file);
  }
}

/** The lines of a recording; a last member that a crash cut off is left out. */
export function readRecording(file: string): readonly string[] {
  const text = gunzipSync(readFileSync(file), { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8');
  return text.slice(0, text.lastIndexOf('\n')).split('\n');
}
