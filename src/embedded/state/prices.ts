// The two prices that a market is judged by: the index, and the mark, which is the index plus what the book has long thought of it unless it is told.
import type { Millis } from '../../base/clock.ts';
import { type Ticks, ticks } from '../../domain/numbers.ts';

/** Time in which the mark follows all but 1/e of a change of the book's mid over the index. */
const SMOOTHING: Millis = 30_000;
/** The mark is never further from the index than this fraction of it. */
const WIDEST_BASIS = 0.01;

/** What is told of the prices; what is not stays as it was. */
export interface PriceWord {
  readonly index?: Ticks | undefined;
  readonly conf?: Ticks | undefined;
  readonly mark?: Ticks | undefined;
}

export class Prices {
  #index: Ticks;
  #conf: Ticks | undefined;
  #toldMark: Ticks | undefined;
  /** Of the book's mid over the index, smoothed, in ticks. */
  #basis = 0;

  constructor(index: Ticks, conf?: Ticks) {
    this.#index = index;
    this.#conf = conf;
  }

  get index(): Ticks {
    return this.#index;
  }

  /** Half-width of the oracle's confidence interval; undefined where there is no oracle. */
  get conf(): Ticks | undefined {
    return this.#conf;
  }

  get mark(): Ticks {
    if (this.#toldMark !== undefined) return this.#toldMark;
    const widest = this.#index * WIDEST_BASIS;
    return ticks(Math.max(1, Math.round(this.#index + Math.max(-widest, Math.min(widest, this.#basis)))));
  }

  /** True when it was news. Once a mark was told, marks are only told. */
  applyOracle({ index = this.#index, conf = this.#conf, mark = this.#toldMark }: PriceWord): boolean {
    const news = index !== this.#index || conf !== this.#conf || mark !== this.#toldMark;
    this.#index = index;
    this.#conf = conf;
    this.#toldMark = mark;
    return news;
  }

  /** A look at the book, one a step. `mid` is undefined while a side is empty: the basis then stays. */
  look(mid: number | undefined, step: Millis): void {
    if (mid !== undefined && this.#toldMark === undefined)
      this.#basis += (mid - this.#index - this.#basis) * (1 - Math.exp(-step / SMOOTHING));
  }
}
