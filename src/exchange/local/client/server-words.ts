// Extracts a server's own explanation, in whatever form, as a short text that is safe to print.

const MAX_CHARACTERS = 300;
/** If a body is not JSON, only its start is used. */
const MAX_BYTES = 8_192;

/** Returns at most 300 characters on one line; characters that would move the cursor, hide or reorder text are written as code points. */
export function printable(text: string): string {
  const safe = text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
  const characters = Array.from(safe);
  return characters.length <= MAX_CHARACTERS ? safe : `${characters.slice(0, MAX_CHARACTERS - 1).join('')}…`;
}

/** Returns the text under `message`, `error` or `result`, however deep they are nested; undefined if there is none. */
export function complaintIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : printable(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const { message, error, result } = value as Readonly<Record<string, unknown>>;
  return complaintIn(message) ?? complaintIn(error) ?? complaintIn(result);
}

/** Returns the text of a page without its tags; undefined if there is none. */
export function pageText(body: Uint8Array): string | undefined {
  const start = new TextDecoder().decode(body.subarray(0, MAX_BYTES));
  const text = start
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  return text === '' ? undefined : printable(text);
}
