// A recorded market: its rows, block by block, and the queue model for our orders.

import type { Millis } from '../../../base/clock.ts';
import { assert } from '../../../base/errors.ts';
import type { Rows, Stamp } from '../../rows/rows.ts';
import type { CandlePathOptions } from './candle-path.ts';
import type { QueueModel } from './queue.ts';

export interface Recording {
  readonly rows: RowFeed;
  readonly queue: QueueModel;
  /** Maximum number of levels per side in the book; fifty by default. */
  readonly depth?: number | undefined;
  /** False if candles of the mark and daily statistics are not needed; only the HTTP API uses them. True by default. */
  readonly statistics?: boolean | undefined;
  /** How candles are played; absent for a recording without candles. */
  readonly candles?: CandlePathOptions | undefined;
  /** Time between two funding payments, to which recorded rates apply. Eight hours by default. */
  readonly fundingInterval?: Millis | undefined;
}

/** Rows of one market, added block by block before exchange time reaches them, and consumed in their order. */
export class RowFeed {
  /** Blocks after the current one. */
  readonly #waiting: Rows[] = [];
  #rows: Rows | undefined;
  #at = 0;
  #covered: Stamp = Number.NEGATIVE_INFINITY;

  /** The block must start no earlier than the last one ended, and may not be changed afterwards. */
  push(rows: Rows): void {
    if (rows.count === 0) return;
    assert(this.#covered < Number.POSITIVE_INFINITY, 'rows after the end');
    assert(rows.times[0]! >= this.#covered, `a row of ${rows.times[0]} after one of ${this.#covered}`);
    this.#covered = rows.times[rows.count - 1]!;
    if (this.#rows === undefined) this.#rows = rows;
    else this.#waiting.push(rows);
  }

  /** Marks all rows before this time as added, also if the last one is much older. */
  cover(until: Stamp): void {
    this.#covered = Math.max(this.#covered, until);
  }

  /** Marks the end: there are no more rows. */
  end(): void {
    this.#covered = Number.POSITIVE_INFINITY;
  }

  /** The time before which all rows are added; more rows of exactly this time may follow. Exchange time must stay before it: see `covers`. */
  get covered(): Stamp {
    return this.#covered;
  }

  /** True if all rows up to `until`, inclusive, are added. Advancing exchange time further is a bug. */
  covers(until: Stamp): boolean {
    return until < this.#covered;
  }

  /** The current block; undefined if all added rows have been consumed. */
  get rows(): Rows | undefined {
    return this.#rows;
  }

  /** The next row of the current block. */
  get at(): number {
    return this.#at;
  }

  /** The time of the next row, or the earliest possible time of a row not added yet; Infinity after the last. */
  get next(): Stamp {
    return this.#rows === undefined ? this.#covered : this.#rows.times[this.#at]!;
  }

  /** Consumes all rows before `at` of the current block. */
  use(at: number): void {
    this.#at = at;
    if (at < this.#rows!.count) return;
    this.#rows = this.#waiting.shift();
    this.#at = 0;
  }
}
