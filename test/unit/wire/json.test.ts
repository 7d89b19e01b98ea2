// JSON: exact ids, and an error of its own for everything that is not JSON.
import { describe, expect, it } from 'vitest';
import { WireError } from '../../../src/base/wire/framing.ts';
import { parseJson } from '../../../src/base/wire/json.ts';

const LIMITS = { maxBytes: 1000, maxDepth: 8 };
const parse = (text: string): unknown => parseJson(new TextEncoder().encode(text), LIMITS);

describe('numbers', () => {
  it.each([
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', '9007199254740992'],
    ['9007199254740993', '9007199254740993'],
    ['18446744073709551615', '18446744073709551615'],
    ['-9007199254740993', '-9007199254740993'],
    ['0.30000000000000004', 0.30000000000000004],
    ['12345678901234567890.5', 12345678901234567000],
    ['1e300', 1e300],
    ['-0', -0],
  ])('%s', (text, value) => {
    expect(parse(text)).toBe(value);
    expect(parse(`{"a":[{"b":${text}}]}`)).toEqual({ a: [{ b: value }] });
  });

  it('leaves text and small numbers beside a long one as they are', () => {
    const text = '{"orderId":9007199254740993,"price":0.1,"text":"9007199254740993 \\u00e9","none":null,"yes":true,"n":1e3}';
    expect(parse(text)).toEqual({ orderId: '9007199254740993', price: 0.1, text: '9007199254740993 é', none: null, yes: true, n: 1000 });
  });

  it('lets the last of two equal keys win, whichever parser it takes', () => {
    expect(parse('{"a":1,"a":2}')).toEqual({ a: 2 });
    expect(parse('{"a":1,"a":9007199254740993}')).toEqual({ a: '9007199254740993' });
  });
});

describe('what is refused', () => {
  it.each([
    ['nothing', '', 'the body is empty'],
    ['blanks', ' \n', 'the body is empty'],
    ['a page', '<!DOCTYPE html><html>…', 'an HTML page instead of JSON'],
    ['a page after a blank', '\n <html>', 'an HTML page instead of JSON'],
    ['words', 'upstream timed out', 'the body is not JSON'],
    ['a truncated value', '{"a":[1,2', 'the body is not JSON'],
    ['more than one value', '{} {}', 'the body is not JSON'],
    ['NaN', '{"price":NaN}', 'the body is not JSON'],
    ['too much', `"${'x'.repeat(999)}"`, 'has 1001 bytes; at most 1000'],
    ['nine levels', '[[[[[[[[[]]]]]]]]]', 'nested too deep'],
    ['nine levels with a long number', '[[[[[[[[[9007199254740993]]]]]]]]]', 'nested too deep'],
    ['a prototype', '{"__proto__":{"a":1}}', '"__proto__"'],
    ['a prototype with a long number', '{"__proto__":{"a":9007199254740993}}', '"__proto__"'],
    ['control characters', '\u001b[31m', 'the body is not JSON'],
  ])('%s', (_, text, message) => {
    expect(() => parse(text)).toThrow(WireError);
    expect(() => parse(text)).toThrow(message);
    expect(() => parse(text)).not.toThrow('\u001b');
  });

  it('bytes that are no text', () => expect(() => parseJson(Uint8Array.of(0x22, 0xff, 0x22), LIMITS)).toThrow('not UTF-8'));
  it('but not eight levels', () => expect(parse('[[[[[[[[]]]]]]]]')).toEqual([[[[[[[[]]]]]]]]));
  it('nor a mark at the start', () => expect(parse('\ufeff{}')).toEqual({}));
  it('a million brackets, without a crash', () => {
    expect(() => parseJson('['.repeat(500_000) + ']'.repeat(500_000), { maxBytes: 2_000_000, maxDepth: 32 })).toThrow('nested too deep');
  });
});
