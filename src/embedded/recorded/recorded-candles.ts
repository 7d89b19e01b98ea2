// The recorded candles of a tape; each is available from its end on.
import type { Millis } from '../../base/clock.ts';
import type { Candle } from '../../domain/candle.ts';
import { lots, ticks } from '../../domain/numbers.ts';
import { KIND_BITS, ROW, type Rows, STAMPS_PER_MILLI } from '../../domain/rows/rows.ts';

const NONE: readonly Candle[] = [];

export class RecordedCandles {
  /** The length of every candle. */
  readonly span: Millis;
  /** The candles not taken yet, oldest first. */
  #waiting: Candle[] = [];
  /** The index of the first candle in `#waiting` that was not taken. */
  #at = 0;
  #open = ticks(0);
  #high = ticks(0);
  #low = ticks(0);

  constructor(span: Millis) {
    this.span = span;
  }

  /** Adds the candles of a block of rows. */
  push(rows: Rows): void {
    for (let at = 0; at < rows.count; at++) {
      const kind = rows.codes[at]! & KIND_BITS;
      if (kind < ROW.open) continue;
      const price = ticks(rows.prices[at]!);
      if (kind === ROW.open) this.#open = price;
      else if (kind === ROW.high) this.#high = price;
      else if (kind === ROW.low) this.#low = price;
      else {
        const start = Math.round(rows.times[at]! / STAMPS_PER_MILLI);
        this.#waiting.push({ start, open: this.#open, high: this.#high, low: this.#low, close: price, volume: lots(rows.sizes[at]!) });
      }
    }
  }

  /** The end of the oldest candle not taken yet; infinity if there is none. */
  get next(): Millis {
    const candle = this.#waiting[this.#at];
    return candle === undefined ? Number.POSITIVE_INFINITY : candle.start + this.span;
  }

  /** Takes the candles that ended by `until`, oldest first. */
  take(until: Millis): readonly Candle[] {
    if (this.next > until) return NONE;
    const from = this.#at;
    while (this.next <= until) this.#at += 1;
    const taken = this.#waiting.slice(from, this.#at);
    if (this.#at === this.#waiting.length) {
      this.#waiting = [];
      this.#at = 0;
    }
    return taken;
  }
}
