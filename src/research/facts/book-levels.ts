// One side of a book as sorted prices, for measurements over every change of a level.

export class BookLevels {
  /** Worst first, so that the best one is cheap to change. */
  readonly #prices: number[] = [];
  readonly #sizes = new Map<number, number>();
  /** 1 if the lowest price is the best, as for asks; -1 if the highest is. */
  readonly #sign: 1 | -1;

  constructor(sign: 1 | -1) {
    this.#sign = sign;
  }

  get best(): number | undefined {
    return this.#prices.at(-1);
  }

  /** The sizes of the best levels, best first; fewer if there are fewer. */
  sizes(count: number): readonly number[] {
    return this.#prices
      .slice(-count)
      .reverse()
      .map((price) => this.#sizes.get(price) ?? 0);
  }

  /** Sets the size of a level; 0 removes the level. */
  set(price: number, size: number): void {
    const had = this.#sizes.has(price);
    if (size > 0) this.#sizes.set(price, size);
    else this.#sizes.delete(price);
    if (had === size > 0) return;
    const at = this.#position(price);
    if (had) this.#prices.splice(at, 1);
    else this.#prices.splice(at, 0, price);
  }

  clear(): void {
    this.#prices.length = 0;
    this.#sizes.clear();
  }

  /** Returns the index of the price, or its insertion point. */
  #position(price: number): number {
    let [low, high] = [0, this.#prices.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#sign * (this.#prices[middle]! - price) > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
