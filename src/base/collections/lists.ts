// Lists: items in groups by a key, and two lists as one.

/** Returns the items of each key, keys and items in the order in which they first occur. */
export function groupBy<T, K>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const key = keyOf(item);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return groups;
}

/** Concatenates two lists. Copies only if both have items, because one is usually empty. */
export function concat<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  if (some.length === 0) return others;
  return others.length === 0 ? some : [...some, ...others];
}
