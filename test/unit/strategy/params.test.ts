// Parameters: defaults, overrides, and every error with its place and a suggestion.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import { type LoadedConfig, loadConfig } from '../../../src/bot/run/core/config.ts';
import { shapeFault } from '../../../src/bot/strategy/loading/loader.ts';
import { marketsNamedIn } from '../../../src/bot/strategy/markets.ts';
import { millisOf, resolveParams } from '../../../src/bot/strategy/params.ts';

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
  test('returns the defaults with overrides; numbers may be quoted', () => {
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
    [{ size: '1e-2' }, 'size "1e-2" is not a decimal; write a number, as in 0.01'],
    [{ size: 'lots' }, 'size "lots" is not a decimal; write a number, as in 0.01'],
    [{ size: Number.NaN }, 'size NaN is not a decimal; write a number, as in 0.01'],
    [{ size: Number.POSITIVE_INFINITY }, 'size Infinity is not a decimal; write a number, as in 0.01'],
    [{ size: true }, 'size true is not a decimal; write a number, as in 0.01'],
    [{ size: null }, 'size null is not a decimal; write a number, as in 0.01'],
    [{ size: [1] }, 'size [1] is not a decimal; write a number, as in 0.01'],
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
    [{ size: '1_000' }, 'size "1_000" is not a decimal; write a number, as in 0.01'],
  ])('%o', (given, message) => {
    expect(complaint(given)).toBe(`config/grid.yaml:7:9: ${message}`);
  });

  test('a key of the prototype is an unknown key', () => {
    expect(complaint(JSON.parse('{"__proto__": {"size": 1}}') as Record<string, unknown>)).toContain('unknown parameter "__proto__"');
    expect(({} as Record<string, unknown>)['size']).toBeUndefined();
  });

  test('without a place the message has none', () => {
    expect(() => resolveParams(shape, { size: '0,01' }, () => undefined)).toThrow(/^size "0,01" is not a decimal; write 0.01$/);
  });
});

const create = (): unknown => undefined;

describe('lists and durations', () => {
  const defaults = { markets: ['BTCUSDC', 'ETHUSDC'], weights: [1, 2], hedgeMarket: 'SOLUSDC', wait: '15m' };
  const ranges = { weights: [0, 5] } as const;
  const given = (text: string) => {
    const config: LoadedConfig = loadConfig({ file: undefined, sets: [`params.${text}`] });
    return resolveParams({ defaults, ranges }, config.params, (key) => config.placeOfParam(key));
  };

  test('are written as YAML', () => {
    expect(given('markets=[BTCUSDC,SOLUSDC]').markets).toEqual(['BTCUSDC', 'SOLUSDC']);
    expect(given('weights=[0.5, "1.5"]').weights).toEqual([0.5, 1.5]);
    expect(given('wait=90s').wait).toBe('90s');
  });

  test.each([
    ['markets=BTCUSDC', 'markets "BTCUSDC" is not a list; write for example [BTCUSDC, ETHUSDC]'],
    ['markets=[]', 'markets is empty; write for example [BTCUSDC, ETHUSDC]'],
    ['markets=[BTCUSDC, 7]', 'markets 7 is not text; write for example "BTCUSDC"'],
    ['weights=[1, 6]', 'weights 6 is outside 0 to 5'],
    ['wait=15', 'wait 15 is not text; write for example "15m"'],
    ['wait=soon', 'wait "soon" is not a duration; write for example "15m"'],
    ['hedgeMarket=[BTCUSDC]', 'hedgeMarket ["BTCUSDC"] is not text; write for example "SOLUSDC"'],
  ])('%s is refused', (text, message) => {
    expect(() => given(text)).toThrow(`--set params.${text}: ${message}`);
  });

  test('an error has the line and column of the list in the file', () => {
    const folder = mkdtempSync(join(tmpdir(), 'lists-'));
    const file = join(folder, 'pairs.yaml');
    writeFileSync(file, 'params:\n  wait: 5m\n  weights: [1, x]\n');
    const config = loadConfig({ file, sets: [] });
    rmSync(folder, { recursive: true });
    expect(() => resolveParams({ defaults, ranges }, config.params, (key) => config.placeOfParam(key))).toThrow(
      `${file}:3:12: weights "x" is not a decimal; write a number, as in 1`,
    );
  });

  test('markets are those in lists and texts, each once', () => {
    expect(marketsNamedIn(defaults, 'pairs')).toEqual(['BTCUSDC', 'ETHUSDC', 'SOLUSDC']);
    expect(marketsNamedIn({ legMarkets: ['BTCUSDC', 'BTCUSDC'] }, 'pairs')).toEqual(['BTCUSDC']);
  });

  test('millisOf reads a duration', () => {
    expect([millisOf('15m'), millisOf('1.5s')]).toEqual([900_000, 1_500]);
    expect(() => millisOf('15')).toThrow('"15" is not a duration');
  });

  test('a default is a list of one type, with a value', () => {
    expect(shapeFault({ name: 'pairs', defaults, ranges, create })).toBeUndefined();
    expect(shapeFault({ name: 'pairs', defaults: { markets: [] }, create })).toContain('the default of markets is []');
    expect(shapeFault({ name: 'pairs', defaults: { markets: ['BTCUSDC', 1] }, create })).toContain('a list of numbers or of texts');
    expect(shapeFault({ name: 'pairs', defaults, ranges: { weights: [0, 1] }, create })).toBe(
      'the default of weights is not within its range',
    );
  });
});
