// The drawings of a report without a time axis: the months and the histogram of the returns; and holding the market at the risk of the run.
import { describe, expect, test } from 'vitest';
import { MINUTE } from '../../../src/base/clock.ts';
import { momentsOf } from '../../../src/base/statistics/moments.ts';
import { atRiskOf } from '../../../src/research/report/figures/equity/benchmark.ts';
import { type Curve, returnsOf } from '../../../src/research/report/figures/equity/curve.ts';
import { binsOf, monthsMap, returnsHistogram } from '../../../src/research/report/html/drawings.ts';

describe('the months', () => {
  const map = monthsMap([
    { year: 2025, month: 12, value: 0.1, partial: true },
    { year: 2026, month: 1, value: -0.2, partial: false },
    { year: 2026, month: 2, value: undefined, partial: true },
  ]).toString();

  test('have a column for each year, and the colour of the largest move is the strongest', () => {
    expect(
      [...map.matchAll(/<rect class="(\w+)" x="(\d+)" y="(\d+)"[^>]* fill-opacity="([\d.]+)"/g)].map((found) => found.slice(1)),
    ).toEqual([
      ['gain', '40', '288', '0.28'],
      ['loss', '124', '24', '0.55'],
      ['gain', '124', '48', '0.00'],
      ['gain', '40', '312', '0.00'],
      ['loss', '124', '312', '0.00'],
    ]);
    expect(map).toContain('10.00 %*</text>');
    expect(map).toContain('−20.00 %</text>');
  });

  test('of ten years fit a page of 1,260 pixels, and shrink with a narrower one', () => {
    const ten = monthsMap(
      Array.from({ length: 120 }, (_, index) => ({
        year: 2016 + Math.floor(index / 12),
        month: (index % 12) + 1,
        value: 0.01,
        partial: false,
      })),
    ).toString();
    expect(Number(/ width="(\d+)" role/.exec(ten)?.[1])).toBeLessThanOrEqual(1_260);
  });
});

describe('the histogram', () => {
  test('counts every return once, and no bar has gains and losses', () => {
    const values = [-0.02, -0.001, 0, 0.0001, 0.015, 0.03];
    const bins = binsOf(values);
    expect(bins.reduce((sum, { count }) => sum + count, 0)).toBe(values.length);
    expect(bins.some(({ from }) => from === 0)).toBe(true);
    for (const { from, to, count } of bins)
      expect(values.filter((value) => value >= from - 1e-15 && value < to - 1e-15).length, `${from}`).toBe(count);
  });

  test('is drawn for returns that are all equal, also for all zero', () => {
    expect(binsOf([0, 0, 0]).reduce((sum, { count }) => sum + count, 0)).toBe(3);
    expect(binsOf([])).toEqual([]);
    expect(returnsHistogram([0.01, 0.01], MINUTE).toString()).toContain('2 returns of');
  });
});

const curveOf = (values: readonly number[]): Curve => ({
  times: Float64Array.from(values, (_, index) => index * MINUTE),
  values: Float64Array.from(values),
  end: (values.length - 1) * MINUTE,
});

const deviationOf = (one: Curve): number => {
  const returns = returnsOf(one);
  return 'missing' in returns ? Number.NaN : momentsOf(returns.values).deviation;
};

test('holding at the risk of the run has the deviation of its returns', () => {
  const wave = (size: number) => curveOf(Array.from({ length: 2_000 }, (_, index) => 100 * (1 + size * Math.sin(index))));
  const [run, hold] = [wave(0.001), wave(0.02)];
  const scaled = atRiskOf(run, hold)!;
  expect(deviationOf(scaled) / deviationOf(run)).toBeCloseTo(1, 2);
  expect(scaled.values[0]).toBe(hold.values[0]);
  expect(atRiskOf(run, curveOf(Array.from({ length: 2_000 }, () => 1)))).toBeUndefined();
});
