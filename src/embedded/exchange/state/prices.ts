// The two prices of a market: the index, and the mark, which is given or else the index plus the smoothed premium of the book.
import type { Millis } from '../../../base/clock.ts';
import { type Ticks, ticks } from '../../../bot/domain/numbers.ts';

/** Time constant of the exponential smoothing of the premium. */
const SMOOTHING: Millis = 30_000;
/** Maximum distance of the mark from the index, as a fraction of the index. */
const WIDEST_BASIS = 0.01;

/** An update of the prices; absent fields stay as they were. */
export interface PriceUpdate {
  readonly index?: Ticks | undefined;
  readonly conf?: Ticks | undefined;
  readonly mark?: Ticks | undefined;
}

export class ExchangePrices {
  #index: Ticks;
  #conf: Ticks | undefined;
  #givenMark: Ticks | undefined;
  /** The premium of the book's mid over the index, smoothed, in ticks. */
  #basis = 0;

  constructor(index: Ticks, conf?: Ticks) {
    this.#index = index;
    this.#conf = conf;
  }

  get index(): Ticks {
    return this.#index;
  }

  /** Half-width of the oracle's confidence interval; undefined if there is no oracle. */
  get conf(): Ticks | undefined {
    return this.#conf;
  }

  get mark(): Ticks {
    if (this.#givenMark !== undefined) return this.#givenMark;
    const widest = this.#index * WIDEST_BASIS;
    return ticks(Math.max(1, Math.round(this.#index + Math.max(-widest, Math.min(widest, this.#basis)))));
  }

  /** Applies an update; returns true if something changed. Once a mark was given, marks are no longer computed. */
  applyOracle({ index = this.#index, conf = this.#conf, mark = this.#givenMark }: PriceUpdate): boolean {
    const hasChanged = index !== this.#index || conf !== this.#conf || mark !== this.#givenMark;
    this.#index = index;
    this.#conf = conf;
    this.#givenMark = mark;
    return hasChanged;
  }

  /** Samples the book, once per step. `mid` is undefined while a side is empty: the premium then stays. */
  sample(mid: number | undefined, step: Millis): void {
    if (mid !== undefined && this.#givenMark === undefined)
      this.#basis += (mid - this.#index - this.#basis) * (1 - Math.exp(-step / SMOOTHING));
  }
}
