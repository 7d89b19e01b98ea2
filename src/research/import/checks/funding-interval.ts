// Finds the funding interval: the shortest time between two settlements, recorded or announced.
import { STAMPS_PER_MILLI, type Stamp } from '../../../bot/domain/rows/rows.ts';

/** Every venue settles at least daily: if two settlements are further apart, some in between were not recorded. */
const LONGEST: Stamp = 24 * 3_600_000 * STAMPS_PER_MILLI;

export interface FundingIntervalFinder {
  /** Adds the time of a settlement. */
  readonly add: (at: Stamp) => void;
  /** Undefined if no two settlements are at most a day apart. */
  readonly interval: Stamp | undefined;
}

export function createFundingIntervalFinder(): FundingIntervalFinder {
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
