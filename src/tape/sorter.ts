// Rows that arrive nearly in order of time, put into order: each is held back until nothing older can be expected.
import { assert } from '../base/assert.ts';
import { UserError } from '../base/errors.ts';
import { Heap } from '../base/heap.ts';
import type { Row } from '../domain/row-builder.ts';
import type { Stamp } from '../domain/rows.ts';

/** Rows held back at most, whatever their times: some 100 MB. Beyond it the oldest go out early. */
const MOST_HELD = 1 << 20;

export interface SorterOptions {
  /** How much later than a younger row a row may arrive, in exchange time. */
  readonly window: Stamp;
  /** Takes the rows in order of time; those of one time in the order in which they came. */
  readonly out: (row: Row) => void;
  /** What to do with a row that is `behind` the newest one that is out; by default it stops the work. It is never let out. */
  readonly late?: (row: Row, behind: Stamp) => void;
  readonly mostHeld?: number;
}

export interface Sorter {
  /** The row is kept as it is: whoever added it may not change it. */
  add(row: Row): void;
  /** Lets out what is held back. */
  end(): void;
  readonly held: number;
}

export function createSorter({ window, out, late = tooLate(window), mostHeld = MOST_HELD }: SorterOptions): Sorter {
  assert(window >= 0 && mostHeld >= 0, 'a sorter holds back a span of time, and a number of rows');
  const held = new Heap<Row>((a, b) => a.time - b.time);
  let newest = Number.NEGATIVE_INFINITY;
  let newestOut = Number.NEGATIVE_INFINITY;

  const letOut = (until: (oldest: Row) => boolean): void => {
    for (let row = held.peek(); row !== undefined && until(row); row = held.peek()) {
      held.pop();
      newestOut = row.time;
      out(row);
    }
  };
  return {
    add(row) {
      if (row.time < newestOut) return late(row, newestOut - row.time);
      held.push(row);
      newest = Math.max(newest, row.time);
      letOut(({ time }) => newest - time > window || held.size > mostHeld);
    },
    end: () => letOut(() => true),
    get held() {
      return held.size;
    },
  };
}

const tooLate =
  (window: Stamp) =>
  ({ time }: Row, behind: Stamp): never => {
    throw new UserError({
      code: 'tape',
      message: `a row of ${new Date(time / 1000).toISOString()} arrived ${behind / 1e6} s after its turn; ${window / 1e6} s of disorder are put right`,
      hint: 'check that the files are given in order of time, and are of one market',
    });
  };
