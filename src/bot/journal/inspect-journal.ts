// Reads a journal for inspection, during its run or later: all entries of the kept segments, in the order of writing.

import { UserError } from '../../base/errors.ts';
import type { Disk } from '../../base/files/disk.ts';
import { type Entry, fileOf, readLines, segmentsIn } from './segment.ts';

export interface JournalContents<E extends Entry> {
  readonly entries: readonly E[];
  /** What could not be read, and why. */
  readonly damage: readonly string[];
}

/** Reads all segments. Omits the checkpoints at their beginnings, except that of the oldest segment and that of one after a damaged segment. */
export function readJournal<E extends Entry>(disk: Disk): JournalContents<E> {
  const entries: Entry[] = [];
  const damage: string[] = [];
  let hasPredecessor = false;
  for (const file of segmentsIn(disk).map(fileOf)) {
    try {
      const [head = [], ...lines] = readLines(disk.read(file) ?? new Uint8Array(), file);
      entries.push(...(hasPredecessor ? [] : head.slice(1)), ...lines.flat());
      hasPredecessor = true;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      damage.push(error.message);
      hasPredecessor = false;
    }
  }
  return { entries: entries as E[], damage };
}
