// The fills of one order, in order of execution, as columns that the next order overwrites.
import type { Lots, Ticks } from '../../../bot/domain/numbers.ts';

export class Fills {
  #count = 0;
  #total = 0;
  #makers = new Int32Array(64);
  #prices = new Float64Array(64);
  #sizes = new Float64Array(64);

  get count(): number {
    return this.#count;
  }

  /** The sum of all sizes. */
  get total(): Lots {
    return this.#total as Lots;
  }

  /** The handle of the resting order. */
  maker(index: number): number {
    return this.#makers[index]!;
  }

  price(index: number): Ticks {
    return this.#prices[index]! as Ticks;
  }

  size(index: number): Lots {
    return this.#sizes[index]! as Lots;
  }

  clear(): void {
    this.#count = 0;
    this.#total = 0;
  }

  add(maker: number, price: Ticks, size: Lots): void {
    if (this.#count === this.#makers.length) this.#grow();
    this.#makers[this.#count] = maker;
    this.#prices[this.#count] = price;
    this.#sizes[this.#count] = size;
    this.#count++;
    this.#total += size;
  }

  #grow(): void {
    const [makers, prices, sizes] = [this.#makers, this.#prices, this.#sizes];
    this.#makers = new Int32Array(makers.length * 2);
    this.#prices = new Float64Array(makers.length * 2);
    this.#sizes = new Float64Array(makers.length * 2);
    this.#makers.set(makers);
    this.#prices.set(prices);
    this.#sizes.set(sizes);
  }
}
