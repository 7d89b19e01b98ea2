// Parses untrusted JSON: limited in size and depth, and exact for integers that a double cannot represent.
import { parse as parseLossless } from 'lossless-json';
import { messageOf } from '../../base/errors.ts';
import { WireError } from '../framing.ts';

/**
 * Returns the value of a JSON text. Whole numbers beyond the safe integers are returned as decimal strings, all others as numbers. Throws a
 * `WireError` for a text that is too long, too deep, empty, HTML, not JSON, or that holds a key `__proto__`.
 */
export function parseJson(body: Uint8Array | string, { maxBytes, maxDepth }: { maxBytes: number; maxDepth: number }): unknown {
  if (body.length > maxBytes) throw new WireError(`the body has ${body.length} bytes; at most ${maxBytes} are accepted`);
  const text = typeof body === 'string' ? body : decode(body);
  const value = orWireError(text, () => JSON.parse(text) as unknown);
  // The slow parser only gets text that JSON.parse accepted and that is not too deep for a recursive descent.
  return holdsInexact(value, maxDepth) ? orWireError(text, () => parseLossless(text, undefined, LIKE_JSON_PARSE)) : value;
}

const LIKE_JSON_PARSE = { parseNumber: exactNumber, onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue };

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new WireError('the body is not UTF-8 text');
  }
}

function orWireError(text: string, parse: () => unknown): unknown {
  try {
    return parse();
  } catch (thrown) {
    const start = text.trimStart();
    if (start === '') throw new WireError('the body is empty instead of JSON');
    if (start.startsWith('<')) throw new WireError('the body is an HTML page instead of JSON');
    throw new WireError(`the body is not JSON: ${messageOf(thrown)}`);
  }
}

function exactNumber(text: string): number | string {
  const value = Number(text);
  return Number.isSafeInteger(value) || !/^-?\d+$/.test(text) ? value : text;
}

const isInexact = (value: number): boolean => value > Number.MAX_SAFE_INTEGER || value < -Number.MAX_SAFE_INTEGER;

/** True if some number is beyond the safe integers, so that its text may be another number. Throws if the value is nested deeper than `allowed`. */
function holdsInexact(value: unknown, allowed: number): boolean {
  if (typeof value === 'number') return isInexact(value);
  if (typeof value !== 'object' || value === null) return false;
  if (allowed === 0) throw new WireError('the JSON is nested too deep');
  let inexact = false;
  if (Array.isArray(value)) {
    for (const part of value as unknown[]) {
      if (typeof part === 'number' ? isInexact(part) : holdsInexact(part, allowed - 1)) inexact = true; // avoids a call per number, because books are long
    }
  } else {
    for (const [key, part] of Object.entries(value)) {
      if (key === '__proto__') throw new WireError('the JSON holds a key "__proto__"');
      if (holdsInexact(part, allowed - 1)) inexact = true;
    }
  }
  return inexact;
}
