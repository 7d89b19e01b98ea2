// Extracts the reason from a server's error answer, as a short text that is safe to print.
import { printable } from '../../../base/text/visible.ts';

/** Only this part of a body that is not JSON is used. */
const MAX_BYTES = 8_192;

/** Returns the text under `message`, `error` or `result`, however deep they are nested; undefined if there is none. */
export function errorTextIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value.trim() === '' ? undefined : printable(value);
  if (typeof value !== 'object' || value === null) return undefined;
  const { message, error, result } = value as Readonly<Record<string, unknown>>;
  return errorTextIn(message) ?? errorTextIn(error) ?? errorTextIn(result);
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
