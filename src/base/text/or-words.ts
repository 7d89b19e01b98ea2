// A list of alternatives as a phrase.

/** `a or b`; `a, b, or c`. */
export function orWords(words: readonly string[]): string {
  const [last = '', before = ''] = words.toReversed();
  return words.length < 3 ? [before, last].filter((word) => word !== '').join(' or ') : `${words.slice(0, -1).join(', ')}, or ${last}`;
}
