// The reader of JSON from outside: what JSON.parse reads, within limits of bytes, depth and values.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import { JSON_LIMITS, JsonError, type JsonFault, MAX_DEPTH, readJson } from '../../../src/base/text/json.ts';
import { mutated, mutatedJson, pollution } from '../../security/mutations.ts';

const LIMITS = { maxBytes: 1_000_000, maxDepth: MAX_DEPTH, maxValues: 1_000 };
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);

function faultOf(read: () => unknown): JsonFault | undefined {
  try {
    read();
  } catch (error) {
    if (error instanceof JsonError) return error.fault;
    throw error;
  }
  return undefined;
}

test.each<[string, string | Uint8Array, JsonFault | undefined]>([
  ['64 levels', nested(64), undefined],
  ['65 levels', nested(65), 'depth'],
  ['65 levels of objects', `${'{"a":'.repeat(65)}1${'}'.repeat(65)}`, 'depth'],
  ['100,000 levels', nested(100_000), 'depth'],
  ['100,000 levels without an end', '['.repeat(100_000), 'depth'],
  ['brackets in a string', `["${'['.repeat(5_000)}"]`, undefined],
  ['brackets after an escaped quote', String.raw`["\"${'['.repeat(5_000)}"]`, undefined],
  ['depth after an escaped backslash', String.raw`["\\",` + nested(65) + ']', 'depth'],
  ['depth side by side', `[${Array.from({ length: 300 }, () => nested(3)).join()}]`, 'values'],
  ['a thousand values', `[${'1,'.repeat(997)}1]`, undefined],
  ['too many keys', `{${Array.from({ length: 2_000 }, (_, at) => `"k${at}":0`).join()}}`, 'values'],
  ['too many bytes', `"${'x'.repeat(1_000_000)}"`, 'bytes'],
  ['no text', Uint8Array.of(0x22, 0xff, 0x22), 'encoding'],
  ['a key __proto__', '{"a":{"__proto__":{"x":1}}}', 'key'],
  ['a key __proto__ with an escape', String.raw`[{"\u005f_proto__":{"x":1}}]`, 'key'],
  ['a value __proto__', '["__proto__"]', undefined],
  ['text', 'hello', 'syntax'],
  ['nothing', '', 'syntax'],
])('%s', (_, text, fault) => {
  expect(faultOf(() => readJson(text, LIMITS))).toBe(fault);
  if (typeof text === 'string' && fault !== 'encoding') expect(faultOf(() => readJson(Buffer.from(text), LIMITS))).toBe(fault);
  if (fault === undefined) expect(readJson(text, LIMITS)).toEqual(JSON.parse(String(text)));
  expect(pollution()).toEqual([]);
});

test('any text gives the value of JSON.parse, or a JsonError', () => {
  const source = { a: [1, 'x"]{', { b: null }], price: 60_000.5, 'k\\': ['\u2028', true] };
  let accepted = 0;
  for (let round = 0; round < 2_000; round++) {
    const rng = rngFrom(`json ${round}`);
    const text = mutated(Buffer.from(mutatedJson(source, rng)), rng).toString('utf8');
    if (faultOf(() => readJson(text, LIMITS)) !== undefined) continue;
    accepted++;
    expect(readJson(text, LIMITS)).toEqual(JSON.parse(text));
  }
  expect(accepted).toBeGreaterThan(100);
  expect(pollution()).toEqual([]);
});

describe('the limits of', () => {
  test.each(Object.entries(JSON_LIMITS))('%s can be written again as JSON within the stack', (_, { maxDepth }) => {
    expect(JSON.stringify(readJson(nested(maxDepth), { maxBytes: 1_000, maxDepth }))).toHaveLength(2 * maxDepth);
    expect(maxDepth).toBeLessThan(100);
  });
});
