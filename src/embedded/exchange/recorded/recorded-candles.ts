// The recorded candles of a tape; each is available from its end on. Knows the boundaries of candles, at which the market has a true price.
import type { Millis } from '../../../base/clock.ts';
import type { Candle } from '../../../bot/domain/candle.ts';
import { lots, ticks } from '../../../bot/domain/numbers.ts';
import { KIND_BITS, ROW, type Rows, STAMPS_PER_MILLI } from '../../rows/rows.ts';

const NONE: readonly Candle[] = [];

export class RecordedCandles {
  /** The length of every candle. */
  readonly span: Millis;
  /** The candles not taken yet, oldest first. */
  #waiting: Candle[] = [];
  /** The index of the first candle in `#waiting` that was not taken. */
  #at = 0;
  /** True if the tape has marks or index prices of its own. */
  hasMarks = false;
  /** The end of the newest candle that was taken. */
  #ended: Millis = Number.NEGATIVE_INFINITY;
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
      this.hasMarks ||= kind === ROW.mark || kind === ROW.index;
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

  /** True if a candle begins or ends at this time: only then its price is known, as the open or the close. */
  isBoundary(at: Millis): boolean {
    if (this.#ended === at) return true;
    for (let index = this.#at; index < this.#waiting.length; index++) {
      const { start } = this.#waiting[index]!;
      if (start === at || start + this.span === at) return true;
      if (start > at) return false;
    }
    return false;
  }

  /** True if this time lies within a candle, after its begin and before its end. */
  isInside(at: Millis): boolean {
    for (let index = this.#at; index < this.#waiting.length && this.#waiting[index]!.start < at; index++)
      if (at < this.#waiting[index]!.start + this.span) return true;
    return false;
  }

  /** The candle that ends at this time and was not taken yet. */
  endingAt(at: Millis): Candle | undefined {
    const candle = this.#waiting[this.#at];
    return candle !== undefined && candle.start + this.span === at ? candle : undefined;
  }

  /** The candle that begins at this time; undefined if there is none, or if it is not loaded yet. */
  startingAt(at: Millis): Candle | undefined {
    for (let index = this.#at; index < this.#waiting.length && this.#waiting[index]!.start <= at; index++)
      if (this.#waiting[index]!.start === at) return this.#waiting[index];
    return undefined;
  }

  /** The first begin or end of a candle after this time; infinity if none is known. */
  boundaryAfter(at: Millis): Millis {
    for (let index = this.#at; index < this.#waiting.length; index++) {
      const { start } = this.#waiting[index]!;
      if (start > at) return start;
      if (start + this.span > at) return start + this.span;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** The end of the oldest candle not taken yet; infinity if there is none. */
  get #next(): Millis {
    const candle = this.#waiting[this.#at];
    return candle === undefined ? Number.POSITIVE_INFINITY : candle.start + this.span;
  }

  /** Takes the candles that ended by `until`, oldest first. */
  take(until: Millis): readonly Candle[] {
    if (this.#next > until) return NONE;
    const from = this.#at;
    for (; this.#next <= until; this.#at += 1) this.#ended = this.#next;
    const taken = this.#waiting.slice(from, this.#at);
    if (this.#at === this.#waiting.length) {
      this.#waiting = [];
      this.#at = 0;
    }
    return taken;
  }
}
