// Hostile bytes and text from a seed: flipped bits; parts that are cut, doubled or moved; parts that are replaced by tokens that confuse parsers.
import type { Rng } from '../../src/base/rng.ts';

const WORDS = [
  '0',
  '-1',
  '1e999',
  '-0',
  'NaN',
  'null',
  'true',
  '""',
  '[]',
  '{}',
  '9007199254740993',
  '18446744073709551616',
  '1e-400',
  '0x10',
  '\\u0000',
  '\u202e',
  '\ud800',
  '%s',
  '../..',
  "'",
  '"',
  '`',
  '\n',
  '\r',
  '\t',
  ',',
  ':',
  ';',
  '{',
  '}',
  '[',
  ']',
  '<',
  '&a',
  '*a',
  '!!js/function',
  '<<: ',
  '__proto__',
  '"__proto__":',
  '"constructor":{"prototype":',
  'toString',
  '\u0000',
  '\ufeff',
];
const BYTES = [
  [0],
  [0xff],
  [0x7f],
  [0x80],
  [0xff, 0xff, 0xff, 0xff],
  [0xff, 0xff, 0xff, 0x7f],
  [0, 0, 0, 0, 0, 0, 0, 0],
  Array<number>(10).fill(0xff),
  [0x1f, 0x8b, 8],
  [0x50, 0x41, 0x52, 0x31],
];

/** One to five changes. */
export function mutated(source: Uint8Array, rng: Rng): Buffer {
  let bytes = Buffer.from(source);
  for (let left = 1 + rng.below(5); left > 0; left--) bytes = Buffer.from(changedOnce(bytes, rng));
  return bytes;
}

function changedOnce(bytes: Buffer, rng: Rng): Buffer {
  const at = rng.below(bytes.length + 1);
  const end = Math.min(bytes.length, at + 1 + rng.below(rng.below(4) === 0 ? 400 : 12));
  const [before, part, after] = [bytes.subarray(0, at), bytes.subarray(at, end), bytes.subarray(end)];
  switch (rng.below(7)) {
    case 0:
      return Buffer.concat([before, part.map((byte) => byte ^ (1 << rng.below(8))), after]);
    case 1:
      return before;
    case 2:
      return Buffer.concat([before, after]);
    case 3:
      return Buffer.concat([before, part, part, ...Array<Buffer>(rng.below(20)).fill(part), after]);
    case 4:
      return Buffer.concat([before, after.subarray(0, after.length / 2), part, after.subarray(after.length / 2)]);
    case 5:
      return Buffer.concat([before, Buffer.from(BYTES[rng.below(BYTES.length)] ?? []), after]);
    default:
      return Buffer.concat([before, Buffer.from(WORDS[rng.below(WORDS.length)] ?? ''), rng.below(2) === 0 ? part : Buffer.of(), after]);
  }
}

/** JSON with some values replaced by ones of another type, and with keys such as `__proto__`. */
export function mutatedJson(source: unknown, rng: Rng): string {
  const strange = (): unknown => STRANGE[rng.below(STRANGE.length)];
  const change = (value: unknown): unknown => {
    if (rng.below(12) === 0) return strange();
    if (Array.isArray(value)) {
      const parts = value.map(change);
      return rng.below(10) === 0 ? [...parts, ...parts, strange()] : parts;
    }
    if (typeof value !== 'object' || value === null) return value;
    const parts = Object.entries(value).flatMap(([key, part]) => (rng.below(20) === 0 ? [] : [[key, change(part)] as const]));
    if (rng.below(10) === 0) parts.push([['extra', 'constructor', 'toString', 'length'][rng.below(4)] ?? '', strange()]);
    return Object.fromEntries(parts);
  };
  const text = JSON.stringify(change(source)) ?? 'null';
  return rng.below(8) === 0 ? text.replace('{', '{"__proto__":{"polluted":true},') : text;
}

const STRANGE: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  0.1,
  1e308,
  -1e308,
  2 ** 53 + 2,
  2 ** 64,
  '',
  'x',
  '0',
  '-1',
  '1e5',
  'NaN',
  '99999999999999999999999',
  [],
  {},
  [[]],
  [null],
  [[1, 'x']],
  { polluted: 1 },
  '\u0000',
  '\u202e',
  'x'.repeat(5_000),
  Array(300).fill(0),
  nested(40),
  '2026-99-99T00:00:00Z',
  '2026-01-01',
];

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
}

/** The keys that were added to `Object.prototype`; empty if hostile input has not polluted it. */
export const pollution = (): readonly string[] =>
  Object.keys(Object.prototype).concat(Object.getOwnPropertyNames(Object.prototype).filter((name) => name === 'polluted'));
