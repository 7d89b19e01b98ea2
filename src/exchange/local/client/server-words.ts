// What a server said for itself, in whatever form, as a few words that are safe to print.

const MAX_CHARACTERS = 300;
/** Of a body that is no JSON, only the start is looked at. */
const MAX_BYTES = 8_192;

/** At most 300 characters on one line; what would move the cursor, hide or reorder text is written as its code point. */
export function printable(text: string): string {
  const safe = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  const characters = Array.from(safe);
  return characters.length <= MAX_CHARACTERS ? safe : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
}

/** The text under `message`, `error` or `result`, at whatever depth these are nested; undefined where there is none. */
export function complaintIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : printable(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const { message, error, result } = value as Readonly<Record<string, unknown>>;
  return complaintIn(message) ?? complaintIn(error) ?? complaintIn(result);
}

/** The text of a page without its tags; undefined where there is none. */
export function pageText(body: Uint8Array): string | undefined {
  const start = new TextDecoder().decode(body.subarray(0, MAX_BYTES));
  const text = start
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : printable(text);
}
