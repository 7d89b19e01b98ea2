// On candles of a driftless random walk nobody can earn, at any number of looks. A way through the candle that can be predicted is found here.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import { USUAL_CANDLES } from '../../src/embedded/recorded/candle-path.ts';
import { ShapedPoints } from '../../src/embedded/recorded/shaped-points.ts';
import { ReportCollector } from '../../src/report/figures/report-collector.ts';
import { reportOf } from '../../src/report/report.ts';
import { backtest } from '../../src/run/backtest/backtest.ts';
import { defineStrategy, type Params, type Strategy } from '../../src/strategy/contract.ts';
import { candleTape } from '../../src/testing/check/tapes/candle-tapes.ts';
import { DEFAULTS } from '../replay/virtual-run.ts';
import { ASSUMPTIONS, DEPOSIT } from '../story/backtest/played.ts';
import { BTC } from '../unit/world-builder.ts';

const MOST_ERRORS = 3;

/** Prices at the looks of a candle, from its open to its close. */
type Mids = readonly number[];
/** The position before the move from look k to the next. */
type Signal = (candle: Mids, k: number, before: Mids | undefined) => number;

const lastMove = (candle: Mids, k: number, before: Mids | undefined): number =>
  Math.sign(k > 0 ? candle[k]! - candle[k - 1]! : before === undefined ? 0 : before.at(-1)! - before.at(-2)!);
const firstMove: Signal = (candle, k) => (k === 0 ? 0 : Math.sign(candle[1]! - candle[0]!));
const fromOpen: Signal = (candle, k) => Math.sign(candle[k]! - candle[0]!);

/** The best position for each place in the candle and the signs of what was seen, learned on some candles. */
function learned(candles: readonly Mids[]): Signal {
  const key = (candle: Mids, k: number): string =>
    [k, lastMove(candle, k, undefined), k > 1 ? Math.sign(candle[k - 1]! - candle[k - 2]!) : 0, fromOpen(candle, k, undefined)].join();
  const moves = new Map<string, number>();
  for (const candle of candles)
    for (let k = 0; k + 1 < candle.length; k++) moves.set(key(candle, k), (moves.get(key(candle, k)) ?? 0) + candle[k + 1]! - candle[k]!);
  return (candle, k) => Math.sign(moves.get(key(candle, k)) ?? 0);
}

/** The mean profit of a candle in standard errors. */
function errorsOf(candles: readonly Mids[], signal: Signal): number {
  const profits = candles.map((candle, index) => {
    let profit = 0;
    for (let k = 0; k + 1 < candle.length; k++) profit += signal(candle, k, candles[index - 1]) * (candle[k + 1]! - candle[k]!);
    return profit;
  });
  const mean = profits.reduce((sum, profit) => sum + profit, 0) / profits.length;
  const variance = profits.reduce((sum, profit) => sum + (profit - mean) ** 2, 0) / (profits.length - 1);
  return mean / Math.sqrt(variance / profits.length);
}

/** Candles of a random walk as open, high, low and close. */
function walk(count: number, seed: string): readonly { open: number; high: number; low: number; close: number }[] {
  const rng = rngFrom(seed);
  let price = 1e7;
  return Array.from({ length: count }, () => {
    const open = Math.round(price);
    let [high, low] = [price, price];
    for (let step = 0; step < 240; step++) {
      price += 200 * rng.normal();
      [high, low] = [Math.max(high, price), Math.min(low, price)];
    }
    return { open, high: Math.round(high), low: Math.round(low), close: Math.round(price) };
  });
}

const SIGNALS: Readonly<Record<string, Signal>> = {
  'the last move': lastMove,
  'against the last move': (...seen) => -lastMove(...seen),
  'the first move': firstMove,
  'against the first move': (...seen) => -firstMove(...seen),
  'away from the open': fromOpen,
  'back to the open': (...seen) => -fromOpen(...seen),
};

describe.each([4, 12])('the way of %i looks', (looks) => {
  const points = new ShapedPoints(looks, 'martingale');
  const candles = walk(6_000, 'prices').map((candle): Mids => {
    const prices: number[] = [];
    points.pricesOf(candle, prices);
    return prices.filter((_, index) => index % 3 === 0);
  });

  test.each(Object.entries(SIGNALS))('earns nothing for who follows %s', (_, signal) => {
    expect(errorsOf(candles, signal)).toBeLessThan(MOST_ERRORS);
  });

  test('earns nothing for a table that was learned on half of the candles', () => {
    expect(errorsOf(candles.slice(3_000), learned(candles.slice(0, 3_000)))).toBeLessThan(MOST_ERRORS);
  });
});

test('a straight way is found: it earns for who follows the last move', () => {
  const straight = walk(1_000, 'prices').map(({ open, high, low, close }): Mids => {
    const corners = close > open ? [open, low, high, close] : [open, high, low, close];
    return corners.flatMap((corner, index) =>
      index === 0 ? [corner] : [1, 2, 3, 4].map((part) => corners[index - 1]! + ((corner - corners[index - 1]!) * part) / 4),
    );
  });
  expect(errorsOf(straight, lastMove)).toBeGreaterThan(20);
  expect(errorsOf(straight.slice(500), learned(straight.slice(0, 500)))).toBeGreaterThan(20);
});

const HOUR = 3_600_000;
const defaults = { market: 'BTCUSDC' };
type Decide = (mids: readonly number[], first: number | undefined) => number;

/** Holds what `decide` says of the mids at the looks so far. */
const planted = (name: string, looks: number, decide: Decide): Strategy<Params> =>
  defineStrategy({
    name,
    defaults,
    create() {
      const { market } = defaults;
      const mids: number[] = [];
      let [look, first, position] = [-1, undefined as number | undefined, 0];
      return (view) => {
        const { mid, target } = view.market(market);
        if (mid === undefined) return [];
        const now = Math.floor((view.now % HOUR) / (HOUR / looks)) + looks * Math.floor(view.now / HOUR);
        if (now !== look) {
          if (looks === 1) first = mids.at(-1);
          else if (now % looks === 0) first = mid;
          mids.push(mid);
          look = now;
          position = 0.01 * decide(mids, first);
        }
        return [target({ position })];
      };
    },
  });

const momentum: Decide = (mids) => Math.sign((mids.at(-1) ?? 0) - (mids.at(-2) ?? 0));
const peek: Decide = (mids, first) => -Math.sign((mids.at(-1) ?? 0) - (first ?? mids.at(-1) ?? 0));

describe.each([1, 4, 12] as const)('a backtest with %i looks', (looks) => {
  test.each([
    ['momentum', momentum],
    ['against momentum', (mids: readonly number[]) => -momentum(mids, undefined)],
    ['back to the open', peek],
    ['away from the open', (mids: readonly number[], first: number | undefined) => -peek(mids, first)],
  ] as const)('pays nothing above its costs for %s', async (name, decide) => {
    const tape = candleTape({ market: BTC.spec, basePrice: 60_000 }, { length: HOUR, count: 400 }, { seed: 'martingale' });
    let collector: ReportCollector | undefined;
    const result = await backtest({
      strategy: planted(name, looks, decide),
      params: defaults,
      limits: { ...DEFAULTS.limits },
      polling: DEFAULTS.polling,
      seed: 'martingale',
      tapes: [tape],
      assumptions: { ...ASSUMPTIONS, candles: { ...USUAL_CANDLES, looks } },
      deposit: DEPOSIT,
      fees: { makerPpm: 0, takerPpm: 0 },
      watch: ({ run }) => {
        const watching = new ReportCollector({ markets: [...run.world.markets.values()], freshMs: HOUR });
        collector = watching;
        run.turns.subscribe((turn) => watching.see(turn, run.world));
      },
    });
    const facts = { title: name, summary: result.summary, params: {}, limits: {}, tapes: [], assumptions: {}, notes: [] };
    const { figures } = reportOf(facts, collector!.finish());
    expect(figures.fills).toBeGreaterThan(100);
    if ('missing' in figures.returns) throw new Error(figures.returns.missing);
    const { count, volatility = 0, intervalMs } = figures.returns;
    expect(intervalMs).toBe(HOUR);
    // A return is a fraction of 100,000; volatility is that of a day.
    const error = 100_000 * (volatility / Math.sqrt(24)) * Math.sqrt(count);
    expect(figures.attribution.price).toBeLessThan(MOST_ERRORS * error);
  });
});
