// The flow like recordings: a queue at the best price and little behind it, many trades of one side after another, and a basis that funding follows.
import { describe, expect, it } from 'vitest';
import type { Side } from '../../../../src/bot/domain/book.ts';
import { RECORDED_BOOK } from '../../../../src/embedded/exchange/traders/maker-styles.ts';
import { BTC, quantile, runFlow, SOL, volatility } from './flow-run.ts';
import type { NaivePort } from './naive-port.ts';

const SECONDS = 240;

/** Sizes at the best price and at the next one that is quoted, bids and asks, each half second. */
interface Depth {
  readonly best: number[];
  readonly next: number[];
}

function lookInto(port: NaivePort, side: Side, depth: Depth): void {
  const levels = new Map<number, number>();
  for (const { price, size } of port.resting(side)) levels.set(price, (levels.get(price) ?? 0) + size);
  const [best, next] = [...levels.entries()].toSorted(([a], [b]) => (side === 'bid' ? b - a : a - b));
  if (best !== undefined) depth.best.push(best[1]);
  if (next !== undefined) depth.next.push(next[1]);
}

describe.each([
  ['BTC', BTC],
  ['SOL', SOL],
])('%s', (symbol, listing) => {
  const depth: Depth = { best: [], next: [] };
  const { port, flow, samples } = runFlow(listing, {
    seed: `recorded ${symbol}`,
    seconds: SECONDS,
    regime: 'recorded',
    interfere(market, second) {
      if (second % 0.5 === 0) for (const side of ['bid', 'ask'] as const) lookInto(market, side, depth);
    },
  });

  it('is never crossed or thin', () => {
    for (const { bid, ask, mid, levels } of samples) {
      expect(ask).toBeGreaterThan(bid);
      expect(((ask - bid) / mid) * 1e4).toBeLessThan(4);
      expect(levels).toBeGreaterThanOrEqual(15);
    }
  });

  it('has a spread of one tick most of the time, and most of the depth at the best price', () => {
    expect(
      quantile(
        samples.map(({ bid, ask }) => ask - bid),
        0.75,
      ),
    ).toBe(1);
    expect(quantile(depth.next, 0.5)).toBeLessThan(quantile(depth.best, 0.5) / 4);
  });

  it('trades many times a second, and sides follow each other', () => {
    expect(port.trades.length / SECONDS).toBeGreaterThan(4);
    expect(port.trades.length / SECONDS).toBeLessThan(60);
    const signs = port.trades.map(({ side }) => (side === 'bid' ? 1 : -1));
    const agreement = signs.slice(10).filter((sign, at) => sign === signs[at]).length / (signs.length - 10);
    expect(agreement).toBeGreaterThan(0.6);
  });

  it('is as volatile as a recording', () => {
    const mids = samples.map(({ mid }) => mid);
    expect(volatility(mids)).toBeGreaterThan(0.15);
    expect(volatility(mids)).toBeLessThan(2);
  });

  it('has makers that never take, whose orders are never refused, with bounded positions', () => {
    const makers = new Set(port.placed.filter(({ fillMode }) => fillMode === 'POST_ONLY').map(({ trader }) => trader));
    expect(port.trades.filter(({ taker }) => makers.has(taker))).toEqual([]);
    expect(port.refused).toBe(0);
    const bound = Math.max(...RECORDED_BOOK.map(({ limit }) => limit));
    for (const trader of makers)
      expect(Math.abs(port.market.size(port.position(trader)) * port.market.price(flow.index))).toBeLessThan(bound);
  });
});

it('has a perpetual that keeps a distance from its index, for hours the same', () => {
  const distances = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'].map((seed) => {
    const { samples } = runFlow(BTC, { seed, seconds: 20, regime: 'recorded' });
    return (
      quantile(
        samples.map(({ mid, index }) => mid / index - 1),
        0.5,
      ) * 1e4
    );
  });
  expect(quantile(distances, 0.5)).toBeGreaterThan(0);
  expect(quantile(distances, 1) - quantile(distances, 0)).toBeGreaterThan(2);
});

it('moves its markets together', () => {
  const [bitcoin, solana] = [BTC, SOL].map((listing) =>
    runFlow(listing, { seed: listing.symbol, news: 'together', seconds: SECONDS, regime: 'recorded' }),
  );
  const [one, other] = [moves(bitcoin!.samples.map(({ mid }) => mid)), moves(solana!.samples.map(({ mid }) => mid))];
  expect(shared(one, other) / Math.sqrt(shared(one, one) * shared(other, other))).toBeGreaterThan(0.3);
});

/** Log returns of five seconds. */
const moves = (mids: readonly number[]): readonly number[] => {
  const each = mids.filter((_, step) => step % 50 === 0);
  return each.slice(1).map((mid, at) => Math.log(mid / each[at]!));
};

const shared = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, move, at) => sum + move * b[at]!, 0);
