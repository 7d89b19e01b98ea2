// Collections that keep only the newest: a map of the entries set last, the last result of a function, and a ring buffer.

/** Keeps at least the `min` keys set last, and at most twice as many: the older half is dropped when the newer one is full. */
export class Recent<K, V> {
  readonly #min: number;
  #newer = new Map<K, V>();
  #older = new Map<K, V>();

  constructor(min: number) {
    this.#min = min;
  }

  get(key: K): V | undefined {
    return this.#newer.get(key) ?? this.#older.get(key);
  }

  set(key: K, value: V): void {
    this.#newer.set(key, value);
    if (this.#newer.size < this.#min) return;
    this.#older = this.#newer;
    this.#newer = new Map();
  }

  /** Values in the order in which they were set, oldest first. */
  *values(): Iterable<V> {
    for (const [key, value] of this.#older) if (!this.#newer.has(key)) yield value;
    yield* this.#newer.values();
  }

  has(key: K): boolean {
    return this.#newer.has(key) || this.#older.has(key);
  }

  delete(key: K): void {
    this.#newer.delete(key);
    this.#older.delete(key);
  }
}

/** Wraps `make` so that it is not called again for the same object as in the previous call. The object must not change. */
export function memoizeLast<From extends object, Made>(make: (from: From) => Made): (from: From) => Made {
  let last: { readonly from: From; readonly made: Made } | undefined;
  return (from) => {
    if (from !== last?.from) last = { from, made: make(from) };
    return last.made;
  };
}

/** A ring buffer: keeps the newest `capacity` values. */
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

  /** Returns the kept values, oldest first. */
  values(): readonly T[] {
    return this.#slots.length < this.#capacity ? [...this.#slots] : [...this.#slots.slice(this.#next), ...this.#slots.slice(0, this.#next)];
  }
}
