// The hourly facts: the correlation of funding with the basis, and the hours of the day.
import { expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import { hourlyFactsOf } from '../../../src/research/facts/hourly-facts.ts';
import type { BookSample, TradeSeen } from '../../../src/research/facts/observations.ts';

const HOUR = 3_600;

interface HourPlan {
  /** Standard deviation of a second's return, in basis points. */
  readonly volatility: number;
  readonly basis: number;
  readonly rate: number | undefined;
  readonly trades: number;
}

/** Samples and trades of consecutive hours from midnight on. */
function marketOf(hours: number, plan: (hour: number) => HourPlan) {
  const rng = rngFrom('hours');
  const samples: BookSample[] = [];
  const trades: TradeSeen[] = [];
  let mid = 600_000;
  for (let hour = 0; hour < hours; hour++) {
    const { volatility, basis, rate, trades: count } = plan(hour);
    for (let at = 0; at < HOUR; at++) {
      mid *= Math.exp((volatility * rng.normal()) / 1e4);
      samples.push({
        second: hour * HOUR + at,
        mid,
        spread: 2,
        sizes: [1, 1],
        changes: 0,
        mark: mid * (1 + basis / 1e4),
        index: mid,
        rate,
      });
    }
    for (let at = 0; at < count; at++) trades.push({ at: hour * HOUR + at, sign: 1, size: 1, mid });
  }
  return { samples, trades };
}

const even: HourPlan = { volatility: 1, basis: 0, rate: undefined, trades: 10 };

test.each([
  ['follows it', (basis: number) => basis / 24, 1],
  ['goes against it', (basis: number) => -basis, -1],
])('funding that %s', (_, rateOf, expected) => {
  const { samples, trades } = marketOf(9, (hour) => {
    const basis = Math.sin(hour * 2);
    return { ...even, basis, rate: rateOf(basis) };
  });
  expect(hourlyFactsOf(samples, trades).fundingWithBasis).toBeCloseTo(expected, 6);
});

test('funding has no correlation without hours, without rates, or with a constant rate', () => {
  const few = marketOf(7, (hour) => ({ ...even, basis: hour, rate: hour }));
  const none = marketOf(9, (hour) => ({ ...even, basis: hour }));
  const constant = marketOf(9, (hour) => ({ ...even, basis: hour, rate: 5 }));
  for (const { samples, trades } of [few, none, constant]) expect(hourlyFactsOf(samples, trades).fundingWithBasis).toBeUndefined();
});

test('the hours of a day: one moves twice as much, another trades a tenth', () => {
  const { samples, trades } = marketOf(48, (hour) => ({ ...even, volatility: hour % 24 === 14 ? 2 : 1, trades: hour % 24 === 4 ? 1 : 10 }));
  const { moves, trades: traded } = hourlyFactsOf(samples, trades).hoursOfDay!;
  expect(moves[1]).toBeGreaterThan(1.6);
  expect(moves[1]).toBeLessThan(2.3);
  expect(moves[0]).toBeGreaterThan(0.7);
  expect(traded[0]).toBeCloseTo(0.1 / (23.1 / 24), 6);
  expect(traded[1]).toBeCloseTo(1 / (23.1 / 24), 6);
});

test('less than a day has no facts of the hours of the day', () => {
  const { samples, trades } = marketOf(23, () => even);
  expect(hourlyFactsOf(samples, trades).hoursOfDay).toBeUndefined();
});
