// Exact decimals: which become integers, how they are rounded, and which texts are no decimals.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isDecimalText, scale, unscale } from '../../../src/base/text/decimal.ts';

describe('scale', () => {
  test.each([
    [0.29, 2, 29n],
    [1.005, 3, 1005n],
    ['0.1', 1, 1n],
    ['-2.50', 2, -250n],
    ['12', 0, 12n],
    [1e21, 0, 10n ** 21n],
    [5e-7, 7, 5n],
    ['9007199254740993', 0, 9007199254740993n],
    ['123456789012345678901234567890.5', 1, 1234567890123456789012345678905n],
  ])('%s with %i decimals is exactly %s', (value, decimals, integer) => {
    expect(scale(value, decimals, 'exact')).toBe(integer);
    expect(scale(value, decimals, 'down')).toBe(integer);
    expect(scale(value, decimals, 'up')).toBe(integer);
  });

  test.each([
    [1.25, 1, { down: 12n, up: 13n }],
    [-1.25, 1, { down: -13n, up: -12n }],
    ['0.0000000000000000001', 0, { down: 0n, up: 1n }],
    [0.1 + 0.2, 1, { down: 3n, up: 4n }],
  ])('%s with %i decimals is not on the step, and rounds in the requested direction', (value, decimals, { down, up }) => {
    expect(scale(value, decimals, 'exact')).toBeUndefined();
    expect(scale(value, decimals, 'down')).toBe(down);
    expect(scale(value, decimals, 'up')).toBe(up);
  });

  test.each([Number.NaN, Number.POSITIVE_INFINITY, '0,01', '1e5', '', ' 1', '0x10', '1_000', 'NaN', '.5', '5.', '+1', '--1'])(
    '%j is not a decimal',
    (value) => {
      expect(scale(value, 2, 'down')).toBeUndefined();
      if (typeof value === 'string') expect(isDecimalText(value)).toBe(false);
    },
  );
});

describe('unscale', () => {
  test.each([
    [12_050, 3, '12.050'],
    [-5, 2, '-0.05'],
    [0, 4, '0.0000'],
    [7, 0, '7'],
    [18446744073709551615n, 6, '18446744073709.551615'],
    [Number.MAX_SAFE_INTEGER, 9, '9007199.254740991'],
  ])('%s with %i decimals is %s', (value, decimals, text) => expect(unscale(value, decimals)).toBe(text));

  test('is undone by scale', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 80n), max: 2n ** 80n }), fc.nat({ max: 18 }), (value, decimals) => {
        expect(scale(unscale(value, decimals), decimals, 'exact')).toBe(value);
      }),
      { seed: 3, numRuns: 300 },
    );
  });
});
