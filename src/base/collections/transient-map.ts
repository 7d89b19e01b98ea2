// A map for short-lived entries: orders, timers, requests in flight.

/** Minimum number of deletions before the map is replaced. */
const MIN_DELETIONS = 16;

/**
 * Like a Map, but replaces its inner Map from time to time. V8 links the table of a Map to the larger or emptier one that replaces it. If a table has
 * become old, it keeps all later ones alive with everything that was ever in them, until the whole heap is collected, and each short-lived entry is
 * copied twice.
 */
export class TransientMap<K, V> {
  #entries: Map<K, V>;
  /** Number of deletions since the last replacement. */
  #deletions = 0;

  constructor(entries?: Iterable<readonly [K, V]>) {
    this.#entries = new Map(entries);
  }

  get size(): number {
    return this.#entries.size;
  }

  get(key: K): V | undefined {
    return this.#entries.get(key);
  }

  has(key: K): boolean {
    return this.#entries.has(key);
  }

  set(key: K, value: V): void {
    if (this.#deletions >= MIN_DELETIONS && this.#deletions >= this.#entries.size) {
      this.#entries = new Map(this.#entries);
      this.#deletions = 0;
    }
    this.#entries.set(key, value);
  }

  /** Returns false if there is none. */
  delete(key: K): boolean {
    if (!this.#entries.delete(key)) return false;
    this.#deletions += 1;
    return true;
  }

  clear(): void {
    if (this.#entries.size === 0) return;
    this.#entries = new Map();
    this.#deletions = 0;
  }

  /** Keys in insertion order. Entries may be deleted during the iteration. */
  keys(): Iterable<K> {
    return this.#entries.keys();
  }

  values(): Iterable<V> {
    return this.#entries.values();
  }

  [Symbol.iterator](): Iterator<[K, V]> {
    return this.#entries[Symbol.iterator]();
  }
}
