// Parses the text of a plain key byte by byte, because a string could not be wiped afterwards.
import { KEY_BYTES } from '../wire/ed25519.ts';
import { keyError, secretBytes, secretCopy } from './private-file.ts';

const ALPHABET = Buffer.from('123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz', 'latin1');
const [OPEN, CLOSE, COMMA, ZERO, NINE, ONE] = [0x5b, 0x5d, 0x2c, 0x30, 0x39, 0x31];

export interface PlainKey {
  /** 32 bytes; the caller wipes them. */
  readonly secret: Uint8Array;
  /** The public half in the text, which may not belong to `secret`. */
  readonly stated: Uint8Array | undefined;
}

/** Parses a JSON array of 64 bytes, or base58 of 32 or 64 bytes. Wipes `text`. Throws a UserError `key` for anything else. */
export function plainKeyIn(text: Uint8Array, file: string): PlainKey {
  const bytes = text[firstNonBlank(text)] === OPEN ? listedBytes(text) : base58Bytes(text);
  text.fill(0);
  if (bytes === undefined || (bytes.length !== KEY_BYTES && bytes.length !== 2 * KEY_BYTES)) {
    bytes?.fill(0);
    throw keyError(
      `${file} is not a key file`,
      'expected a JSON array of 64 bytes, base58 text of 32 or 64 bytes, a keystore, or a signer',
    );
  }
  const secret = secretCopy(bytes.subarray(0, KEY_BYTES));
  const stated = bytes.length > KEY_BYTES ? bytes.slice(KEY_BYTES) : undefined;
  bytes.fill(0);
  return { secret, stated };
}

/** Index of the first character that is not a blank. */
export function firstNonBlank(text: Uint8Array): number {
  let at = 0;
  while (isBlank(text[at])) at++;
  return at;
}

const isBlank = (byte: number | undefined): boolean => byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;

/** `[1, 2, 255]`: whole numbers up to 255 without leading zeros. */
function listedBytes(text: Uint8Array): Uint8Array | undefined {
  const bytes = secretBytes(text.length);
  let count = 0;
  let at = firstNonBlank(text) + 1;
  const skip = (): void => {
    while (isBlank(text[at])) at++;
  };
  for (let more = true; more; ) {
    skip();
    const start = at;
    let value = 0;
    for (let digit = text[at] ?? 0; digit >= ZERO && digit <= NINE; digit = text[++at] ?? 0) value = value * 10 + digit - ZERO;
    if (at === start || at - start > 3 || value > 255 || (at - start > 1 && text[start] === ZERO)) return undefined;
    bytes[count++] = value;
    skip();
    more = text[at++] === COMMA;
  }
  const closed = text[at - 1] === CLOSE;
  skip();
  return closed && at === text.length ? bytes.subarray(0, count) : undefined;
}

/** Digits of base 58 to bytes; a leading `1` is a leading zero byte. */
function base58Bytes(text: Uint8Array): Uint8Array | undefined {
  const start = firstNonBlank(text);
  let end = text.length;
  while (end > start && isBlank(text[end - 1])) end--;
  if (end - start > 4 * KEY_BYTES) return undefined; // decoding is quadratic
  const bytes = secretBytes(end - start);
  let length = 0;
  let zeros = 0;
  for (let at = start; at < end; at++) {
    let carry = ALPHABET.indexOf(text[at] ?? 0);
    if (carry < 0) return undefined;
    if (length === 0 && carry === 0 && text[at] === ONE) zeros++;
    for (let place = 0; place < length || carry > 0; place++) {
      carry += (bytes[place] ?? 0) * 58;
      bytes[place] = carry & 0xff;
      carry >>= 8;
      if (place >= length) length = place + 1;
    }
  }
  return bytes.subarray(0, length + zeros).reverse();
}
