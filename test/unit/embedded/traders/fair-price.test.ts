// The fair price alone, for longer than a book could be run: it clusters, it bursts, and it stays near its base.
import { describe, expect, it } from 'vitest';
import { rngFrom } from '../../../../src/base/rng.ts';
import { SwingingPrice } from '../../../../src/embedded/exchange/traders/fair-price.ts';
import { Oracle } from '../../../../src/embedded/exchange/traders/oracle.ts';
import { quantile } from './flow-run.ts';

const BASE = 600_000;
const STEPS_A_SECOND = 10;
const HOUR = 3_600;

const fairFrom = (seed: string): SwingingPrice => new SwingingPrice({ base: BASE, rng: rngFrom(seed) });

/** Once a second. */
function hoursOf(seed: string, hours: number): { prices: readonly number[]; volatilities: readonly number[] } {
  const fair = fairFrom(seed);
  const [prices, volatilities]: [number[], number[]] = [[], []];
  for (let second = 0; second < hours * HOUR; second++) {
    for (let step = 0; step < STEPS_A_SECOND; step++) fair.step();
    prices.push(fair.ticks);
    volatilities.push(fair.volatility);
  }
  return { prices, volatilities };
}

describe('the fair price', () => {
  const { prices, volatilities } = hoursOf('long', 12);

  it('stays near its base for hours, and reverts to it', () => {
    expect(quantile(prices, 1)).toBeLessThan(BASE * 1.5);
    expect(quantile(prices, 0)).toBeGreaterThan(BASE / 1.5);
    for (let hour = 0; hour < 12; hour += 4) {
      const stretch = prices.slice(hour * HOUR, (hour + 4) * HOUR);
      expect(quantile(stretch, 0)).toBeLessThan(BASE * 1.05);
      expect(quantile(stretch, 1)).toBeGreaterThan(BASE / 1.05);
    }
  });

  it('has calm and bursting times', () => {
    expect(quantile(volatilities, 0.5)).toBeLessThan(3);
    expect(quantile(volatilities, 0.98)).toBeGreaterThan(6);
  });

  it('clusters: a large move is followed by larger moves than a small one', () => {
    const moves = prices.slice(1).map((price, second) => Math.abs(Math.log(price / (prices[second] ?? price))));
    const large = quantile(moves, 0.9);
    const after = (chosen: (move: number) => boolean): number => {
      const followers = moves.filter((_, second) => second >= 2 && chosen(moves[second - 2] ?? 0));
      return followers.reduce((sum, move) => sum + move, 0) / followers.length;
    };
    expect(after((move) => move >= large)).toBeGreaterThan(1.2 * after((move) => move < large));
  });
});

describe('the oracle', () => {
  it('starts at the base and publishes a few times a second', () => {
    const fair = fairFrom('oracle');
    const oracle = new Oracle({ fair, rng: rngFrom('doubt') });
    expect(oracle.index).toBe(BASE);
    const seen = new Set<number>();
    for (let step = 0; step < 100; step++) {
      fair.step();
      oracle.observe(fair);
      seen.add(oracle.index);
    }
    expect(seen.size).toBeGreaterThan(20);
    expect(seen.size).toBeLessThanOrEqual(25);
  });

  it('has a wider confidence interval when the price is volatile', () => {
    const fair = fairFrom('wild');
    const oracle = new Oracle({ fair, rng: rngFrom('doubt') });
    const doubts = { calm: [] as number[], wild: [] as number[] };
    for (let step = 0; step < HOUR * STEPS_A_SECOND; step++) {
      fair.step();
      oracle.observe(fair);
      doubts[fair.volatility > 5 ? 'wild' : 'calm'].push(oracle.confidence);
    }
    expect(quantile(doubts.calm, 0)).toBeGreaterThan(0);
    expect(quantile(doubts.wild, 0.5)).toBeGreaterThan(1.5 * quantile(doubts.calm, 0.5));
  });
});
