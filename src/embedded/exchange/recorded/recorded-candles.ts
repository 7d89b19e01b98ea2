// The recorded candles of a tape; each is available from its end on. Knows the boundaries of candles, at which the market has a true price.
import type { Millis } from '../../../base/clock.ts';
import type { Candle } from '../../../bot/domain/candle.ts';
import { lots, ticks } from '../../../bot/domain/numbers.ts';
import { KIND_BITS, ROW, type Rows, STAMPS_PER_MILLI } from '../../rows/rows.ts';

const NONE: readonly Candle[] = [];

/** In columns, so that a tape of a year makes the object of a candle when it is taken, and not when it is loaded. */
export class RecordedCandles {
  /** The length of every candle. */
  readonly span: Millis;
  /** The columns of the candles, oldest first. */
  #starts: Millis[] = [];
  #prices: number[] = [];
  #volumes: number[] = [];
  /** The index of the first candle that was not taken. */
  #at = 0;
  /** The candles made last, by the parity of their index: each is asked for at its begin and at its end. */
  readonly #made: [Candle | undefined, Candle | undefined] = [undefined, undefined];
  /** True if the tape has marks or index prices of its own. */
  hasMarks = false;
  /** The end of the newest candle that was taken. */
  #ended: Millis = Number.NEGATIVE_INFINITY;
  #open = 0;
  #high = 0;
  #low = 0;

  constructor(span: Millis) {
    this.span = span;
  }

  /** Adds the candles of a block of rows. */
  push(rows: Rows): void {
    this.#dropTaken();
    for (let at = 0; at < rows.count; at++) {
      const kind = rows.codes[at]! & KIND_BITS;
      this.hasMarks ||= kind === ROW.mark || kind === ROW.index;
      if (kind < ROW.open) continue;
      const price = rows.prices[at]!;
      if (kind === ROW.open) this.#open = price;
      else if (kind === ROW.high) this.#high = price;
      else if (kind === ROW.low) this.#low = price;
      else {
        this.#starts.push(Math.round(rows.times[at]! / STAMPS_PER_MILLI));
        this.#prices.push(this.#open, this.#high, this.#low, price);
        this.#volumes.push(rows.sizes[at]!);
      }
    }
  }

  /** True if a candle begins or ends at this time: only then its price is known, as the open or the close. */
  isBoundary(at: Millis): boolean {
    if (this.#ended === at) return true;
    for (let index = this.#at; index < this.#starts.length; index++) {
      const start = this.#starts[index]!;
      if (start === at || start + this.span === at) return true;
      if (start > at) return false;
    }
    return false;
  }

  /** True if this time lies within a candle, after its begin and before its end. */
  isInside(at: Millis): boolean {
    for (let index = this.#at; index < this.#starts.length && this.#starts[index]! < at; index++)
      if (at < this.#starts[index]! + this.span) return true;
    return false;
  }

  /** The candle that ends at this time and was not taken yet. */
  endingAt(at: Millis): Candle | undefined {
    return this.#next === at ? this.#candle(this.#at) : undefined;
  }

  /** The candle that begins at this time; undefined if there is none, or if it is not loaded yet. */
  startingAt(at: Millis): Candle | undefined {
    for (let index = this.#at; index < this.#starts.length && this.#starts[index]! <= at; index++)
      if (this.#starts[index] === at) return this.#candle(index);
    return undefined;
  }

  /** The first begin or end of a candle after this time; infinity if none is known. */
  boundaryAfter(at: Millis): Millis {
    for (let index = this.#at; index < this.#starts.length; index++) {
      const start = this.#starts[index]!;
      if (start > at) return start;
      if (start + this.span > at) return start + this.span;
    }
    return Number.POSITIVE_INFINITY;
  }

  /** Takes the candles that ended by `until`, oldest first. */
  take(until: Millis): readonly Candle[] {
    if (this.#next > until) return NONE;
    const taken: Candle[] = [];
    for (; this.#next <= until; this.#at += 1) {
      this.#ended = this.#next;
      taken.push(this.#candle(this.#at));
    }
    return taken;
  }

  /** The end of the oldest candle not taken yet; infinity if there is none. */
  get #next(): Millis {
    return this.#at < this.#starts.length ? this.#starts[this.#at]! + this.span : Number.POSITIVE_INFINITY;
  }

  #candle(index: number): Candle {
    const slot = (index & 1) as 0 | 1;
    const start = this.#starts[index]!;
    const made = this.#made[slot];
    if (made?.start === start) return made;
    const [prices, first] = [this.#prices, 4 * index];
    const candle = {
      start,
      open: ticks(prices[first]!),
      high: ticks(prices[first + 1]!),
      low: ticks(prices[first + 2]!),
      close: ticks(prices[first + 3]!),
      volume: lots(this.#volumes[index]!),
    };
    this.#made[slot] = candle;
    return candle;
  }

  #dropTaken(): void {
    this.#starts = this.#starts.slice(this.#at);
    this.#prices = this.#prices.slice(4 * this.#at);
    this.#volumes = this.#volumes.slice(this.#at);
    this.#at = 0;
  }
}
