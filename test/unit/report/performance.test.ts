// Performance figures, against values computed by hand.
import { describe, expect, test } from 'vitest';
import { type Curve, returnsOf, rollingSharpe, timeAverage } from '../../../src/research/report/figures/equity/curve.ts';
import { belowPeak, largestDrawdowns, maxDrawdown, timeUnderWater } from '../../../src/research/report/figures/equity/drawdowns.ts';
import { compounded, monthReturns } from '../../../src/research/report/figures/equity/months.ts';
import {
  annualGrowth,
  calmar,
  equityChange,
  perDay,
  recoveryFactor,
  totalReturn,
  turnover,
} from '../../../src/research/report/figures/equity/performance.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

/** Returns a curve with one value per step, until `end`: one step after the last by default. */
const curve = (values: readonly number[], { step = MINUTE, end = values.length * step }: { step?: number; end?: number } = {}): Curve => ({
  times: Float64Array.from(values, (_, i) => i * step),
  values: Float64Array.from(values),
  end,
});
const EMPTY = curve([]);

describe('profit', () => {
  test('is the equity at the end minus that at the start', () => {
    expect(equityChange(curve([1_000, 900, 1_050]))).toEqual({ value: 50 });
    expect(totalReturn(curve([1_000, 900, 1_050]))).toEqual({ value: 1.05 - 1 });
  });

  test('is missing without an account, and a return is missing without equity', () => {
    expect(equityChange(EMPTY)).toEqual({ missing: 'no account was seen' });
    expect(totalReturn(curve([0, 5]))).toEqual({ missing: 'the run began with no equity' });
  });
});

describe('the average over time', () => {
  test('weighs each value by its duration', () => {
    // 100 for 1 s, 400 for 3 s: 1 300 / 4.
    const uneven = { times: Float64Array.of(0, 1_000), values: Float64Array.of(100, 400), end: 4_000 };
    expect(timeAverage(uneven)).toEqual({ value: 325 });
  });

  test('without a duration is the last value', () => {
    expect(timeAverage(curve([7], { end: 0 }))).toEqual({ value: 7 });
  });

  test('divides the volume into a turnover', () => {
    expect(turnover(6_500, curve([100, 400, 400, 400]))).toEqual({ value: 20 });
    expect(turnover(1, curve([0]))).toEqual({ missing: 'the average equity is not positive' });
  });
});

describe('the largest drawdown', () => {
  test('is a fraction of the highest equity so far', () => {
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

  test('may exceed 100 %', () => {
    expect(maxDrawdown(curve([100, -50]))).toMatchObject({ fraction: 1.5, money: 150 });
    expect(maxDrawdown(curve([-5, -6]))).toEqual({ missing: 'the equity was never positive' });
  });

  test('is the lowest value of the curve below the peak', () => {
    expect([...belowPeak(curve([100, 80, 120, 90]))]).toEqual([0, 1 - 0.8, 0, 0.25]);
  });
});

describe('returns', () => {
  test('are taken at the steps of the calendar, from the value that held then; the last step may be shorter', () => {
    const equity = curve(Array.from({ length: 300 }, (_, i) => 1_000 + i));
    const returns = returnsOf({ ...equity, end: 151 * MINUTE });
    expect(returns).toMatchObject({ intervalMs: 5 * MINUTE });
    if ('missing' in returns) return;
    expect(returns.values).toHaveLength(31);
    expect(returns.values[0]).toBeCloseTo(1_005 / 1_000 - 1, 15);
    expect(returns.values[29]).toBeCloseTo(1_150 / 1_145 - 1, 15);
    expect(returns.values[30]).toBeCloseTo(1_151 / 1_150 - 1, 15);
  });

  test('of a run from noon to noon have a step for each day of UTC, and multiply to the total return', () => {
    const noon = Date.parse('2026-01-05T12:00:00Z');
    const times = Float64Array.from({ length: 90 * 24 }, (_, hour) => noon + hour * HOUR);
    const equity = { times, values: times.map((_, hour) => 1_000 + 50 * Math.sin(hour) + hour / 10), end: noon + 90 * DAY };
    const returns = returnsOf(equity);
    if ('missing' in returns) throw new Error(returns.missing);
    expect(returns.values).toHaveLength(91);
    expect(returns.ends.slice(0, 2)).toEqual([Date.parse('2026-01-06'), Date.parse('2026-01-07')]);
    expect(returns.ends.at(-1)).toBe(equity.end);
    expect(returns.values[1]).toBeCloseTo(equity.values[36]! / equity.values[12]! - 1, 15);
    const total = totalReturn(equity);
    expect(returns.values.reduce((product, value) => product * (1 + value), 1) - 1).toBeCloseTo('value' in total ? total.value : NaN, 12);
    const rolling = rollingSharpe(returns);
    expect('missing' in rolling ? rolling : rolling.times[0]).toBe(Date.parse('2026-02-04'));
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
    expect(returns).toEqual(missing);
    expect(calmar(short)).toEqual({ missing: '149 min are too short for a year: at least 30 days are needed' });
  });

  test('are missing without positive equity', () => {
    expect(returnsOf(curve([100, 0], { end: 150 * MINUTE }))).toEqual({ missing: 'the equity was not always positive' });
  });
});

test.each([
  [30 * DAY, 'year'],
  [30 * DAY - 1, 'day'],
])('a run of %i ms is scaled to a %s', (end, scale) => {
  expect(returnsOf(curve([100], { end }))).toMatchObject({ scale });
});

describe('of a year', () => {
  // 100 → 90 → 110 in 73 days, a fifth of a year.
  const equity = curve([100, 90, 110], { step: 3 * DAY, end: 73 * DAY });

  test('growth is compounded', () => {
    expect(annualGrowth(equity)).toEqual({ value: expect.closeTo(1.1 ** 5 - 1, 12) });
    expect(annualGrowth(curve([100, 110], { end: 29 * DAY }))).toEqual({
      missing: '29 days are too short for a year: at least 30 days are needed',
    });
  });

  test('Calmar is growth, the recovery factor is return, over the largest drawdown', () => {
    expect(calmar(equity)).toEqual({ value: expect.closeTo((1.1 ** 5 - 1) / 0.1, 10) });
    expect(recoveryFactor(equity)).toEqual({ value: expect.closeTo(1, 12) });
    expect(calmar(curve([100, 110], { end: 30 * DAY }))).toEqual({ missing: 'the equity never fell' });
  });

  test('turnover is also given a day', () => {
    expect(perDay({ value: 146 }, equity)).toEqual({ value: 2 });
  });
});

describe('drawdowns', () => {
  test('the largest come first, with their dates', () => {
    const falls = largestDrawdowns(curve([100, 99, 100, 90, 101, 50, 60]), 2);
    expect(falls.map(({ money, recoveredAt }) => [money, recoveredAt])).toEqual([
      [51, undefined],
      [10, 4 * MINUTE],
    ]);
    expect(falls[0]).toMatchObject({ peakAt: 5 * MINUTE, troughAt: 5 * MINUTE, lastsMs: 2 * MINUTE });
  });

  test('the time under water is that of all of them', () => {
    expect(timeUnderWater(curve([100, 99, 100, 90, 101, 50, 60, 110]))).toEqual({ value: 4 / 8 });
  });
});

test('each calendar month has its return, and the first and last say that they are partial', () => {
  const times = ['2025-12-20', '2025-12-31', '2026-01-15', '2026-02-01', '2026-02-03'].map((day) => Date.parse(day));
  const months = monthReturns({
    times: Float64Array.from(times),
    values: Float64Array.of(100, 110, 121, 132, 66),
    end: Date.parse('2026-02-10'),
  });
  expect(months.map(({ year, month, value, partial }) => [year, month, Number(value?.toFixed(9)), partial])).toEqual([
    [2025, 12, 0.1, true],
    [2026, 1, 0.2, false],
    [2026, 2, -0.5, true],
  ]);
  expect(compounded(months)).toBeCloseTo(-0.34, 12);
});
