// Concatenates two lists, copying only if both have items, because one is usually empty.

export function concat<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  if (some.length === 0) return others;
  return others.length === 0 ? some : [...some, ...others];
}
