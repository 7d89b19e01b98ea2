// The named regimes of the embedded market: how volatile each is, and that the one like recordings has their figures.
import { beforeAll, describe, expect, test } from 'vitest';
import { rngFrom } from '../../../../src/base/rng.ts';
import { fairPriceOf, REGIME_NAMES, REGIMES, type RegimeName } from '../../../../src/embedded/exchange/traders/regimes.ts';

const BASE = 600_000;
const HOUR = 3_600;

/** Prices once a second. */
function hoursOf(name: RegimeName, seed: string, hours: number): readonly number[] {
  const rng = rngFrom(seed);
  const fair = fairPriceOf(REGIMES[name], { base: BASE, rng, common: rng.fork('all markets') });
  return Array.from({ length: hours * HOUR }, (_, second) => {
    for (let step = 0; step < 10; step++) fair.step(second * 1_000);
    return fair.ticks;
  });
}

/** Standard deviation of the returns over so many seconds, in basis points. */
function deviation(prices: readonly number[], span: number): number {
  const squares: number[] = [];
  for (let at = span; at < prices.length; at += span) squares.push((Math.log(prices[at]! / prices[at - span]!) * 1e4) ** 2);
  return Math.sqrt(squares.reduce((sum, square) => sum + square, 0) / squares.length);
}

const SEEDS = ['a', 'b', 'c', 'd', 'e', 'f'];
const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

let hours: Readonly<Record<RegimeName, readonly (readonly number[])[]>>;
beforeAll(() => {
  hours = Object.fromEntries(REGIME_NAMES.map((name) => [name, SEEDS.map((seed) => hoursOf(name, seed, 2))])) as unknown as typeof hours;
});

/** A year, by returns of a minute. */
const volatility = (name: RegimeName): number => (median(hours[name].map((prices) => deviation(prices, 60))) / 1e4) * Math.sqrt(525_600);

test('calm, recorded, busy and swinging are in that order, at figures that a person would name so', () => {
  expect(volatility('calm')).toBeLessThan(0.35);
  expect(volatility('recorded')).toBeGreaterThan(0.2);
  expect(volatility('recorded')).toBeLessThan(0.8);
  expect(volatility('busy')).toBeGreaterThan(0.9);
  expect(volatility('busy')).toBeLessThan(volatility('swinging'));
});

test('a crash falls', () => {
  const falls = hours.crash.map((prices) => Math.min(...prices.slice(0, HOUR)) / BASE);
  expect(median(falls)).toBeLessThan(0.95);
});

describe.each(['recorded', 'calm', 'busy'] as const)('%s', (name) => {
  test('its returns do not follow from the ones before', () => {
    const correlations = hours[name].map((prices) => {
      const returns = prices.slice(1).map((price, at) => Math.log(price / prices[at]!));
      const shared = returns.slice(1).reduce((sum, value, at) => sum + value * returns[at]!, 0);
      return shared / returns.reduce((sum, value) => sum + value * value, 0);
    });
    expect(Math.abs(median(correlations))).toBeLessThan(0.06);
  });

  test('large moves follow large ones', () => {
    const ratios = hours[name].map((prices) => {
      const moves = prices.slice(1).map((price, at) => Math.abs(Math.log(price / prices[at]!)));
      const large = moves.toSorted((a, b) => a - b)[Math.floor(0.9 * moves.length)]!;
      const after = (is: (move: number) => boolean): number => {
        const next = moves.slice(5).filter((_, at) => is(moves[at]!));
        return next.reduce((sum, move) => sum + move, 0) / next.length;
      };
      return after((move) => move >= large) / after((move) => move < large);
    });
    expect(median(ratios)).toBeGreaterThan(1.05);
  });
});
