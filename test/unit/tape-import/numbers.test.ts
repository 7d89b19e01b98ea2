// Texts of recordings as whole numbers: the same as exact decimals say.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { scale } from '../../../src/base/decimal.ts';
import { createScaler, decimalsOf, scaledDown } from '../../../src/tape/import/numbers.ts';

const decimalText = fc
  .tuple(fc.nat({ max: 99_999_999 }), fc.option(fc.stringMatching(/^\d{1,6}$/), { nil: undefined }))
  .map(([whole, fraction]) => (fraction === undefined ? `${whole}` : `${whole}.${fraction}`));

describe('decimalsOf', () => {
  test.each([
    ['28145.10', 1],
    ['5000.00', 0],
    ['12', 0],
    ['0.00000001', 8],
    ['100', 0],
    ['10.0203', 4],
  ])('%s needs %i', (text, decimals) => {
    expect(decimalsOf(text)).toBe(decimals);
  });

  test.each(['', '.', '.5', '5.', '1.2.3', '-1', '+1', '1e5', 'NaN', ' 1', '1,5', '0x10'])('"%s" is none', (text) => {
    expect(decimalsOf(text)).toBeUndefined();
  });
});

describe('scaledDown', () => {
  property.prop([decimalText, fc.nat({ max: 6 })])('is what exact decimals give', (text, decimals) => {
    expect(scaledDown(text, decimals)).toBe(Number(scale(text, decimals, 'down')));
  });

  property.prop([decimalText])('loses nothing with the decimals that are needed', (text) => {
    expect(scale(text, decimalsOf(text) ?? 0, 'exact')).toBe(BigInt(scaledDown(text, decimalsOf(text) ?? 0)));
  });

  test('stops at a number that is not exact', () => {
    expect(() => scaledDown('99999999999999.999', 3)).toThrow('too large');
  });
});

describe('sizes', () => {
  test('are rounded toward zero, but not to nothing, and counted', () => {
    const scaler = createScaler({ price: 1, size: 2 });
    expect(['0.019', '0.01', '0.0049', '0', '0.000', '7.5'].map(scaler.lots)).toEqual([1, 1, 1, 0, 0, 750]);
    expect(scaler.rounded).toBe(2);
  });
});
