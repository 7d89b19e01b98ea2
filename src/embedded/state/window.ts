// Recent data in buckets of equal width: what is older than the span is dropped.
import type { Millis } from '../../base/clock.ts';

interface Bucket<T> {
  readonly start: Millis;
  readonly value: T;
}

export class Window<T> {
  readonly #span: Millis;
  readonly #width: Millis;
  readonly #empty: () => T;
  #buckets: Bucket<T>[] = [];

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
    this.#buckets = [...this.#buckets.filter((bucket) => bucket.start > now - this.#span), opened];
    return opened.value;
  }

  /** Oldest first: the buckets that began after `from` and not after `until`. */
  between({ from, until }: { from: Millis; until: Millis }): readonly T[] {
    return this.#buckets.filter(({ start }) => start > from && start <= until).map(({ value }) => value);
  }
}
