// The one reader of JSON from outside the program: bytes, depth and number of values are limited before anything is built of the text.
// Limits of every source are below; test/architecture.test.ts lists the few places that may parse without it.
import { messageOf } from '../errors.ts';

/** Limits of one text. */
export interface JsonLimits {
  /** For a string, the limit is in characters. */
  readonly maxBytes: number;
  /** Lists and objects within each other. */
  readonly maxDepth: number;
  /** Members of objects and items of lists, together. Default: as many as fit into the bytes. */
  readonly maxValues?: number;
}

const KIB = 1024;
const MIB = 1024 * KIB;

/** Depth of any value from outside. Deeper values overflow the stack of code that walks them, `JSON.stringify` included. */
export const MAX_DEPTH = 64;

export const JSON_LIMITS = {
  /** A reply of an exchange. The longest are account and order book. */
  reply: { maxBytes: 4 * MIB, maxDepth: 32, maxValues: 500_000 },
  /** A message of a stream of an exchange. */
  frame: { maxBytes: MIB, maxDepth: 8, maxValues: 200_000 },
  /** The body of a request to a local API, or of a command of the page. */
  request: { maxBytes: 64 * KIB, maxDepth: 8, maxValues: 5_000 },
  /** The body of a signal. */
  signal: { maxBytes: 8 * KIB, maxDepth: MAX_DEPTH, maxValues: 2_000 },
  /** The answer to the poll of an input. */
  input: { maxBytes: MIB, maxDepth: MAX_DEPTH, maxValues: 100_000 },
  /** A file that a person names, or one line of it. */
  file: { maxBytes: 64 * MIB, maxDepth: MAX_DEPTH, maxValues: 2_000_000 },
  /** A file of the state directory, or one line of it: it may contain a value of an input, some levels deeper. */
  state: { maxBytes: 512 * MIB, maxDepth: MAX_DEPTH + 16 },
} as const satisfies Readonly<Record<string, JsonLimits>>;

/** Why a text was refused; `syntax`: it is not JSON. */
export type JsonFault = 'bytes' | 'encoding' | 'depth' | 'values' | 'key' | 'syntax';

/** The message is one sentence, for people. */
export class JsonError extends Error {
  override readonly name = 'JsonError';
  readonly fault: JsonFault;

  constructor(fault: JsonFault, message: string) {
    super(message);
    this.fault = fault;
  }
}

/** Returns the value of a JSON text. Throws a `JsonError` for text beyond the limits, that is not JSON, or that holds a key `__proto__`. */
export const readJson = (body: Uint8Array | string, limits: JsonLimits): unknown => readJsonText(body, limits).value;

/** Does what `readJson` does. Returns the text too, and whether it has a long number. */
export function readJsonText(body: Uint8Array | string, limits: JsonLimits): BoundedJson {
  if (body.length > limits.maxBytes)
    throw new JsonError('bytes', `the body has ${body.length} bytes; at most ${limits.maxBytes} are accepted`);
  const hasLongNumber = scan(typeof body === 'string' ? new TextEncoder().encode(body) : body, limits);
  const text = typeof body === 'string' ? body : decode(body);
  const value = parsed(text);
  if (mayHoldProto(text) && holdsProto(value)) throw new JsonError('key', 'the JSON holds a key "__proto__"');
  return { text, value, hasLongNumber };
}

interface BoundedJson {
  readonly text: string;
  readonly value: unknown;
  /** True if some number has more digits than are always exact in a double. */
  readonly hasLongNumber: boolean;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new JsonError('syntax', messageOf(error));
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function decode(body: Uint8Array): string {
  try {
    return utf8.decode(body);
  } catch {
    throw new JsonError('encoding', 'the body is not UTF-8 text');
  }
}

const [QUOTE, COMMA, ZERO, NINE, BACKSLASH] = [0x22, 0x2c, 0x30, 0x39, 0x5c];
/** The braces. A bracket becomes the brace of its side by setting this bit: `[` (0x5b) becomes `{` (0x7b). */
const [OPEN, CLOSE, BRACE_BIT] = [0x7b, 0x7d, 0x20];
/** The most digits of a number that a double always represents exactly. */
const EXACT_DIGITS = 15;

/**
 * Counts brackets and commas outside strings, and throws a `JsonError` beyond the limits. Returns true if there is a long number. Bytes that are not
 * JSON may be counted wrongly: the parser refuses them. Bytes are faster to scan than the characters of a string.
 */
function scan(bytes: Uint8Array, { maxDepth, maxValues = Infinity }: JsonLimits): boolean {
  let [depth, values, digits, isLong] = [0, 1, 0, false];
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= ZERO && byte <= NINE) {
      if (++digits > EXACT_DIGITS) isLong = true;
      continue;
    }
    digits = 0;
    if (byte === COMMA) values++;
    else if (byte === QUOTE) at = endOfString(bytes, at);
    else if ((byte | BRACE_BIT) === CLOSE) depth--;
    else if ((byte | BRACE_BIT) === OPEN) {
      values++;
      if (++depth > maxDepth) throw new JsonError('depth', `the JSON is nested too deep: at most ${maxDepth} levels are accepted`);
    }
  }
  if (values > maxValues) throw new JsonError('values', `the JSON has about ${values} values; at most ${maxValues} are accepted`);
  return isLong;
}

/** Index of the quote that ends the string which begins at `start`. */
function endOfString(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  for (; at < bytes.length && bytes[at] !== QUOTE; at++) if (bytes[at] === BACKSLASH) at++;
  return at;
}

/** False for nearly all texts. A key may be written with escapes. */
const mayHoldProto = (text: string): boolean => text.includes('__proto__') || text.includes('\\u');

function holdsProto(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (Array.isArray(value)) return value.some(holdsProto);
  return Object.entries(value).some(([key, part]) => key === '__proto__' || holdsProto(part));
}
