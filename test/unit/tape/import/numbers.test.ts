// Decimal texts of recordings as integers, compared with exact decimals.
import { fc, test as property } from '@fast-check/vitest';
import { describe, expect, test } from 'vitest';
import { scale } from '../../../../src/base/text/decimal.ts';
import { createScaler, decimalsOf, scaledDown } from '../../../../src/research/import/formats/numbers.ts';

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
  property.prop([decimalText, fc.nat({ max: 6 })])('equals the exact decimal', (text, decimals) => {
    expect(scaledDown(text, decimals)).toBe(Number(scale(text, decimals, 'down')));
  });

  property.prop([decimalText])('is exact with enough decimals', (text) => {
    expect(scale(text, decimalsOf(text) ?? 0, 'exact')).toBe(BigInt(scaledDown(text, decimalsOf(text) ?? 0)));
  });

  test('stops at a number that is not exact', () => {
    expect(() => scaledDown('99999999999999.999', 3)).toThrow('too large');
  });
});

describe('sizes', () => {
  test('are rounded toward zero, but not to nothing, and counted', () => {
    const scaler = createScaler({ price: 1, size: 2 });
    expect(['0.019', '0.01', '0.0049', '0', '0.000', '7.5'].map((size) => scaler.lots(size, '1'))).toEqual([1, 1, 1, 0, 0, 750]);
    expect(scaler.rounded).toBe(2);
  });

  test('in units of many tokens are smaller, and prices larger, by that factor', () => {
    const scaler = createScaler({ price: 5, size: 1 }, { unit: 1_000 });
    expect([scaler.ticks('0.00001234'), scaler.price('0.00001234')]).toEqual([1_234, 0.01234]);
    expect(['12300', '12345', '99', '0'].map((size) => scaler.lots(size, '1'))).toEqual([123, 123, 1, 0]);
    expect(scaler.rounded).toBe(2);
  });

  test('in units may be finer than one unit', () => {
    const scaler = createScaler({ price: 2, size: 3 }, { unit: 10 });
    expect([scaler.ticks('0.123'), scaler.lots('1.25', '1')]).toEqual([123, 125]);
  });

  test('in contracts are converted at the price beside them', () => {
    const scaler = createScaler({ price: 1, size: 4 }, { contractValue: 100 });
    expect([scaler.lots('5000', '50000.0'), scaler.lots('1', '60000'), scaler.lots('0', '60000')]).toEqual([100_000, 16, 0]);
    expect(scaler.rounded).toBe(1);
  });
});
