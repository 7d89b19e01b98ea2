// Finds missing times in a series that should be evenly spaced.
import type { Stamp } from '../../../embedded/rows/rows.ts';

export interface RegularityChecks {
  readonly count: number;
  readonly first?: Stamp | undefined;
  readonly last?: Stamp | undefined;
  readonly missing: number;
  /** The first missing times. */
  readonly missingAt: readonly Stamp[];
}

export interface Regularity {
  /** Adds a time. Returns false if it repeats the last one. */
  add(stamp: Stamp): boolean;
  checks(): RegularityChecks;
}

const MAX_SHOWN = 20;

/** `spacing`: the expected time between two. Default: the shortest one so far, because exchanges that changed their interval shortened it. */
export function createRegularity(spacing = Number.POSITIVE_INFINITY): Regularity {
  let count = 0;
  let first: Stamp | undefined;
  let last: Stamp | undefined;
  let expected = spacing;
  let missing = 0;
  const missingAt: Stamp[] = [];
  return {
    add(stamp) {
      if (stamp === last) return false;
      if (last !== undefined) {
        expected = Math.min(expected, stamp - last);
        for (let absent = last + expected; absent < stamp; absent += expected) {
          missing += 1;
          if (missingAt.length < MAX_SHOWN) missingAt.push(absent);
        }
      }
      first ??= stamp;
      last = stamp;
      count += 1;
      return true;
    },
    checks: () => ({ count, first, last, missing, missingAt }),
  };
}
