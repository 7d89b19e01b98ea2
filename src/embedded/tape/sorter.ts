// Sorts items that arrive nearly in order of time, by holding each back until no older one is expected.

import { Heap } from '../../base/collections/heap.ts';
import { assert } from '../../base/errors.ts';
import type { Stamp } from '../rows/rows.ts';

/** Maximum number of items held back, about 100 MB of rows. If there are more, the oldest are emitted early. */
const MAX_HELD = 1 << 20;

interface Timed {
  readonly time: Stamp;
}

export interface SorterOptions<T extends Timed> {
  /** How far behind the newest item another may arrive without being late, in exchange time. */
  readonly window: Stamp;
  /** Time of the newest item emitted before this sorter was created: older items are late. */
  readonly after?: Stamp | undefined;
  /** Compares two items of equal time, as in `toSorted`. By default they keep their order of arrival. */
  readonly rank?: ((a: T, b: T) => number) | undefined;
  /** Receives all items in order. */
  readonly out: (item: T) => void;
  /** Called for an item that is late by `behind`. Returns a replacement that is not late, or undefined to drop the item. */
  readonly late: (item: T, behind: Stamp) => T | undefined;
  readonly mostHeld?: number;
}

export interface Sorter<T> {
  /** Adds an item, which must not be changed afterwards. */
  add(item: T): void;
  /** Emits all items up to this time, inclusive. From then on, an item of this time or an earlier one is late. */
  release(until: Stamp): void;
  /** Emits all items that are held back. */
  end(): void;
  readonly held: number;
  /** The latest time added; -Infinity before the first item. */
  readonly newest: Stamp;
}

export function createSorter<T extends Timed>({
  window,
  after = Number.NEGATIVE_INFINITY,
  rank,
  out,
  late,
  mostHeld = MAX_HELD,
}: SorterOptions<T>): Sorter<T> {
  assert(window >= 0 && mostHeld >= 0, 'a window and a maximum of 0 or more are needed');
  const held = new Heap<T>((a, b) => a.time - b.time || (rank?.(a, b) ?? 0));
  let newest = Number.NEGATIVE_INFINITY;
  let newestOut = after;

  const emitWhile = (isDue: (oldest: T) => boolean): void => {
    for (let item = held.peek(); item !== undefined && isDue(item); item = held.peek()) {
      held.pop();
      newestOut = item.time;
      out(item);
    }
  };
  return {
    add(item) {
      const accepted = item.time < newestOut ? late(item, newestOut - item.time) : item;
      if (accepted === undefined) return;
      assert(accepted.time >= newestOut, `the replacement of a late item is still ${newestOut - accepted.time} late`);
      held.push(accepted);
      newest = Math.max(newest, accepted.time);
      emitWhile(({ time }) => newest - time > window || held.size > mostHeld);
    },
    release(until) {
      emitWhile(({ time }) => time <= until);
      newestOut = Math.max(newestOut, until + 1);
    },
    end: () => emitWhile(() => true),
    get held() {
      return held.size;
    },
    get newest() {
      return newest;
    },
  };
}
