// The latency of the recorder of a market: receive time minus exchange time of its rows, looked up by exchange time.

import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Rng } from '../../base/rng.ts';
import { type Rows, STAMPS_PER_MILLI, type Stamp } from '../../domain/rows.ts';
import type { Lags } from './latency.ts';

/** A lag is drawn from this many rows up to the present one. */
const DRAWN_FROM = 1_000;

/** Rows are added block by block, before they are looked up. Past blocks are dropped, because time only moves forward. */
export class RecordedLags implements Lags {
  readonly #blocks: Rows[] = [];
  readonly #clockBehind: Millis;

  /** `clockBehind`: how much later everything was received than the recorder's clock says. */
  constructor(clockBehind: Millis = 0) {
    this.#clockBehind = clockBehind;
  }

  push(rows: Rows): void {
    if (rows.count > 0) this.#blocks.push(rows);
  }

  at(now: Millis): Millis {
    const { rows, index } = this.#last(now * STAMPS_PER_MILLI);
    return this.#lag(rows, index);
  }

  drawn(now: Millis, rng: Rng): Millis {
    const { rows, index } = this.#last(now * STAMPS_PER_MILLI);
    return this.#lag(rows, index - rng.below(Math.min(DRAWN_FROM, index + 1)));
  }

  #lag({ lags }: Rows, index: number): Millis {
    return lags[index]! / STAMPS_PER_MILLI + this.#clockBehind;
  }

  /** Returns the last row that is not later than `now`, or the first row if all are later. */
  #last(now: Stamp): { rows: Rows; index: number } {
    while (this.#blocks.length > 1 && this.#blocks[1]!.times[0]! <= now) this.#blocks.shift();
    const rows = this.#blocks[0]!;
    let [low, high] = [0, rows.count - 1];
    while (low < high) {
      const middle = (low + high + 1) >>> 1;
      if (rows.times[middle]! <= now) low = middle;
      else high = middle - 1;
    }
    return { rows, index: low };
  }
}

interface Readable {
  blocks(): AsyncIterable<Rows>;
  release?(rows: Rows): void;
}

/**
 * Returns how far the recorder's clock was behind the exchange's, at least: nothing is received before it happens, so the smallest lag, if it is
 * negative, was none. Reads all rows and holds one block of them. Throws a UserError `latency` if all rows were received when they happened: they do
 * not show any latency.
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
  if (least < 0 || most > 0) return least === 0 ? 0 : -least / STAMPS_PER_MILLI;
  throw new UserError({
    code: 'latency',
    message: 'this tape does not contain when its rows were received, so the latency is not known',
    hint: 'state how long requests take, for example --latency 20',
  });
}
