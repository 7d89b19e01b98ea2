// Recent data in buckets of equal width; older buckets are dropped.
import type { Millis } from '../../../base/clock.ts';

interface Bucket<T> {
  readonly start: Millis;
  readonly value: T;
}

/** Values by bucket of `width` over the last `span`, both in milliseconds. */
export class SlidingWindow<T> {
  readonly #span: Millis;
  readonly #width: Millis;
  readonly #empty: () => T;
  /** Oldest first. */
  readonly #buckets: Bucket<T>[] = [];

  constructor({ span, width, empty }: { span: Millis; width: Millis; empty: () => T }) {
    this.#span = span;
    this.#width = width;
    this.#empty = empty;
  }

  /** Returns the bucket to add to. Time must not run backwards. */
  at(now: Millis): T {
    const newest = this.#buckets.at(-1);
    if (newest !== undefined && now < newest.start + this.#width) return newest.value;
    const start = now - (now % this.#width);
    const opened = { start, value: this.#empty() };
    while (this.#buckets[0] !== undefined && this.#buckets[0].start <= now - this.#span) this.#buckets.shift();
    this.#buckets.push(opened);
    return opened.value;
  }

  /** The sum over the buckets that began after `from`. */
  sumSince(from: Millis, of: (value: T) => number): number {
    let sum = 0;
    for (const { start, value } of this.#buckets) if (start > from) sum += of(value);
    return sum;
  }

  /** Returns the buckets that began after `from` and not after `until`, oldest first. */
  between({ from, until }: { from: Millis; until: Millis }): readonly T[] {
    return this.#buckets.filter(({ start }) => start > from && start <= until).map(({ value }) => value);
  }
}
