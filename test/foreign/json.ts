// Reads and writes JSON with exact integers above 2^53.

export type Json = null | boolean | number | bigint | string | readonly Json[] | { readonly [key: string]: Json };

/** Writes JSON; a bigint becomes a JSON number with all its digits. */
export function writeJson(value: Json): string {
  if (typeof value === 'bigint') return value.toString();
  if (Array.isArray(value)) return `[${value.map(writeJson).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const members = Object.entries(value).map(([key, member]) => `${JSON.stringify(key)}:${writeJson(member)}`);
  return `{${members.join(',')}}`;
}

/** Parses JSON; an integer that a double cannot hold becomes its decimal text. */
export function readJson(text: string): unknown {
  const quoted = text.replace(STRING_OR_NUMBER, (token) =>
    /^-?\d+$/.test(token) && !Number.isSafeInteger(Number(token)) ? `"${token}"` : token,
  );
  return JSON.parse(quoted);
}

const STRING_OR_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;
