// The two prices that a market is judged by: the oracle's index, and the mark, which is the index plus what the book has long thought of it.
import type { Millis } from '../base/clock.ts';
import { type Ticks, ticks } from '../domain/numbers.ts';

/** Time in which the mark follows all but 1/e of a change of the book's mid over the index. */
const SMOOTHING: Millis = 30_000;
/** The mark is never further from the index than this fraction of it. */
const WIDEST_BASIS = 0.01;

export class Prices {
  #index: Ticks;
  #conf: Ticks;
  /** Of the book's mid over the index, smoothed, in ticks. */
  #basis = 0;

  constructor(index: Ticks) {
    this.#index = index;
    this.#conf = ticks(Math.max(1, Math.round(index * 1e-4)));
  }

  get index(): Ticks {
    return this.#index;
  }

  /** Half-width of the oracle's confidence interval. */
  get conf(): Ticks {
    return this.#conf;
  }

  get mark(): Ticks {
    const widest = this.#index * WIDEST_BASIS;
    return ticks(Math.max(1, Math.round(this.#index + Math.max(-widest, Math.min(widest, this.#basis)))));
  }

  /** A word of the oracle; true when it was news. */
  hear({ index, conf = this.#conf }: { index: Ticks; conf?: Ticks | undefined }): boolean {
    const news = index !== this.#index || conf !== this.#conf;
    this.#index = index;
    this.#conf = conf;
    return news;
  }

  /** A look at the book, one a step. `mid` is undefined while a side is empty: the basis then stays. */
  look(mid: number | undefined, step: Millis): void {
    if (mid !== undefined) this.#basis += (mid - this.#index - this.#basis) * (1 - Math.exp(-step / SMOOTHING));
  }
}
