// The latency of whoever recorded a market: receive time less exchange time of its rows, looked up by exchange time.

import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Rng } from '../../base/rng.ts';
import { type Rows, STAMPS_PER_MILLI, type Stamp } from '../../domain/rows.ts';
import type { Lags } from './latency.ts';

/** Of so many rows up to the present one is drawn. */
const DRAWN_FROM = 1_000;

/** Rows are handed over block by block, before they are looked up; those of the past are let go, for time only goes on. */
export class RecordedLags implements Lags {
  readonly #blocks: Rows[] = [];

  /** UserError `latency` where most of the first rows were received when they happened, or before: they tell nothing of latency. */
  push(rows: Rows): void {
    if (rows.count === 0) return;
    if (this.#blocks.length === 0) assertSound(rows);
    this.#blocks.push(rows);
  }

  at(now: Millis): Millis {
    const { rows, index } = this.#last(now * STAMPS_PER_MILLI);
    return rows.lags[index]! / STAMPS_PER_MILLI;
  }

  drawn(now: Millis, rng: Rng): Millis {
    const { rows, index } = this.#last(now * STAMPS_PER_MILLI);
    return rows.lags[index - rng.below(Math.min(DRAWN_FROM, index + 1))]! / STAMPS_PER_MILLI;
  }

  /** The last row that is not later; the first of all before it. */
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

function assertSound({ lags, count }: Rows): void {
  const middle = lags.slice(0, count).sort()[count >>> 1]!;
  if (middle > 0) return;
  throw new UserError({
    code: 'latency',
    message:
      middle === 0
        ? 'this tape does not say when its rows were received, and so not the latency'
        : `this tape was recorded by a clock ${-middle / STAMPS_PER_MILLI} ms behind the exchange's: it does not tell the latency`,
    hint: 'say how long requests take, as in --latency 20',
  });
}
