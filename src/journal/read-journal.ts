// A journal as anybody may look at it, while its run goes on or long after: all that its segments still tell, in the order in which it was written.
import type { Disk } from '../base/disk.ts';
import { UserError } from '../base/errors.ts';
import { type Entry, fileOf, readLines, segmentsIn } from './segment.ts';

export interface Look<E extends Entry> {
  readonly entries: readonly E[];
  /** What could not be read, and why. */
  readonly damage: readonly string[];
}

/** A segment begins with what those before it came to: that is left out but for the oldest. */
export function lookAt<E extends Entry>(disk: Disk): Look<E> {
  const entries: Entry[] = [];
  const damage: string[] = [];
  let complete = false;
  for (const file of segmentsIn(disk).map(fileOf)) {
    try {
      const [head = [], ...lines] = readLines(disk.read(file) ?? new Uint8Array(), file);
      entries.push(...(complete ? [] : head.slice(1)), ...lines.flat());
      complete = true;
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      damage.push(error.message);
      complete = false;
    }
  }
  return { entries: entries as E[], damage };
}
