// Statistics of one kind of message: the decimals of its prices and sizes, its highest, lowest and first price, its highest size, and its
// spacing in time.
import type { Stamp } from '../../../embedded/rows/rows.ts';
import type { LevelText } from '../formats/feed-message.ts';
import { Malformed } from '../formats/fields.ts';
import { type Decimals, decimalsOf } from '../formats/numbers.ts';
import { createPrecision, type Precision } from './precision.ts';

export class MessageStats {
  count = 0;
  highest = 0;
  lowest = Number.POSITIVE_INFINITY;
  highestSize = 0;
  /** Time and price of the earliest message with a price for the market. */
  first = { time: Number.POSITIVE_INFINITY, price: 0 };
  /** Time of the latest message. */
  last: Stamp = 0;
  /** The shortest time between two messages, and the time of the second. */
  closest = { spacing: Number.POSITIVE_INFINITY, time: 0 };
  readonly #spacings = createSample();
  readonly #exact = { price: 0, size: 0 };
  readonly #inferred: { readonly price: Precision; readonly size: Precision } | undefined;

  /** `mayBeNoisy`: prices and sizes may be floats with noise. Otherwise all their decimals count. */
  constructor({ mayBeNoisy = false } = {}) {
    if (mayBeNoisy) this.#inferred = { price: createPrecision(), size: createPrecision() };
  }

  /** The decimals of prices and sizes. */
  get decimals(): Decimals {
    const { price, size } = this.#inferred ?? {};
    return price === undefined || size === undefined ? this.#exact : { price: price.decimals, size: size.decimals };
  }

  /** True if prices are floats with noise. */
  get noisy(): boolean {
    return this.#inferred?.price.noisy ?? false;
  }

  /** Median time between two messages; undefined if there are fewer than two. */
  get spacing(): Stamp | undefined {
    return this.#spacings.median();
  }

  /** Adds a message. `priced`: false if its levels may be far from the market's price, as in a change of an order book; `first` leaves it out. Throws `Malformed` if a price or a size is invalid. */
  add(time: Stamp, levels: readonly (LevelText | undefined)[], { priced = true } = {}): void {
    this.count += 1;
    if (this.last > 0 && time > this.last) this.#addSpacing(time - this.last, time);
    this.last = Math.max(this.last, time);
    for (const level of levels) if (level !== undefined) this.#level(level);
    if (!priced || time >= this.first.time) return;
    const [price] = levels.find((level) => level !== undefined) ?? [];
    if (price !== undefined) this.first = { time, price: Number(price) };
  }

  #addSpacing(spacing: Stamp, time: Stamp): void {
    this.#spacings.add(spacing);
    if (spacing < this.closest.spacing) this.closest = { spacing, time };
  }

  #level([price, size]: LevelText): void {
    if (this.#inferred === undefined) {
      this.#exact.price = Math.max(this.#exact.price, needed(price));
      this.#exact.size = Math.max(this.#exact.size, needed(size));
    } else if (!this.#inferred.price.add(price) || !this.#inferred.size.add(size)) {
      throw new Malformed(`"${price}" or "${size}" is not a decimal number above 0`);
    }
    const value = Number(price);
    if (value === 0) throw new Malformed('holds a price of 0');
    if (value > this.highest) this.highest = value;
    if (value < this.lowest) this.lowest = value;
    this.highestSize = Math.max(this.highestSize, Number(size));
  }
}

function needed(text: string): number {
  const decimals = decimalsOf(text);
  if (decimals === undefined) throw new Malformed(`"${text}" is not a decimal number above 0`);
  return decimals;
}

/** Maximum number of values kept. The median is exact while there are fewer. */
const MAX_KEPT = 8_192;

/** Minimum and approximate median of any number of values, in bounded memory. */
interface Sample {
  readonly add: (value: number) => void;
  readonly count: number;
  /** Minimum of all values; undefined if there are none. */
  readonly least: number | undefined;
  /** Returns the median, the lower of the two middle values if the number is even; undefined if there are none. */
  readonly median: () => number | undefined;
}

/** Keeps every n-th value. n doubles whenever too many are kept. */
export function createSample(mostKept = MAX_KEPT): Sample {
  let kept: number[] = [];
  let stride = 1;
  let count = 0;
  let least: number | undefined;
  return {
    add(value) {
      if (least === undefined || value < least) least = value;
      if (count++ % stride !== 0) return;
      kept.push(value);
      if (kept.length < mostKept) return;
      kept = kept.filter((_, index) => index % 2 === 0);
      stride *= 2;
    },
    get count() {
      return count;
    },
    get least() {
      return least;
    },
    median: () => kept.toSorted((a, b) => a - b)[(kept.length - 1) >> 1],
  };
}
