// A recorded market as it is handed to the exchange: its rows, block by block, and how our orders wait in line.
import { assert } from '../../base/assert.ts';
import type { Millis } from '../../base/clock.ts';
import type { Rows, Stamp } from '../../domain/rows.ts';
import type { QueueModel } from './queue.ts';

export interface Recording {
  readonly rows: RowFeed;
  readonly queue: QueueModel;
  /** Levels a side that the book shows; fifty unless said. */
  readonly depth?: number | undefined;
  /** Between two payments of funding: recorded rates are for so long. Eight hours unless said. */
  readonly fundingInterval?: Millis | undefined;
}

/** Rows of one market, handed over block by block before exchange time reaches them, and used up in their order. */
export class RowFeed {
  /** Those after the one in use. */
  readonly #waiting: Rows[] = [];
  #rows: Rows | undefined;
  #at = 0;
  #covered: Stamp = Number.NEGATIVE_INFINITY;

  /** The block must begin no earlier than the last one ended, and may not be changed any more. */
  push(rows: Rows): void {
    if (rows.count === 0) return;
    assert(this.#covered < Number.POSITIVE_INFINITY, 'rows after the end');
    assert(rows.times[0]! >= this.#covered, `a row of ${rows.times[0]} after one of ${this.#covered}`);
    this.#covered = rows.times[rows.count - 1]!;
    if (this.#rows === undefined) this.#rows = rows;
    else this.#waiting.push(rows);
  }

  /** There are no more. */
  end(): void {
    this.#covered = Number.POSITIVE_INFINITY;
  }

  /** All rows before this are here; some of this very time may still come. Exchange time must stay before it: see `covers`. */
  get covered(): Stamp {
    return this.#covered;
  }

  /** Whether all rows until then, inclusive, are here. Exchange time that goes further is an error of the program. */
  covers(until: Stamp): boolean {
    return until < this.#covered;
  }

  /** The block in use; undefined where all that was handed over has been used. */
  get rows(): Rows | undefined {
    return this.#rows;
  }

  /** The next row to be used of the block in use. */
  get at(): number {
    return this.#at;
  }

  /** When the next row is, or can be at the earliest while it is not here; Infinity after the last. */
  get next(): Stamp {
    return this.#rows === undefined ? this.#covered : this.#rows.times[this.#at]!;
  }

  /** All rows before `at` of the block in use have been used. */
  use(at: number): void {
    this.#at = at;
    if (at < this.#rows!.count) return;
    this.#rows = this.#waiting.shift();
    this.#at = 0;
  }
}
