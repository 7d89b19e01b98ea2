// Finds the funding interval from the times of settlements, or the times announced for them.
import { STAMPS_PER_MILLI, type Stamp } from '../../../domain/rows/rows.ts';

/** Every venue pays at least daily: two payments further apart have unrecorded ones between them. */
const LONGEST: Stamp = 24 * 3_600_000 * STAMPS_PER_MILLI;

export interface Payments {
  readonly add: (at: Stamp) => void;
  /** The shortest time between two payments; undefined if no two are at most a day apart. */
  readonly interval: Stamp | undefined;
}

export function createPayments(): Payments {
  let last: Stamp | undefined;
  let least = Number.POSITIVE_INFINITY;
  return {
    add(at) {
      if (last !== undefined && at > last) least = Math.min(least, at - last);
      last = at;
    },
    get interval() {
      return least <= LONGEST ? least : undefined;
    },
  };
}
