// Two lists as one: made anew only where both hold something, for most of the time one is empty.

export function concat<T>(some: readonly T[], others: readonly T[]): readonly T[] {
  if (some.length === 0) return others;
  return others.length === 0 ? some : [...some, ...others];
}
