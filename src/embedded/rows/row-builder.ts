// Builds rows: columns that grow as rows are added.
import { AssertionError } from '../../base/errors.ts';
import type { Rows, Stamp } from './rows.ts';

export interface Row {
  readonly time: Stamp;
  readonly lag: Stamp;
  /** As `codeOf` returns it. */
  readonly code: number;
  readonly price: number;
  readonly size: number;
  readonly order?: number | undefined;
}

export class RowBuilder {
  #count = 0;
  #times: Float64Array;
  #lags: Float64Array;
  #codes: Uint8Array;
  #prices: Int32Array;
  #sizes: Float64Array;
  #orders: Float64Array | undefined;

  /** `orders`: true if the rows name orders. */
  constructor({ capacity = 1024, orders = false }: { capacity?: number; orders?: boolean } = {}) {
    this.#times = new Float64Array(capacity);
    this.#lags = new Float64Array(capacity);
    this.#codes = new Uint8Array(capacity);
    this.#prices = new Int32Array(capacity);
    this.#sizes = new Float64Array(capacity);
    this.#orders = orders ? new Float64Array(capacity) : undefined;
  }

  get count(): number {
    return this.#count;
  }

  add({ time, lag, code, price, size, order = 0 }: Row): void {
    this.put(time, lag, code, price, size, order);
  }

  put(time: Stamp, lag: Stamp, code: number, price: number, size: number, order: number): void {
    if ((price | 0) !== price) throw new AssertionError(`a price of ${price} ticks does not fit 32 bits`);
    if (this.#count === this.#codes.length) this.#grow();
    const at = this.#count++;
    this.#times[at] = time + 0; // avoids -0, which has a different hash than 0
    this.#lags[at] = lag + 0;
    this.#codes[at] = code;
    this.#prices[at] = price;
    this.#sizes[at] = size + 0;
    if (this.#orders !== undefined) this.#orders[at] = order;
  }

  /** Removes and returns the rows added so far. */
  take(): Rows {
    const { count } = this;
    this.#count = 0;
    return {
      count,
      times: this.#times.slice(0, count),
      lags: this.#lags.slice(0, count),
      codes: this.#codes.slice(0, count),
      prices: this.#prices.slice(0, count),
      sizes: this.#sizes.slice(0, count),
      orders: this.#orders?.slice(0, count),
    };
  }

  /** Returns the rows added so far without a copy, and begins anew: they are valid until the next row is added. */
  lend(): Rows {
    const count = this.#count;
    this.#count = 0;
    const [times, lags, codes, prices, sizes, orders] = [this.#times, this.#lags, this.#codes, this.#prices, this.#sizes, this.#orders];
    return { count, times, lags, codes, prices, sizes, orders };
  }

  #grow(): void {
    const size = this.#codes.length * 2;
    this.#times = enlarged(this.#times, new Float64Array(size));
    this.#lags = enlarged(this.#lags, new Float64Array(size));
    this.#codes = enlarged(this.#codes, new Uint8Array(size));
    this.#prices = enlarged(this.#prices, new Int32Array(size));
    this.#sizes = enlarged(this.#sizes, new Float64Array(size));
    if (this.#orders !== undefined) this.#orders = enlarged(this.#orders, new Float64Array(size));
  }
}

function enlarged<Column extends Float64Array | Int32Array | Uint8Array>(old: Column, grown: Column): Column {
  grown.set(old);
  return grown;
}
