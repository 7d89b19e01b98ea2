// Indicators on one series of candles equal TA-Lib, or the published formula (test/fixtures/indicators.py).
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  adx,
  atr,
  donchian,
  keltner,
  stochastic,
  supertrend,
  type VolumeCandle,
  vwap,
} from '../../../src/bot/strategy/indicators/candle.ts';
import { bollinger, ema, macd, rsi, sma } from '../../../src/bot/strategy/indicators/price.ts';

interface Column {
  /** The first row, from 0, at which it is defined. */
  readonly first: number;
  readonly rows: Readonly<Record<string, number>>;
}
interface Fixture {
  readonly candles: readonly (readonly [start: number, open: number, high: number, low: number, close: number, volume: number])[];
  readonly columns: Readonly<Record<string, Column>>;
}

/** The largest relative difference. */
const PRECISION = 1e-12;
/** In price units, for indicators in which differences of prices around 60,000 lose most digits: TA-Lib computes the variance from sums of squares. */
const PRECISION_OF_DIFFERENCES: Readonly<Record<string, number>> = { 'macd(12,26,9)': 1e-9, 'bollinger(20,2)': 1e-8 };

const fixture = JSON.parse(readFileSync(new URL('../../fixtures/indicators.json', import.meta.url), 'utf8')) as Fixture;
const candles = fixture.candles.map(([start, , high, low, close, volume]): VolumeCandle => ({ start, high, low, close, volume }));

type Update = (candle: VolumeCandle) => unknown;
const ofClose =
  (indicator: { update(value: number): unknown }): Update =>
  ({ close }) =>
    indicator.update(close);
const ofCandle =
  (indicator: { update(candle: VolumeCandle): unknown }): Update =>
  (candle) =>
    indicator.update(candle);

const INDICATORS: Readonly<Record<string, () => Update>> = {
  'sma(10)': () => ofClose(sma(10)),
  'ema(10)': () => ofClose(ema(10)),
  'rsi(14)': () => ofClose(rsi(14)),
  'macd(12,26,9)': () => ofClose(macd()),
  'bollinger(20,2)': () => ofClose(bollinger(20)),
  'atr(14)': () => ofCandle(atr(14)),
  'adx(14)': () => ofCandle(adx()),
  'stochastic(14,3,3)': () => ofCandle(stochastic()),
  'donchian(20)': () => ofCandle(donchian()),
  'keltner(20,10,2)': () => ofCandle(keltner()),
  'supertrend(10,3)': () => ofCandle(supertrend()),
  'vwap()': () => ofCandle(vwap()),
};

test('every column of the fixture belongs to an indicator', () => {
  const names = Object.keys(fixture.columns).map((column) => column.replace(/\.\w+$/, ''));
  expect([...new Set(names)].sort()).toEqual(Object.keys(INDICATORS).sort());
});

test.each(Object.entries(fixture.columns))('%s', (column, { first, rows }) => {
  const [, name = '', member] = /^(.*?\))(?:\.(\w+))?$/.exec(column) ?? [];
  const update = INDICATORS[name]!();
  const values = candles.map((candle) => valueOf(update(candle), member));
  expect(values.findIndex((value) => value !== undefined)).toBe(first);
  for (const [row, expected] of Object.entries(rows)) {
    const value = values[Number(row)] ?? NaN;
    const allowed = PRECISION_OF_DIFFERENCES[name] ?? PRECISION * Math.abs(expected);
    expect(Math.abs(value - expected), `row ${row}: ${value}, not ${expected}`).toBeLessThanOrEqual(allowed);
  }
});

function valueOf(result: unknown, member: string | undefined): number | undefined {
  const value = member === undefined || result === undefined ? result : (result as Readonly<Record<string, unknown>>)[member];
  return typeof value === 'boolean' ? Number(value) : (value as number | undefined);
}

test.each([
  [() => sma(0), 'sma: 0 is not a whole number of at least 1'],
  [() => ema(2.5), 'ema: 2.5 is not a whole number of at least 1'],
  [() => rsi(1), 'rsi: 1 is not a whole number of at least 2'],
  [() => macd(26, 12), 'macd: fast 26 is not below slow 12'],
  [() => vwap(NaN), 'vwap: NaN is not a whole number of at least 1'],
])('an invalid length is an error: %s', (make, message) => {
  expect(make).toThrow(message);
});

test('vwap leaves out candles of unknown volume, and restarts with each session', () => {
  const average = vwap(3_600_000);
  const at = (start: number, close: number, volume: number | undefined) =>
    average.update({ start, high: close, low: close, close, volume });
  expect(at(0, 10, undefined)).toBeUndefined();
  expect(at(60_000, 10, 1)).toBe(10);
  expect(at(120_000, 20, undefined)).toBe(10);
  expect(at(180_000, 16, 2)).toBe(14);
  expect(at(3_600_000, 20, 0)).toBeUndefined();
  expect(at(3_660_000, 20, 5)).toBe(20);
});
