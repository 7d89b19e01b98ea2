// A recording on disk: gzip members one after the other, each of whole lines, so that a crash costs the last one alone.
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { constants, gunzipSync, gzipSync } from 'node:zlib';

/** Characters that are kept in memory before they are written: a few seconds of a run. */
const MEMBER = 128 * 1024;

export interface Recorder {
  /** One line, without its end. */
  readonly record: (text: string) => void;
  readonly close: () => void;
}

export function openRecorder(file: string): Recorder {
  const descriptor = openSync(file, 'w', 0o600);
  let lines: string[] = [];
  let kept = 0;
  const write = (): void => {
    if (lines.length > 0) writeSync(descriptor, gzipSync(`${lines.join('\n')}\n`, { level: constants.Z_BEST_SPEED }));
    [lines, kept] = [[], 0];
  };
  return {
    record(text) {
      lines.push(text);
      kept += text.length;
      if (kept >= MEMBER) write();
    },
    close() {
      write();
      closeSync(descriptor);
    },
  };
}

/** The lines of a recording; a last member that a crash cut off is left out. */
export function readRecording(file: string): readonly string[] {
  const text = gunzipSync(readFileSync(file), { finishFlush: constants.Z_SYNC_FLUSH }).toString('utf8');
  return text.slice(0, text.lastIndexOf('\n')).split('\n');
}
