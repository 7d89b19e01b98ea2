// Phrases of messages: the known name nearest to a mistyped one, a number of things, a list of alternatives.

/** Returns the nearest candidate, if its edit distance is at most a third of its length (or 2); undefined otherwise. */
export function nearest(typed: string, known: Iterable<string>): string | undefined {
  let best: string | undefined;
  let bestDistance = Number.POSITIVE_INFINITY;
  for (const candidate of known) {
    const distance = editDistance(typed.toLowerCase(), candidate.toLowerCase());
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance];
  }
  return best !== undefined && bestDistance <= Math.max(2, Math.ceil(best.length / 3)) ? best : undefined;
}

/** `did you mean "x"?`, or another text if no known name is near; the known names by default. */
export function suggestion(typed: string, known: readonly string[], otherwise = `known: ${known.join(', ')}`): string {
  const near = nearest(typed, known);
  return near === undefined ? otherwise : `did you mean "${near}"?`;
}

function editDistance(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const replaced = (previous[column - 1] ?? 0) + (a[row - 1] === b[column - 1] ? 0 : 1);
      current.push(Math.min(replaced, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[b.length] ?? a.length;
}

/** `1 order`, `2 orders`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;

/** `a or b`; `a, b, or c`. */
export function orWords(words: readonly string[]): string {
  const [last = '', before = ''] = words.toReversed();
  return words.length < 3 ? [before, last].filter((word) => word !== '').join(' or ') : `${words.slice(0, -1).join(', ')}, or ${last}`;
}
