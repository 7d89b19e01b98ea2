// The text of a command with its options, as a person would type it in a shell.

export type OptionValue = string | number | boolean | readonly string[] | undefined;

/**
 * Returns the text of a command. `words` come first, then `options` in their order. A list repeats its option, `true` is an option without a
 * value, and one that is undefined or false is left out.
 */
export function commandText(program: string, words: readonly string[], options: Readonly<Record<string, OptionValue>>): string {
  const typed = Object.entries(options).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [value].flat().flatMap((one) => [`--${name}`, String(one)]);
  });
  return [program, ...[...words, ...typed].map(quoted)].join(' ');
}

/** Returns a word in quotes, if a shell needs them. */
const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
