// Finds text that looks like a key, so that it is refused where others could read it, and masked in messages.

/** No part of a word or path may adjoin: file names may be public keys. */
const ALONE = { before: String.raw`(?<![\w./+])`, after: String.raw`(?![\w./+])` };
const alone = (pattern: string): RegExp => new RegExp(`${ALONE.before}(?:${pattern})${ALONE.after}`, 'g');

/** The content of a keypair file, and text that begins like it. Only for masking: it also matches other lists, which must not be refused. */
const LIST = /\[\s*\d{1,3}(?:\s*,\s*\d{1,3}){30,}\s*,?\s*\]?/g;
/** 32 or 64 numbers of at most three digits, between commas or blanks, with or without brackets. */
const WHOLE_LIST = /\[?(?<![\d.,])\d{1,3}(?:[\s,]+\d{1,3}){31}(?:(?:[\s,]+\d{1,3}){32})?(?![\s,]*[\d.])\s*\]?/g;
/** Lower-case letters, capitals and digits, which every key has and long words do not have. */
const MIXED = '(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*[0-9])';
const BASE58_64 = alone(`${MIXED}[1-9A-HJ-NP-Za-km-z]{85,88}`);
const BASE58_32 = alone(`${MIXED}[1-9A-HJ-NP-Za-km-z]{42,44}`);
const IS_BASE58 = /^[1-9A-HJ-NP-Za-km-z]+$/;
/** 32 or 64 bytes in hex, also within a word or path. Not a hash: the program writes `sha256 ` before each. */
const HEX = /(?<!sha256 |[0-9a-fA-F])(?:[0-9a-fA-F]{128}|[0-9a-fA-F]{64})(?![0-9a-fA-F])/g;
/** 32 or 64 bytes, in the alphabets of base64 and base64url, with or without padding. */
const BASE64 = /(?<![\w./+-])(?:[\w+/-]{86}(?:==)?|[\w+/-]{43}=?)(?![\w./+-])/g;
/** 32 or 64 bytes in base32: letters A to Z and digits 2 to 7, or the alphabets of base32hex and of Crockford; in one case, with or without padding. */
const BASE32 = /(?<![\w./+-])(?:[A-Z0-9]{103}|[A-Z0-9]{52}|[a-z0-9]{103}|[a-z0-9]{52})=*(?![\w./+-])/g;
/** Adjacent letters of a random text change between small letter, capital and digit more often than this; those of names and paths less often. */
const RANDOM_CHANGES = 0.4;

/**
 * True if the text contains a secret or public key of 32 or 64 bytes on its own, in any encoding: base58, base64 or base64url with or without
 * padding, base32, hex, or a list of bytes.
 */
export const holdsKey = (text: string): boolean =>
  [BASE58_64, BASE58_32, HEX].some((shape) => text.search(shape) >= 0) ||
  [text, text.replace(/^-+/, '')].some((part) => (part.match(BASE64) ?? []).some(isRandom)) || // a key may begin with a dash, and an option does
  (text.match(BASE32) ?? []).some(isBase32) ||
  (text.match(WHOLE_LIST) ?? []).some(areRandomBytes);

/** False for words, which have few digits, and for numbers. Of the 52 characters of 32 random bytes, nearly always 3 to 32 are digits. */
function isBase32(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  const letters = text.replace(/[^A-Za-z]/g, '').length;
  return digits >= 3 && letters >= 20;
}

const KINDS = [/[a-z]/, /[A-Z]/, /[0-9]/] as const;

/** False for a path or a name that is as long as a key. */
function isRandom(text: string): boolean {
  const kinds = (text.match(/[A-Za-z0-9]/g) ?? []).map((letter) => KINDS.findIndex((kind) => kind.test(letter)));
  const changes = kinds.filter((kind, index) => index > 0 && kind !== kinds[index - 1]).length;
  return changes >= RANDOM_CHANGES * (kinds.length - 1);
}

/** False for a list of parameters, which has no brackets, and is sorted or has no number of 100 or more. */
function areRandomBytes(list: string): boolean {
  const bytes = (list.match(/\d+/g) ?? []).map(Number);
  const isArray = list.startsWith('[');
  const isSorted = bytes.every((byte, index) => index === 0 || byte >= (bytes[index - 1] ?? 0));
  return bytes.every((byte) => byte <= 255) && (isArray || (!isSorted && bytes.some((byte) => byte >= 100)));
}

/**
 * The text without keys in any encoding. A public key in base58 looks the same as a secret one: both keep their first and last four letters, by which
 * people know a public key, and which are useless to a thief.
 */
export function withoutKeys(text: string): string {
  return [BASE58_64, HEX]
    .reduce((rest, shape) => rest.replace(shape, '[a key]'), text.replace(LIST, '[]')) // what was JSON stays JSON
    .replace(BASE64, (found) => (IS_BASE58.test(found) || !isRandom(found) ? found : '[a key]'))
    .replace(BASE32, (found) => (isBase32(found) ? '[a key]' : found))
    .replace(WHOLE_LIST, (found) => (areRandomBytes(found) ? '[a key]' : found))
    .replace(BASE58_32, (key) => `${key.slice(0, 4)}…${key.slice(-4)}`);
}
