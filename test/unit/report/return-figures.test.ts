// The figures of returns and trades against numbers computed with numpy, QuantStats 0.0.86 and empyrical-reloaded 0.7.1.
import { describe, expect, test } from 'vitest';
import { DAY } from '../../../src/base/clock.ts';
import { type Curve, returnsOf, rollingSharpe } from '../../../src/research/report/figures/equity/curve.ts';
import { drawdownsOf, timeUnderWater } from '../../../src/research/report/figures/equity/drawdowns.ts';
import { againstMarket, type ReturnFigures, returnFigures } from '../../../src/research/report/figures/equity/return-figures.ts';
import { tradeFigures } from '../../../src/research/report/figures/trades/trade-figures.ts';

const SERIES_A = [
  0.012, -0.004, 0.007, 0.001, -0.011, 0.018, 0.003, -0.006, 0.009, -0.002, 0.004, 0.015, -0.019, 0.006, 0.002, -0.001, 0.01, -0.008, 0.005,
  0.011, -0.003, 0.0, 0.008, -0.005,
];
const MARKET = SERIES_A.map((_, i) => (((7 * i + 3) % 11) - 5) / 1_000);
const YEAR = 365;

describe('24 days', () => {
  const figures = returnFigures(SERIES_A, YEAR);
  const expected: Readonly<Partial<Record<keyof ReturnFigures, number>>> = {
    compounded: 0.05241124741771,
    growth: 1.17472420461618,
    volatility: 0.16537397233131,
    sharpe: 4.78209068927103,
    sortino: 8.03478830643669,
    psr: 0.871528993366,
    omega: 1.88135593220339,
    gainToPain: 0.8813559322,
    ulcer: 0.00695784308496,
    valueAtRisk: -0.01055,
    expectedShortfall: -0.015,
    normalValueAtRisk: -0.0120713003646,
    normalExpectedShortfall: -0.0156883184014,
    skewness: -0.362781745113,
    excessKurtosis: -0.054516272649,
    tailRatio: 1.37914691943,
    winRate: 0.608695652174,
    meanWin: 0.007928571429,
    meanLoss: -0.006555555556,
    payoff: 1.20944309927,
    kelly: 0.2851547199,
    best: 0.018,
    worst: -0.019,
    longestWinningRun: 2,
    longestLosingRun: 1,
    geometricMean: 0.002130765091,
    tOfMean: 1.22624428576,
    stability: 0.864339027451,
    active: 0.958333333333,
  };

  test.each(Object.entries(expected))('%s', (name, value) => {
    expect(figures[name as keyof ReturnFigures]).toBeCloseTo(value, 10);
  });

  test('no figure is without a number', () => {
    expect(Object.keys(figures).sort()).toEqual(Object.keys(expected).sort());
  });

  test('against a market', () => {
    const against = againstMarket(SERIES_A, MARKET, YEAR);
    expect(against?.beta).toBeCloseTo(-0.92709904475, 10);
    expect(against?.alpha).toBeCloseTo(0.83313222725, 10);
    expect((1 + (against?.alpha ?? 0) / YEAR) ** YEAR - 1).toBeCloseTo(1.29833014881, 10);
    expect(against?.rSquared).toBeCloseTo(0.12400173877, 10);
    expect(against?.trackingError).toBeCloseTo(0.19649425168, 10);
    expect(against?.informationRatio).toBeCloseTo(0.19850955723, 10);
  });

  test('the drawdowns, from the equity at the end of each day', () => {
    const equity = curveOf(SERIES_A);
    const falls = [...drawdownsOf(equity)].map(({ peakAt, troughAt, recoveredAt, fraction, lastsMs }) => {
      return [peakAt, troughAt, recoveredAt, Number(fraction.toFixed(12)), lastsMs].map((value) => (value ?? 0) / 1);
    });
    expect(falls).toEqual([
      [1, 1, 2, 0.004, 1],
      [4, 4, 5, 0.011, 1],
      [7, 7, 8, 0.006, 1],
      [9, 9, 10, 0.002, 1],
      [12, 12, 19, 0.019, 7],
      [20, 20, 22, 0.003, 2],
      [23, 23, 0, 0.005, 1],
    ]);
    expect(timeUnderWater(equity)).toEqual({ value: expect.closeTo(0.583333333333, 12) });
  });
});

/** Starts with 1; the value after return i holds from time i. */
function curveOf(returns: readonly number[], step = 1): Curve {
  let value = 1;
  const values = [1, ...returns.map((one) => (value *= 1 + one))];
  return {
    times: Float64Array.from(values, (_, i) => Math.max(0, i - 1) * step),
    values: Float64Array.from(values),
    end: returns.length * step,
  };
}

describe('undefined figures', () => {
  test('of returns that do not vary', () => {
    const still = returnFigures([0.01, 0.01, 0.01], YEAR);
    expect(still).toMatchObject({ sharpe: undefined, sortino: undefined, omega: undefined, psr: undefined, meanLoss: undefined });
    expect(still.compounded).toBeCloseTo(0.030301, 12);
  });

  test('against a market that does not move', () => {
    expect(againstMarket([0.01, -0.01], [0, 0], YEAR)).toBeUndefined();
  });
});

test('trades', () => {
  const figures = tradeFigures([12, -4, 7, 1, -11, 18, 3, -6, 9, -2]);
  expect(figures).toMatchObject({ count: 10, profit: 27, winRate: { value: 0.6 }, longestLosingRun: 1, drawdown: 11 });
  expect(figures.expectancy).toEqual({ value: expect.closeTo(2.7, 12) });
  expect(figures.profitFactor).toEqual({ value: expect.closeTo(2.17391304348, 10) });
  expect(figures.sqn).toEqual({ value: expect.closeTo(0.959874658297, 10) });
  expect(tradeFigures([1]).profitFactor).toEqual({ missing: 'no trade lost' });
  expect(tradeFigures([]).expectancy).toEqual({ missing: 'no trade was closed' });
});

test('the rolling Sharpe ratio is that of the last 30 days, and missing below 60', () => {
  const returns = Array.from({ length: 60 }, (_, day) => SERIES_A[day % 24]!);
  const sampled = returnsOf({ ...curveOf([0, ...returns], DAY), end: 60 * DAY });
  const rolling = rollingSharpe(sampled);
  expect(rolling).toMatchObject({ end: 60 * DAY });
  if ('missing' in rolling) return;
  expect(rolling.values).toHaveLength(31);
  expect(rolling.values.at(-1)).toBeCloseTo(returnFigures(returns.slice(30), YEAR).sharpe ?? 0, 8);
  expect(rollingSharpe({ intervalMs: DAY, ends: [], scale: 'year', values: returns.slice(1) })).toEqual({
    missing: 'at least 60 days are needed',
  });
});
