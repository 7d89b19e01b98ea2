// The market of `--market`: a regime, or a file with figures of the user's own.
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { REGIMES } from '../../../src/embedded/exchange/traders/regimes.ts';
import { readRegime } from '../../../src/embedded/venue/market-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'market-file-'));
let files = 0;
function fileWith(text: string): string {
  const file = join(folder, `${++files}.yaml`);
  writeFileSync(file, text);
  return file;
}

test('a name is that regime, and no name is the default', () => {
  expect(readRegime('calm')).toBe(REGIMES.calm);
  expect(readRegime(undefined)).toBeUndefined();
});

test('an empty file is the default regime', () => {
  expect(readRegime(fileWith(''))).toEqual(REGIMES.recorded);
});

test('a file changes only the figures that it has', () => {
  const { calm } = REGIMES;
  const market = readRegime(
    fileWith('like: calm\nvolatility: 0.5\ntakers: { perSecond: 2, leastNotional: 60 }\nbook: { best: 3, flicker: 2 }\nbasis: -4\n'),
  );
  const usual = calm.price;
  if (usual === 'swinging') throw new Error('calm has figures');
  expect(market?.price).toEqual({
    ...usual,
    volatility: 0.5,
    jumps: { ...usual.jumps, size: usual.jumps.size * 2 },
    jitter: { ...usual.jitter, deviation: usual.jitter.deviation * 2 },
  });
  expect(market?.noise).toMatchObject({ arrivals: { perSecond: 2 }, notional: { least: 60 }, pieces: calm.noise.pieces });
  expect(market?.basis).toEqual({ ...calm.basis, mean: -4 });
  const firsts = (of: typeof calm): Record<string, number> =>
    Object.fromEntries(of.makers.map(({ name, notionals }) => [name, notionals.first]));
  expect(firsts(market ?? calm)).toEqual({ ...firsts(calm), touch: firsts(calm)['touch']! * 3 });
});

test.each([
  ['volatility: -1', /volatility: must be above 0/],
  ['volatility: 1e9', /volatility: must be at most 50/],
  ['volatilty: 1', /unknown key "volatilty"/],
  ['book: { best: true }', /book\.best: must be a number/],
  ['like: wild', /like: must be one of recorded, calm/],
  ['like: swinging', /swinging has no figures/],
  ['{', /is wrong/],
])('a file with %s is refused', (text, message) => {
  expect(() => readRegime(fileWith(text))).toThrow(message);
});

test('an unknown name, and a missing file, are refused', () => {
  expect(() => readRegime('recordd')).toThrow(/not one of recorded, calm/);
  expect(() => readRegime(join(folder, 'none.yaml'))).toThrow(/none\.yaml is wrong/);
});
