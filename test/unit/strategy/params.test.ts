// Parameters: defaults, overrides, and every complaint with its place and what to write instead.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { resolveParams } from '../../../src/strategy/params.ts';

const shape = {
  defaults: { market: 'BTCUSDC', size: 0.01, offset: 0, bias: -1, levels: 5, style: 'calm', eager: false },
  ranges: { levels: [1, 100], style: ['calm', 'wild'] },
} as const;
const at = () => ({ file: 'config/grid.yaml', line: 7, column: 9 });
const resolve = (given: Record<string, unknown>) => resolveParams(shape, given, at);

function complaint(given: Record<string, unknown>): string {
  try {
    resolve(given);
  } catch (error) {
    expect(error).toBeInstanceOf(UserError);
    return (error as UserError).message;
  }
  throw new Error('nothing was complained about');
}

describe('resolveParams', () => {
  test('gives the defaults with what was overridden, numbers bare or quoted', () => {
    expect(resolve({})).toEqual(shape.defaults);
    expect(resolve({ size: '0.25', levels: 3, offset: 0, bias: '-2.5', style: 'wild', eager: true })).toEqual({
      market: 'BTCUSDC',
      size: 0.25,
      offset: 0,
      bias: -2.5,
      levels: 3,
      style: 'wild',
      eager: true,
    });
  });

  test.each([
    [{ size: '0,01' }, 'size "0,01" is not a decimal; write 0.01'],
    [{ size: '0.5 BTC' }, 'size "0.5 BTC" is not a decimal; write 0.5'],
    [{ size: '1e-2' }, 'size "1e-2" is not a decimal; write 0.01'],
    [{ size: 'lots' }, 'size "lots" is not a decimal; write 0.01'],
    [{ size: Number.NaN }, 'size NaN is not a decimal; write 0.01'],
    [{ size: Number.POSITIVE_INFINITY }, 'size Infinity is not a decimal; write 0.01'],
    [{ size: true }, 'size true is not a decimal; write 0.01'],
    [{ size: null }, 'size null is not a decimal; write 0.01'],
    [{ size: [1] }, 'size [1] is not a decimal; write 0.01'],
    [{ size: -0.01 }, 'size -0.01 is negative'],
    [{ size: '-0.01' }, 'size "-0.01" is negative'],
    [{ size: 0 }, 'size 0 must be above zero; the default is 0.01'],
    [{ offset: -1 }, 'offset -1 is negative'],
    [{ levels: 101 }, 'levels 101 is outside 1 to 100'],
    [{ levels: 0 }, 'levels 0 is outside 1 to 100'],
    [{ market: 5 }, 'market 5 is not text; write for example "BTCUSDC"'],
    [{ style: 'wlid' }, 'style "wlid" is unknown; did you mean "wild"?'],
    [{ eager: 'yes' }, 'eager "yes" is not true or false'],
    [{ levles: 5 }, 'unknown parameter "levles"; did you mean "levels"?'],
    [{ toString: 5 }, 'unknown parameter "toString"; known: market, size, offset, bias, levels, style, eager'],
    [{ size: '1_000' }, 'size "1_000" is not a decimal; write 0.01'],
  ])('%o', (given, message) => {
    expect(complaint(given)).toBe(`config/grid.yaml:7:9: ${message}`);
  });

  test('a key that would reach into the prototype is only an unknown one', () => {
    expect(complaint(JSON.parse('{"__proto__": {"size": 1}}') as Record<string, unknown>)).toContain('unknown parameter "__proto__"');
    expect(({} as Record<string, unknown>)['size']).toBeUndefined();
  });

  test('without a place the message stands alone', () => {
    expect(() => resolveParams(shape, { size: '0,01' }, () => undefined)).toThrow(/^size "0,01" is not a decimal; write 0.01$/);
  });
});
