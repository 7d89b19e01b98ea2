// Escapes the characters of foreign text that control a terminal, and nothing else.
import { expect, test } from 'vitest';
import { printable, visible } from '../../../src/base/text/visible.ts';

test.each([
  ['an escape sequence', 'a\x1b[2Jb', 'a\\u001b[2Jb'],
  ['one of a single character', 'a\u009b2Jb', 'a\\u009b2Jb'],
  ['a carriage return', 'good\rbad', 'good\\u000dbad'],
  ['a backspace', 'x\b', 'x\\u0008'],
  ['reversed text', 'a\u202eb', 'a\\u202eb'],
  ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ['a hidden character', 'a\u200bb', 'a\\u200bb'],
  ['an invisible tag beyond 16 bits', 'a\u{e0041}b', 'a\\udb40\\udc41b'],
  ['half a pair', 'a\ud800b', 'a\\ud800b'],
])('escapes %s', (_, text, shown) => expect(visible(text)).toBe(shown));

test.each(['', 'plain', 'lines\nand\ttabs', 'ünïcode ▲ → 日本', '{"a":"\\u001b"}'])('does not change %j', (text) =>
  expect(visible(text)).toBe(text),
);

test('keeps the meaning of JSON', () => {
  const value = { symbol: 'A\u202e\x1b\u009b\u{e0041}' };
  expect(JSON.parse(visible(JSON.stringify(value)))).toEqual(value);
});

test.each([
  ['a line break is escaped too', 'a\n\tb', 'a\\u000a\\u0009b'],
  ['letters of all languages stay', 'ünïcode ▲ → 日本 😀', 'ünïcode ▲ → 日本 😀'],
  ['three hundred characters stay', '😀'.repeat(300), '😀'.repeat(300)],
  ['a longer text is cut', '😀'.repeat(301), `${'😀'.repeat(299)}…`],
  ['a very long text is cut too', `é${'x'.repeat(1_000_000)}`, `é${'x'.repeat(298)}…`],
  ['escapes count towards the length', '\x1b'.repeat(60), `${'\\u001b'.repeat(49)}\\u001…`],
])('gives one printable line: %s', (_, text, shown) => expect(printable(text)).toBe(shown));
