// Splits a line of values between commas, semicolons, tabs or bars, with or without quotes.
import { Malformed } from '../fields.ts';

const SEPARATORS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const;
export type Separator = keyof typeof SEPARATORS;

export const separatorName = (separator: Separator): string => SEPARATORS[separator];

/** Returns the most frequent separator of a line; a comma if there is none. */
export function separatorIn(line: string): Separator {
  const bare = line.replace(/"[^"]*"/g, '');
  const count = (separator: string): number => bare.split(separator).length;
  return (Object.keys(SEPARATORS) as Separator[]).reduce((most, separator) => (count(separator) > count(most) ? separator : most), ',');
}

export interface Split {
  /** The values without surrounding blanks and quotes. */
  readonly values: readonly string[];
  /** Returns the column in the line, from 1, where a value begins. */
  readonly columnOf: (index: number) => number;
}

/** Splits a line. Throws `Malformed` if a quote is not closed. */
export function splitLine(line: string, separator: Separator): Split {
  const parts = line.includes('"') ? splitQuoted(line, separator) : line.split(separator);
  const columnOf = (index: number): number => parts.slice(0, index).reduce((sum, part) => sum + part.length + 1, 1);
  return { values: parts.map(bareText), columnOf };
}

function splitQuoted(line: string, separator: Separator): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  let inQuotes = false;
  for (let at = 0; at <= line.length; at += 1) {
    if (line[at] === '"') inQuotes = !inQuotes;
    if (at < line.length && (inQuotes || line[at] !== separator)) continue;
    parts.push(line.slice(start, at));
    start = at + 1;
  }
  if (inQuotes) throw new Malformed('has a quote that is not closed', 'a row must be one line');
  return parts;
}

const bareText = (part: string): string => {
  const text = part.trim();
  return text.length > 1 && text.startsWith('"') && text.endsWith('"') ? text.slice(1, -1).replaceAll('""', '"').trim() : text;
};
