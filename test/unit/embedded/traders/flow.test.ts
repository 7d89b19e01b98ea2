// The flow looks like a market: a full and tight book, clustered trades with heavy tails, a mean-reverting price.
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Millis } from '../../../../src/base/clock.ts';
import { type Side, signOf } from '../../../../src/bot/domain/book.ts';
import { EVEN_BOOK } from '../../../../src/embedded/exchange/traders/maker-styles.ts';
import { BTC, quantile, ranges, runFlow, SOL, volatility } from './flow-run.ts';
import type { NaivePort } from './naive-port.ts';

const MINUTES = 6;
const bitcoin = runFlow(BTC, { seed: 'bitcoin', seconds: MINUTES * 60 });
const solana = runFlow(SOL, { seed: 'solana', seconds: MINUTES * 60 });
const BOTH = [
  ['BTC', BTC, bitcoin],
  ['SOL', SOL, solana],
] as const;

describe.each(BOTH)('the book of %s', (_, listing, { port, flow, samples }) => {
  it('is full after the first step, around the base price', () => {
    const first = runFlow(listing, { seed: 'first', seconds: 0.1 });
    expect(first.samples[0]?.levels).toBeGreaterThanOrEqual(20);
    expect(port.market.price(first.flow.index)).toBeCloseTo(listing.basePrice, -Math.log10(listing.basePrice / 500));
  });

  it('is never crossed, thin or torn open at the end of a step', () => {
    for (const { bid, ask, mid, levels } of samples) {
      expect(ask).toBeGreaterThan(bid);
      expect(((ask - bid) / mid) * 1e4).toBeLessThan(12);
      expect(levels).toBeGreaterThanOrEqual(20);
    }
  });

  it('is tight most of the time and wider in bursts', () => {
    const spreads = samples.map(({ bid, ask }) => ask - bid);
    expect(quantile(spreads, 0.75)).toBeLessThanOrEqual(3);
    expect(quantile(spreads, 0.999)).toBeGreaterThan(3);
  });

  it('is deeper away from the touch', () => {
    const bids = port.resting('bid').filter(({ trader }) => trader < flow.traderCount);
    const total = (orders: typeof bids): number => orders.reduce((sum, { size }) => sum + size, 0);
    expect(total(bids.slice(-10))).toBeGreaterThan(2 * total(bids.slice(0, 10)));
  });

  it('has an index near the mid, with a confidence interval that covers most of the difference', () => {
    const distances = samples.map(({ mid, index }) => (Math.abs(index - mid) / mid) * 1e4);
    expect(quantile(distances, 0.5)).toBeLessThan(3);
    expect(quantile(distances, 1)).toBeLessThan(30);
    const covered = samples.filter(({ mid, index, indexConf }) => Math.abs(index - mid) <= 2 * indexConf + 1);
    expect(covered.length / samples.length).toBeGreaterThan(0.8);
  });
});

describe.each(BOTH)('the trades of %s', (_, __, { port, flow }) => {
  const takes = takesOf(port);
  const worth = takes.map((take) => take.worth);

  it('are several a second', () => {
    expect(takes.length / (MINUTES * 60)).toBeGreaterThan(2);
    expect(takes.length / (MINUTES * 60)).toBeLessThan(12);
  });

  it('come in clusters', () => {
    const bySecond = Array.from({ length: MINUTES * 60 }, () => 0);
    for (const { at } of takes) {
      const second = Math.floor(at / 1_000);
      bySecond[second] = (bySecond[second] ?? 0) + 1;
    }
    const mean = sum(bySecond) / bySecond.length;
    const variance = sum(bySecond.map((count) => (count - mean) ** 2)) / bySecond.length;
    expect(variance).toBeGreaterThan(1.15 * mean);
  });

  it('have heavy tails', () => {
    expect(quantile(worth, 0.5)).toBeGreaterThan(300);
    expect(quantile(worth, 0.5)).toBeLessThan(5_000);
    expect(quantile(worth, 0.99)).toBeGreaterThan(10 * quantile(worth, 0.5));
  });

  it('have a side that the next one tends to share', () => {
    const signs = takes.map(({ side }) => signOf(side));
    const agreement = sum(signs.slice(1).map((sign, nth) => sign * (signs[nth] ?? 0))) / (signs.length - 1);
    expect(agreement).toBeGreaterThan(0.05);
  });

  it('are never taken by a maker, and no order of a maker is refused', () => {
    const makers = new Set(port.placed.filter(({ fillMode }) => fillMode === 'POST_ONLY').map(({ trader }) => trader));
    expect(takes.filter(({ taker }) => makers.has(taker))).toEqual([]);
    expect(port.refused).toBe(0);
  });

  it('leave the positions of the makers bounded', () => {
    const bound = Math.max(...EVEN_BOOK.map(({ limit }) => limit));
    for (let trader = 0; trader < flow.traderCount; trader++) {
      const worthHeld = Math.abs(port.market.size(port.position(trader)) * port.market.price(flow.index));
      expect(worthHeld).toBeLessThan(2 * bound);
    }
  });
});

describe.each(BOTH)('the price of %s', (_, __, { samples }) => {
  const mids = samples.map(({ mid }) => mid);

  it('is more volatile than a calm market', () => {
    expect(volatility(mids)).toBeGreaterThan(2);
    expect(volatility(mids)).toBeLessThan(5.5);
  });

  it('moves enough for a grid in 20 s', () => {
    const wide = ranges(mids, 200).filter((range) => range > 8);
    expect(wide.length / ranges(mids, 200).length).toBeGreaterThan(0.9);
  });

  it('swings by about a percent now and then', () => {
    expect(Math.max(...ranges(mids, 900))).toBeGreaterThan(60);
  });
});

describe('the seed', () => {
  it('decides every order', () => expect(ordersOf('one')).toEqual(ordersOf('one')));
  it('of another name makes other orders', () => expect(ordersOf('one')).not.toEqual(ordersOf('two')));
});

it('keeps markets of one seed together, each with traders of its own', () => {
  const spot = runFlow({ ...SOL, symbol: 'SOLUSDC-SPOT', priceDecimals: 3 }, { seed: 'solana', seconds: 60 });
  for (const [step, { index }] of spot.samples.entries()) {
    expect(Math.abs(index / 10 - (solana.samples[step]?.index ?? 0))).toBeLessThanOrEqual(0.6);
  }
  expect(spot.port.trades.map(({ at }) => at)).not.toEqual(solana.port.trades.map(({ at }) => at).slice(0, spot.port.trades.length));
});

it('suits markets of any scale', () => {
  const scale = fc.record({ priceDecimals: fc.integer({ min: 0, max: 4 }), exponent: fc.integer({ min: 3, max: 6 }), seed: fc.string() });
  fc.assert(
    fc.property(scale, ({ priceDecimals, exponent, seed }) => {
      const basePrice = 10 ** (exponent - priceDecimals);
      const listing = { symbol: 'ANY', priceDecimals, sizeDecimals: 6 - priceDecimals, basePrice };
      const { port, samples } = runFlow(listing, { seed, seconds: 5 });
      expect(samples.every(({ bid, ask }) => bid < ask)).toBe(true);
      expect(port.refused).toBe(0);
    }),
    { seed: 20, numRuns: 25 },
  );
});

interface Take {
  readonly at: Millis;
  readonly taker: number;
  readonly side: Side;
  worth: number;
}

/** Trades of one taker on one side at one moment, as the one order that made them. */
function takesOf({ market, trades }: NaivePort): readonly Readonly<Take>[] {
  const takes: Take[] = [];
  for (const { at, taker, side, price, size } of trades) {
    const last = takes.at(-1);
    const worth = market.size(size) * market.price(price);
    if (last !== undefined && last.at === at && last.taker === taker && last.side === side) last.worth += worth;
    else takes.push({ at, taker, side, worth });
  }
  return takes;
}

const ordersOf = (seed: string): readonly unknown[] => runFlow(BTC, { seed, seconds: 20 }).port.placed;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
