// The text of a command with its options, as a person would type it in a shell.

export type OptionValue = string | number | boolean | readonly string[] | undefined;

/**
 * Returns the text of a command. `words` come first, then the options in the order of `given`. A list repeats its option, `true` is an option without a
 * value, and one that is undefined or false is left out.
 */
export function commandText(program: string, words: readonly string[], given: Readonly<Record<string, OptionValue>>): string {
  const options = Object.entries(given).flatMap(([name, value]) => {
    if (value === undefined || value === false) return [];
    return value === true ? [`--${name}`] : [value].flat().flatMap((one) => [`--${name}`, String(one)]);
  });
  return [program, ...[...words, ...options].map(quoted)].join(' ');
}

const quoted = (word: string): string => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`);
