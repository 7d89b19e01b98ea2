// Log files of bounded size: a full file is renamed to FILE.1 and replaces the previous FILE.1.
import { closeSync, fstatSync, openSync, renameSync, writeSync } from 'node:fs';

const MAX_BYTES = 8 * 2 ** 20;
const PRIVATE = 0o600;

export interface LogFile {
  readonly descriptor: number;
  close(): void;
}

/** Opens the file for appending; a file of at least `max` bytes is renamed to `FILE.1` first. Undefined if it cannot be opened. */
export function openLogFile(file: string, max = MAX_BYTES): LogFile | undefined {
  try {
    let descriptor = openSync(file, 'a', PRIVATE);
    if (fstatSync(descriptor).size >= max) {
      closeSync(descriptor);
      renameSync(file, `${file}.1`);
      descriptor = openSync(file, 'a', PRIVATE);
    }
    return { descriptor, close: () => closeSync(descriptor) };
  } catch {
    return undefined;
  }
}

/** A log that stays open while the process runs. Lines that cannot be written are lost. */
export function boundedLog(file: string, max = MAX_BYTES): { write(line: string): void } {
  let log = openLogFile(file, max);
  let bytes = log === undefined ? 0 : fstatSync(log.descriptor).size;
  return {
    write(line) {
      try {
        if (log === undefined || bytes + line.length > max) {
          log?.close();
          log = openLogFile(file, log === undefined ? max : 0);
          bytes = log === undefined ? 0 : fstatSync(log.descriptor).size;
        }
        if (log !== undefined) bytes += writeSync(log.descriptor, line);
      } catch {
        // the disk is full, or the file was removed
      }
    },
  };
}
