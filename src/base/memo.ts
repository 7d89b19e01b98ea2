// Values worked out once each, until they are all forgotten.

export class Memo<K, V> {
  readonly #values = new Map<K, V>();

  of(key: K, make: () => V): V {
    const known = this.#values.get(key);
    if (known !== undefined) return known;
    const made = make();
    this.#values.set(key, made);
    return made;
  }

  clear(): void {
    this.#values.clear();
  }
}
