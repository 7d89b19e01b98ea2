// What arrives nearly in order of time, put into order: each is held back until nothing older can be expected.
import { assert } from '../base/assert.ts';
import { Heap } from '../base/heap.ts';
import type { Stamp } from '../domain/rows.ts';

/** Held back at most, whatever the times: some 100 MB of rows. Beyond it the oldest go out early. */
const MOST_HELD = 1 << 20;

interface Timed {
  readonly time: Stamp;
}

export interface SorterOptions<T extends Timed> {
  /** How much later than a younger one something may arrive, in exchange time. */
  readonly window: Stamp;
  /** Of the newest one that was let out before the sorter was there: what is older is late. */
  readonly after?: Stamp | undefined;
  /** Which of two of one time comes first, as of `toSorted`; the one that came first unless told. */
  readonly rank?: ((a: T, b: T) => number) | undefined;
  /** Takes all in order. */
  readonly out: (item: T) => void;
  /** Is asked about what is `behind` the newest one that is out, and says what is let in for it, which may not be behind; undefined: nothing. */
  readonly late: (item: T, behind: Stamp) => T | undefined;
  readonly mostHeld?: number;
}

export interface Sorter<T> {
  /** It is kept as it is: whoever added it may not change it. */
  add(item: T): void;
  /** Lets out what is held back. */
  end(): void;
  readonly held: number;
  /** The latest time that was let in; -Infinity before the first. */
  readonly newest: Stamp;
}

export function createSorter<T extends Timed>({
  window,
  after = Number.NEGATIVE_INFINITY,
  rank,
  out,
  late,
  mostHeld = MOST_HELD,
}: SorterOptions<T>): Sorter<T> {
  assert(window >= 0 && mostHeld >= 0, 'a sorter holds back a span of time, and a number of things');
  const held = new Heap<T>((a, b) => a.time - b.time || (rank?.(a, b) ?? 0));
  let newest = Number.NEGATIVE_INFINITY;
  let newestOut = after;

  const letOut = (until: (oldest: T) => boolean): void => {
    for (let item = held.peek(); item !== undefined && until(item); item = held.peek()) {
      held.pop();
      newestOut = item.time;
      out(item);
    }
  };
  return {
    add(item) {
      const known = item.time < newestOut ? late(item, newestOut - item.time) : item;
      if (known === undefined) return;
      assert(known.time >= newestOut, `what is let in is still ${newestOut - known.time} late`);
      held.push(known);
      newest = Math.max(newest, known.time);
      letOut(({ time }) => newest - time > window || held.size > mostHeld);
    },
    end: () => letOut(() => true),
    get held() {
      return held.size;
    },
    get newest() {
      return newest;
    },
  };
}
