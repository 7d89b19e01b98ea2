// Log files of bounded size: a full one becomes the file of before, and the one before that goes.
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const MOST_BYTES = 8 * 2 ** 20;
const PRIVATE = 0o600;

export interface LogFile {
  readonly descriptor: number;
  close(): void;
}

/** Opened to append; what is too large already is set aside as `FILE.1`. Undefined where it cannot be opened: a log hinders nothing. */
export function openLogFile(file: string, most = MOST_BYTES): LogFile | undefined {
  try {
    let descriptor = openSync(file, 'a', PRIVATE);
    if (fstatSync(descriptor).size >= most) {
      closeSync(descriptor);
      renameSync(file, `${file}.1`);
      descriptor = openSync(file, 'a', PRIVATE);
    }
    return { descriptor, close: () => closeSync(descriptor) };
  } catch {
    return undefined;
  }
}

/** For a log that is written for as long as the process lives. Lines that the disk does not take are lost. */
export function boundedLog(file: string, most = MOST_BYTES): { write(line: string): void } {
  let log = openLogFile(file, most);
  let bytes = log === undefined ? 0 : fstatSync(log.descriptor).size;
  return {
    write(line) {
      try {
        if (log === undefined || bytes + line.length > most) {
          log?.close();
          log = openLogFile(file, log === undefined ? most : 0);
          bytes = log === undefined ? 0 : fstatSync(log.descriptor).size;
        }
        if (log !== undefined) bytes += writeSync(log.descriptor, line);
      } catch {
        // the disk is full, or the file is gone
      }
    },
  };
}
