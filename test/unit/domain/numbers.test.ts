// Exact integers, and identifiers as text.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { compareIds } from '../../../src/bot/domain/ids.ts';
import { lots, micros, mulPpm, ticks, toDecimal, toMicros } from '../../../src/bot/domain/numbers.ts';

const OPTIONS = { seed: 8, numRuns: 1_000 };

describe('a branded integer', () => {
  test.each([0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])('cannot be %s', (value) => {
    for (const make of [ticks, lots, micros]) expect(() => make(value)).toThrow('is not a safe integer');
  });
  test('is never -0, which would be written differently', () => {
    for (const make of [ticks, lots, micros]) expect(Object.is(make(-0), 0)).toBe(true);
  });
});

describe('mulPpm', () => {
  test('equals exact arithmetic, rounded up and down', () => {
    const value = fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -2_000_000, max: 2_000_000 }));
    fc.assert(
      fc.property(value, fc.nat({ max: 1_000_000 }), (of, ppm) => {
        const product = BigInt(of) * BigInt(ppm);
        const floor = product >= 0n ? product / 1_000_000n : -((-product + 999_999n) / 1_000_000n);
        const isWhole = floor * 1_000_000n === product;
        expect(BigInt(mulPpm(of, ppm, 'down'))).toBe(floor);
        expect(BigInt(mulPpm(of, ppm, 'up'))).toBe(isWhole ? floor : floor + 1n);
      }),
      OPTIONS,
    );
  });

  test.each([
    [1, 1, 0, 1],
    [-1, 1, -1, 0],
    [1_000_000, 50_000, 50_000, 50_000],
    [1_000_001, 50_000, 50_000, 50_001],
  ])('%i at %i ppm is %i or %i', (of, ppm, down, up) => {
    expect(mulPpm(of, ppm, 'down')).toBe(down);
    expect(mulPpm(of, ppm, 'up') + 0).toBe(up);
  });
});

describe('money', () => {
  test('as a decimal, and back', () => {
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 46), max: 2 ** 46 }), (value) => {
        expect(toMicros(toDecimal(micros(value)))).toBe(value);
      }),
      OPTIONS,
    );
  });

  test('is rounded to the nearest millionth, never -0, and undefined if it is too large', () => {
    expect(toMicros(0.000_000_6)).toBe(1);
    expect(Object.is(toMicros(-0.000_000_1), 0)).toBe(true);
    for (const amount of [Number.NaN, Number.POSITIVE_INFINITY, 1e10]) expect(toMicros(amount)).toBeUndefined();
  });
});

describe('ids', () => {
  const id = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });

  test('are ordered as numbers', () => {
    fc.assert(
      fc.property(id, id, (a, b) => {
        const order = compareIds(String(a), String(b));
        expect(Math.sign(order)).toBe(a < b ? -1 : a > b ? 1 : 0);
      }),
      OPTIONS,
    );
  });

  test.each([
    ['9', '10', -1],
    ['18446744073709551615', '18446744073709551614', 1],
    ['9007199254740993', '9007199254740992', 1],
    ['7', '7', 0],
  ])('%s compared with %s is %i', (a, b, sign) => expect(Math.sign(compareIds(a, b))).toBe(sign));
});
