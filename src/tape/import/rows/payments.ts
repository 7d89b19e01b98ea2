// How often funding is paid, from the times at which it was, or was said to be due.
import { STAMPS_PER_MILLI, type Stamp } from '../../../domain/rows.ts';

/** Every venue pays daily at least: payments further apart have others between them that nobody told of. */
const LONGEST: Stamp = 24 * 3_600_000 * STAMPS_PER_MILLI;

export interface Payments {
  readonly add: (at: Stamp) => void;
  /** The least time from one to the next; undefined where no two are a day apart or less. */
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
