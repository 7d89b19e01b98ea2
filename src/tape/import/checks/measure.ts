// Measures one kind of message: the decimals of its prices and sizes, its highest and first price, and its spacing in time.
import type { Stamp } from '../../../domain/rows.ts';
import type { LevelText } from '../formats/feed-message.ts';
import { Malformed } from '../formats/fields.ts';
import { decimalsOf } from '../formats/numbers.ts';
import { createSample } from './sample.ts';

export class Measure {
  count = 0;
  readonly decimals = { price: 0, size: 0 };
  highest = 0;
  /** Time and price of the earliest message with a price for the market. */
  first = { time: Number.POSITIVE_INFINITY, price: 0 };
  /** Time of the latest message. */
  last: Stamp = 0;
  readonly #spacings = createSample();

  /** Median time between two messages; undefined if there are fewer than two. */
  get spacing(): Stamp | undefined {
    return this.#spacings.median();
  }

  /** Adds a message. `priced` means that its first level is a price for the market. Throws `Malformed` if a price or a size is invalid. */
  add(time: Stamp, levels: readonly (LevelText | undefined)[], { priced = true } = {}): void {
    this.count += 1;
    if (this.last > 0 && time > this.last) this.#spacings.add(time - this.last);
    this.last = Math.max(this.last, time);
    for (const level of levels) if (level !== undefined) this.#level(level);
    if (!priced || time >= this.first.time) return;
    const [price] = levels.find((level) => level !== undefined) ?? [];
    if (price !== undefined) this.first = { time, price: Number(price) };
  }

  #level([price, size]: LevelText): void {
    this.decimals.price = Math.max(this.decimals.price, needed(price));
    this.decimals.size = Math.max(this.decimals.size, needed(size));
    const value = Number(price);
    if (value === 0) throw new Malformed('holds a price of 0');
    if (value > this.highest) this.highest = value;
  }
}

function needed(text: string): number {
  const decimals = decimalsOf(text);
  if (decimals === undefined) throw new Malformed(`"${text}" is not a decimal number above 0`);
  return decimals;
}
