// A ring buffer: a fixed number of the newest values.

export class Ring<T> {
  readonly #slots: T[] = [];
  readonly #capacity: number;
  #next = 0;

  constructor(capacity: number) {
    this.#capacity = capacity;
  }

  push(value: T): void {
    this.#slots[this.#next] = value;
    this.#next = (this.#next + 1) % this.#capacity;
  }

  /** Oldest first. */
  values(): readonly T[] {
    return this.#slots.length < this.#capacity ? [...this.#slots] : [...this.#slots.slice(this.#next), ...this.#slots.slice(0, this.#next)];
  }
}
