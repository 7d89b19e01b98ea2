// Parses the JSON of an exchange: limited by `base/text/json.ts`, and exact for integers that a double cannot represent.
import { parse as parseLossless } from 'lossless-json';
import { messageOf } from '../errors.ts';
import { JsonError, type JsonLimits, readJsonText } from '../text/json.ts';
import { WireError } from './framing.ts';

/**
 * Returns the value of a JSON text. Whole numbers beyond the safe integers are returned as decimal strings, all others as numbers. Throws a
 * `WireError` for a text beyond the limits, empty, HTML, not JSON, or that holds a key `__proto__`.
 */
export function parseJson(body: Uint8Array | string, limits: JsonLimits): unknown {
  try {
    const { text, value, hasLongNumber } = readJsonText(body, limits);
    return hasLongNumber && holdsInexact(value) ? parseLossless(text, undefined, LIKE_JSON_PARSE) : value;
  } catch (error) {
    const isSyntax = !(error instanceof JsonError) || error.fault === 'syntax';
    throw new WireError(isSyntax ? syntaxText(body, error) : error.message);
  }
}

const LIKE_JSON_PARSE = { parseNumber: exactNumber, onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue };

function syntaxText(body: Uint8Array | string, error: unknown): string {
  const start = (typeof body === 'string' ? body : new TextDecoder().decode(body.subarray(0, 1_000))).trimStart();
  if (start === '') return 'the body is empty instead of JSON';
  if (start.startsWith('<')) return 'the body is an HTML page instead of JSON';
  return `the body is not JSON: ${messageOf(error)}`;
}

function exactNumber(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? value : text;
}

/** True if some number is beyond the safe integers, so parsing may have rounded it. */
function holdsInexact(value: unknown): boolean {
  if (typeof value === 'number') return value > Number.MAX_SAFE_INTEGER || value < -Number.MAX_SAFE_INTEGER;
  if (typeof value !== 'object' || value === null) return false;
  return (Array.isArray(value) ? (value as unknown[]) : Object.values(value)).some(holdsInexact);
}
