// Each figure of performance against numbers worked out by hand.
import { describe, expect, test } from 'vitest';
import {
  type Curve,
  calmar,
  drawdowns,
  equityChange,
  maxDrawdown,
  returnsOf,
  sharpe,
  sortino,
  timeAverage,
  totalReturn,
  turnover,
} from '../../../src/report/figures/performance.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** One value a step, held until `end`: one step after the last unless told. */
const curve = (values: readonly number[], { step = MINUTE, end = values.length * step }: { step?: number; end?: number } = {}): Curve => ({
  times: Float64Array.from(values, (_, i) => i * step),
  values: Float64Array.from(values),
  end,
});
const EMPTY = curve([]);

describe('profit', () => {
  test('is the equity at the end less that at the start', () => {
    expect(equityChange(curve([1_000, 900, 1_050]))).toEqual({ value: 50 });
    expect(totalReturn(curve([1_000, 900, 1_050]))).toEqual({ value: 1.05 - 1 });
  });

  test('is not known without an account, and no share of nothing', () => {
    expect(equityChange(EMPTY)).toEqual({ missing: 'no account was seen' });
    expect(totalReturn(curve([0, 5]))).toEqual({ missing: 'the run began with no equity' });
  });
});

describe('the average over time', () => {
  test('weighs each value with how long it held', () => {
    // 100 for 1 s, 400 for 3 s: 1 300 / 4.
    const uneven = { times: Float64Array.of(0, 1_000), values: Float64Array.of(100, 400), end: 4_000 };
    expect(timeAverage(uneven)).toEqual({ value: 325 });
  });

  test('of no time at all is the last value', () => {
    expect(timeAverage(curve([7], { end: 0 }))).toEqual({ value: 7 });
  });

  test('divides the volume into a turnover', () => {
    expect(turnover(6_500, curve([100, 400, 400, 400]))).toEqual({ value: 20 });
    expect(turnover(1, curve([0]))).toEqual({ missing: 'the average equity is not positive' });
  });
});

describe('the largest drawdown', () => {
  test('is measured from the highest equity so far, as a share of it', () => {
    // 100 → 80 loses 20 %; 200 → 150 loses 25 % and 50; 200 is left after five minutes and reached again after eight.
    const value = maxDrawdown(curve([100, 80, 120, 200, 200, 160, 150, 190, 200, 210]));
    expect(value).toEqual({
      fraction: 0.25,
      money: 50,
      peakAt: 5 * MINUTE,
      troughAt: 6 * MINUTE,
      recoveredAt: 8 * MINUTE,
      lastsMs: 3 * MINUTE,
    });
  });

  test('that is not recovered lasts until the end', () => {
    expect(maxDrawdown(curve([100, 90, 99]))).toEqual({
      fraction: 1 - 0.9,
      money: 10,
      peakAt: MINUTE,
      troughAt: MINUTE,
      recoveredAt: undefined,
      lastsMs: 2 * MINUTE,
    });
  });

  test('of equal ones is the first', () => {
    expect(maxDrawdown(curve([100, 50, 100, 50]))).toMatchObject({ peakAt: MINUTE, troughAt: MINUTE, recoveredAt: 2 * MINUTE });
  });

  test('of a rising curve is none', () => {
    expect(maxDrawdown(curve([100, 110, 120]))).toMatchObject({ fraction: 0, money: 0, lastsMs: 0 });
  });

  test('may be more than all', () => {
    expect(maxDrawdown(curve([100, -50]))).toMatchObject({ fraction: 1.5, money: 150 });
    expect(maxDrawdown(curve([-5, -6]))).toEqual({ missing: 'the equity was never positive' });
  });

  test('is the deepest of the curve below the peaks', () => {
    expect([...drawdowns(curve([100, 80, 120, 90]))]).toEqual([0, 1 - 0.8, 0, 0.25]);
  });
});

describe('returns', () => {
  test('are taken at equal intervals, from the value that held then', () => {
    const equity = curve(Array.from({ length: 300 }, (_, i) => 1_000 + i));
    const returns = returnsOf({ ...equity, end: 151 * MINUTE });
    expect(returns).toMatchObject({ intervalMs: 5 * MINUTE });
    if ('missing' in returns) return;
    expect(returns.values).toHaveLength(30);
    expect(returns.values[0]).toBeCloseTo(1_005 / 1_000 - 1, 15);
    expect(returns.values[29]).toBeCloseTo(1_150 / 1_145 - 1, 15);
  });

  test.each([
    [30 * DAY, DAY],
    [30 * DAY - 1, HOUR],
    [30 * HOUR, HOUR],
    [30 * HOUR - 1, 5 * MINUTE],
    [150 * MINUTE, 5 * MINUTE],
  ])('over %i ms are of %i ms', (end, intervalMs) => {
    expect(returnsOf(curve([100], { end }))).toMatchObject({ intervalMs });
  });

  test('of a short run are missing, and the reason says how short it is', () => {
    const missing = { missing: '149 min are too short: at least 30 returns over 5 min are needed' };
    const short = curve([100, 90], { end: 150 * MINUTE - 1 });
    const returns = returnsOf(short);
    for (const figure of [returns, sharpe(returns), sortino(returns), calmar(short)]) expect(figure).toEqual(missing);
  });

  test('on nothing are none', () => {
    expect(returnsOf(curve([100, 0], { end: 150 * MINUTE }))).toEqual({ missing: 'the equity was not always positive' });
  });
});

describe('per risk', () => {
  // Two returns of 1 %, −0.5 % in turn: mean 0.25 %. With n − 1 = 3: sd = √(4 × 0.75² / 3) % = 0.8660254 %.
  const hourly = { intervalMs: HOUR, values: [0.01, -0.005, 0.01, -0.005] };
  const perYear = Math.sqrt(8_760);

  test('Sharpe divides by the deviation', () => {
    expect(sharpe(hourly)).toEqual({ value: expect.closeTo((0.25 / 0.8660254) * perYear, 4) });
  });

  test('Sortino divides by that of the losses', () => {
    // √(2 × 0.5² / 4) % = 0.35355339 %.
    expect(sortino(hourly)).toEqual({ value: expect.closeTo((0.25 / 0.35355339) * perYear, 4) });
  });

  test('Calmar divides a year of the return by the largest drawdown', () => {
    // 100 → 90 → 110 in 10 days: 10 % × 36.5 / 10 %.
    expect(calmar(curve([100, 90, 110], { step: 3 * DAY, end: 10 * DAY }))).toEqual({ value: expect.closeTo(36.5, 10) });
  });

  test('is nothing without a risk', () => {
    expect(sharpe({ intervalMs: HOUR, values: [0.1, 0.1, 0.1] })).toEqual({ missing: 'the equity did not vary' });
    expect(sortino({ intervalMs: HOUR, values: [0.1, 0] })).toEqual({ missing: 'no interval lost' });
    expect(calmar(curve([100, 110], { end: DAY }))).toEqual({ missing: 'the equity never fell' });
  });
});
