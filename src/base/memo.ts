// Values worked out once each: until they are all forgotten, or for as long as what they were made of is the same object.

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

/** `make`, which is not asked again for the object that it was asked for last; that must not change. */
export function ofSame<From extends object, Made>(make: (from: From) => Made): (from: From) => Made {
  let last: { readonly from: From; readonly made: Made } | undefined;
  return (from) => {
    if (from !== last?.from) last = { from, made: make(from) };
    return last.made;
  };
}
