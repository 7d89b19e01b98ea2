// The recorder's latency (receive time minus exchange time of its rows), looked up by exchange time.

import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Rng } from '../../base/rng.ts';
import { KIND_BITS, ROW, type Rows, STAMPS_PER_MILLI, type Stamp } from '../rows/rows.ts';
import type { Lags } from './latency.ts';

/** A lag is drawn from this many rows, up to the current one. */
const DRAWN_ROWS = 1_000;

type Columns = Pick<Rows, 'count' | 'times' | 'lags'>;

export interface RecordedLagsOptions {
  /** Lag of the recorder's clock behind the exchange's, added to each latency; default 0. */
  readonly clockBehind?: Millis | undefined;
  /** True for a polled tape: its trades were received at the next poll, not when an answer arrived, so their lags are ignored. */
  readonly polled?: boolean | undefined;
}

/** Rows are added in blocks of any size before they are looked up. Old blocks are dropped, because time only moves forward. */
export class RecordedLags implements Lags {
  readonly #blocks: Columns[] = [];
  readonly #clockBehind: Millis;
  readonly #polled: boolean;
  /** The index of the current block. */
  #current = 0;
  /** The number of kept rows before the current block. */
  #rowsBefore = 0;

  constructor({ clockBehind = 0, polled = false }: RecordedLagsOptions = {}) {
    this.#clockBehind = clockBehind;
    this.#polled = polled;
  }

  push(rows: Rows): void {
    const block = this.#polled ? withoutTrades(rows) : rows;
    if (block.count > 0) this.#blocks.push(block);
  }

  at(now: Millis): Millis {
    const index = this.#seek(now * STAMPS_PER_MILLI);
    return this.#lag(this.#current, index);
  }

  draw(now: Millis, rng: Rng): Millis {
    const index = this.#seek(now * STAMPS_PER_MILLI);
    let back = rng.below(Math.min(DRAWN_ROWS, this.#rowsBefore + index + 1));
    let block = this.#current;
    let last = index;
    while (back > last) {
      back -= last + 1;
      block -= 1;
      last = this.#blocks[block]!.count - 1;
    }
    return this.#lag(block, last - back);
  }

  #lag(block: number, index: number): Millis {
    return this.#blocks[block]!.lags[index]! / STAMPS_PER_MILLI + this.#clockBehind;
  }

  /** Makes the block of the last row that is not later than `now` the current one, and returns that row; the first row if all are later. */
  #seek(now: Stamp): number {
    while (this.#current + 1 < this.#blocks.length && this.#blocks[this.#current + 1]!.times[0]! <= now) {
      this.#rowsBefore += this.#blocks[this.#current]!.count;
      this.#current += 1;
    }
    while (this.#current > 0 && this.#rowsBefore - this.#blocks[0]!.count >= DRAWN_ROWS) {
      this.#rowsBefore -= this.#blocks.shift()!.count;
      this.#current -= 1;
    }
    const { count, times } = this.#blocks[this.#current]!;
    let low = 0;
    let high = count - 1;
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (times[middle]! <= now) low = middle;
      else high = middle - 1;
    }
    return low;
  }
}

/** Copies the times and lags of all rows but those of trades. */
function withoutTrades({ count, codes, times, lags }: Rows): Columns {
  const kept = [...codes.subarray(0, count).keys()].filter((row) => (codes[row]! & KIND_BITS) !== ROW.trade);
  return {
    count: kept.length,
    times: Float64Array.from(kept, (row) => times[row]!),
    lags: Float64Array.from(kept, (row) => lags[row]!),
  };
}

interface Readable {
  readonly header: { readonly books: string };
  blocks(): AsyncIterable<Rows>;
  release?(rows: Rows): void;
}

/**
 * Returns how far the recorder's clock was at least behind the exchange's, in milliseconds. No row is received before it happens, so a negative lag is a
 * difference of the clocks. Reads all rows, holding one block at a time. Throws a UserError `latency` if all lags are 0 and the tape was not polled: it
 * then has no receive times.
 */
export async function clockBehindOf(recording: Readable): Promise<Millis> {
  let least: Stamp = 0;
  let most: Stamp = 0;
  for await (const rows of recording.blocks()) {
    for (let row = 0; row < rows.count; row++) {
      const lag = rows.lags[row]!;
      if (lag < least) least = lag;
      else if (lag > most) most = lag;
    }
    recording.release?.(rows);
  }
  if (least < 0 || most > 0 || recording.header.books === 'polled') return least === 0 ? 0 : -least / STAMPS_PER_MILLI;
  throw new UserError({
    code: 'latency',
    message: 'this tape has no receive times, so its latency is not known',
    hint: 'state how long requests take, for example --latency 20',
  });
}
