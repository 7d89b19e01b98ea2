// Text that looks like a key: nobody may type it where others can read it, and no message may carry it on.

/** Nothing of a word or a path around it: names of files may be public keys. */
const ALONE = { before: String.raw`(?<![\w./+])`, after: String.raw`(?![\w./+])` };
const alone = (pattern: string): RegExp => new RegExp(`${ALONE.before}(?:${pattern})${ALONE.after}`, 'g');

/** What a keypair file holds, and what begins like it. */
const LIST = /\[\s*\d{1,3}(?:\s*,\s*\d{1,3}){30,}\s*,?\s*\]?/g;
const WHOLE_LIST = /\[\s*\d{1,3}(?:\s*,\s*\d{1,3}){31}(?:(?:\s*,\s*\d{1,3}){32})?\s*\]/g;
/** Letters of both kinds and digits, as any key has: a long word has not. */
const MIXED = '(?=[A-Za-z0-9]*[a-z])(?=[A-Za-z0-9]*[A-Z])(?=[A-Za-z0-9]*[0-9])';
const BASE58_64 = alone(`${MIXED}[1-9A-HJ-NP-Za-km-z]{85,88}`);
const BASE58_32 = alone(`${MIXED}[1-9A-HJ-NP-Za-km-z]{42,44}`);
/** Wherever it stands; hashes are as long, and are called so. */
const HEX = /(?<!sha256 |[0-9a-fA-F])(?:[0-9a-fA-F]{128}|[0-9a-fA-F]{64})(?![0-9a-fA-F])/g;
const BASE64 = /(?<![\w+/-])(?:[\w+/-]{86}(?:==)?|[\w+/-]{43}=)(?![\w+/=-])/g;

/** True where a secret or public key stands in it by itself: base58 of 32 or 64 bytes, or a JSON array of bytes. */
export const holdsKey = (text: string): boolean => [WHOLE_LIST, BASE58_64, BASE58_32].some((shape) => text.search(shape) >= 0);

/**
 * The text with keys taken out, in whatever spelling. A public key in base58 looks the same as a secret one: both keep their first and last four
 * letters, which people know a public key by, and which are of no use to a thief.
 */
export function withoutKeys(text: string): string {
  return [BASE58_64, HEX, BASE64]
    .reduce((rest, shape) => rest.replace(shape, '[a key]'), text.replace(LIST, '[]')) // what was JSON is JSON still
    .replace(BASE58_32, (key) => `${key.slice(0, 4)}…${key.slice(-4)}`);
}
