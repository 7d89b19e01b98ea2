// No strategy can profit on candles of a driftless random walk, at any number of looks. Detects a predictable price path within candles.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import { RowBuilder } from '../../src/domain/rows/row-builder.ts';
import { codeOf, KIND_BITS, ROW } from '../../src/domain/rows/rows.ts';
import { CandlePath, DEFAULT_CANDLES } from '../../src/embedded/recorded/candle-path.ts';
import { ReportCollector } from '../../src/report/figures/report-collector.ts';
import { reportOf } from '../../src/report/report.ts';
import { backtest } from '../../src/run/backtest/backtest.ts';
import { defineStrategy, type Params, type Strategy } from '../../src/strategy/contract.ts';
import { candleTape } from '../../src/testing/check/tapes/candle-tapes.ts';
import { DEFAULTS } from '../replay/virtual-run.ts';
import { ASSUMPTIONS, DEPOSIT } from '../story/backtest/played.ts';
import { BTC } from '../unit/world-builder.ts';

const MAX_ERRORS = 3;

/** Prices at the looks of a candle, from open to close. */
type Mids = readonly number[];
/** Returns the position before the move from look k to the next. */
type Signal = (candle: Mids, k: number, before: Mids | undefined, expected: number) => number;

interface Walked {
  readonly candles: readonly Mids[];
  /** The expected range of each candle, from the candles before it. */
  readonly expected: readonly number[];
}

const lastMove = (candle: Mids, k: number, before: Mids | undefined): number =>
  Math.sign(k > 0 ? candle[k]! - candle[k - 1]! : before === undefined ? 0 : before.at(-1)! - before.at(-2)!);
const firstMove: Signal = (candle, k) => (k === 0 ? 0 : Math.sign(candle[1]! - candle[0]!));
const fromOpen = (candle: Mids, k: number): number => Math.sign(candle[k]! - candle[0]!);

/** Returns the class of a move, relative to the expected range. */
const classOf = (move: number): number => [-1.5, -0.5, -0.1, 0.1, 0.5, 1.5].filter((edge) => move > edge).length;

/** Keys of a learned table: the look, and the signs of the last moves or their sizes relative to previous candles. */
const KEYS = {
  signs: (candle: Mids, k: number): string =>
    [k, lastMove(candle, k, undefined), k > 1 ? Math.sign(candle[k - 1]! - candle[k - 2]!) : 0, fromOpen(candle, k)].join(),
  sizes: (candle: Mids, k: number, expected: number): string =>
    [k, classOf((2 * (candle[k]! - candle[0]!)) / expected), classOf((k > 0 ? 4 * (candle[k]! - candle[k - 1]!) : 0) / expected)].join(),
};

/** Returns a signal with the best position for each key, learned on some candles. */
function learned({ candles, expected }: Walked, keyOf: (typeof KEYS)[keyof typeof KEYS]): Signal {
  const moves = new Map<string, number>();
  for (const [index, candle] of candles.entries())
    for (let k = 0; k + 1 < candle.length; k++) {
      const key = keyOf(candle, k, expected[index]!);
      moves.set(key, (moves.get(key) ?? 0) + (candle[k + 1]! - candle[k]!) / expected[index]!);
    }
  return (candle, k, _, size) => Math.sign(moves.get(keyOf(candle, k, size)) ?? 0);
}

/** Returns the mean profit per candle in standard errors. */
function errorsOf({ candles, expected }: Walked, signal: Signal): number {
  const profits = candles.map((candle, index) => {
    let profit = 0;
    for (let k = 0; k + 1 < candle.length; k++)
      profit += signal(candle, k, candles[index - 1], expected[index]!) * (candle[k + 1]! - candle[k]!);
    return profit / expected[index]!;
  });
  const mean = profits.reduce((sum, profit) => sum + profit, 0) / profits.length;
  const variance = profits.reduce((sum, profit) => sum + (profit - mean) ** 2, 0) / (profits.length - 1);
  return variance === 0 ? mean : mean / Math.sqrt(variance / profits.length);
}

interface Ohlc {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
}

/** Step sizes by candle, and the draw of a step. */
interface Walk {
  readonly sizes: (candle: number, normal: () => number) => number;
  readonly step: (normal: () => number, at: number) => number;
}

const plain = (): number => 1;
const gaussian = (normal: () => number): number => normal();
/** Student's t distribution with three degrees of freedom. */
const heavy = (normal: () => number): number => normal() / Math.hypot(normal(), normal(), normal());
/** Volatility that persists over candles. */
const clustered = (): Walk['sizes'] => {
  let log = 0;
  return (_, normal) => Math.exp((log = 0.95 * log + 0.15 * normal()));
};

const WALKS: Readonly<Record<string, () => Walk>> = {
  'a Gaussian walk': () => ({ sizes: plain, step: gaussian }),
  'clustered volatility': () => ({ sizes: clustered(), step: gaussian }),
  'another volatility in each candle': () => ({ sizes: (_, normal) => Math.exp(0.5 * normal()), step: gaussian }),
  'volatility by the hour': () => ({ sizes: (candle) => 1 + 0.8 * Math.sin((2 * Math.PI * candle) / 24), step: gaussian }),
  'heavy tails': () => ({ sizes: plain, step: heavy }),
  'clustered volatility and heavy tails': () => ({ sizes: clustered(), step: heavy }),
  'a burst at the beginning of each candle': () => ({ sizes: clustered(), step: (normal, at) => (at < 40 ? 3 : 0.5) * normal() }),
};

/** Returns candles of a random walk without drift. */
function walk(count: number, seed: string, { sizes, step }: Walk = WALKS['a Gaussian walk']!()): readonly Ohlc[] {
  const rng = rngFrom(seed);
  const normal = (): number => rng.normal();
  let price = 1e9;
  return Array.from({ length: count }, (_, candle) => {
    const open = Math.round(price);
    let [high, low] = [price, price];
    const size = 200 * sizes(candle, normal);
    for (let at = 0; at < 240; at++) {
      price += size * step(normal, at);
      [high, low] = [Math.max(high, price), Math.min(low, price)];
    }
    return { open, high: Math.round(high), low: Math.round(low), close: Math.round(price) };
  });
}

const MINUTE = 60_000_000; // a Stamp counts microseconds

/** Returns the prices at the looks, from the rows that a backtest plays. */
function mids(candles: readonly Ohlc[], looks: 4 | 12): readonly Mids[] {
  const path = new CandlePath({ ...DEFAULT_CANDLES, looks }, 'martingale');
  const builder = new RowBuilder();
  for (const [index, { open, high, low, close }] of candles.entries()) {
    const add = (kind: 'open' | 'high' | 'low' | 'close', price: number, size: number): void =>
      builder.add({ time: index * MINUTE, lag: 0, code: codeOf(kind), price, size });
    add('open', open, MINUTE / 1_000);
    add('high', high, 0);
    add('low', low, 0);
    add('close', close, 1_000);
  }
  const seen = candles.map((): number[] => []);
  let [look, price] = [0, candles[0]!.open];
  const lookUntil = (time: number): void => {
    for (; look * (MINUTE / looks) < time; look++) seen[Math.floor(look / looks)]?.push(price);
  };
  for (const rows of [path.rows(builder.take()), path.end()])
    for (let at = 0; at < rows.count; at++) {
      if ((rows.codes[at]! & KIND_BITS) !== ROW.mark) continue;
      lookUntil(rows.times[at]!);
      price = rows.prices[at]!;
    }
  lookUntil(candles.length * MINUTE);
  return seen.map((list, index) => [...list, candles[index]!.close]);
}

/** Returns the expected range of each candle, which a strategy may know. */
function rangesOf(candles: readonly Ohlc[]): readonly number[] {
  let expected = candles[0]!.high - candles[0]!.low;
  return candles.map(({ high, low }) => {
    const before = expected;
    expected *= (Math.max(1, high - low) / expected) ** 0.1;
    return before;
  });
}

const partOf = ({ candles, expected }: Walked, from: number, to: number): Walked => ({
  candles: candles.slice(from, to),
  expected: expected.slice(from, to),
});

const SIGNALS: Readonly<Record<string, Signal>> = {
  'the last move': lastMove,
  'against the last move': (candle, k, before) => -lastMove(candle, k, before),
  'the first move': firstMove,
  'against the first move': (...seen) => -firstMove(...seen),
  'away from the open': fromOpen,
  'back to the open': (candle, k) => -fromOpen(candle, k),
};

const COUNT = 6_000;

describe.each(Object.entries(WALKS))('candles of %s', (_, walkOf) => {
  const candles = walk(COUNT, 'a', walkOf());
  const expected = rangesOf(candles);

  describe.each([4, 12] as const)('%i looks at each', (looks) => {
    const walked = { candles: mids(candles, looks), expected };

    test.each(Object.entries(SIGNALS))('give no profit to a strategy that follows %s', (__, signal) => {
      expect(errorsOf(walked, signal)).toBeLessThan(MAX_ERRORS);
    });

    test.each(Object.entries(KEYS))('give no profit to a table of %s learned on half of the candles', (__, keyOf) => {
      expect(errorsOf(partOf(walked, COUNT / 2, COUNT), learned(partOf(walked, 0, COUNT / 2), keyOf))).toBeLessThan(MAX_ERRORS);
    });
  });
});

test('a straight price path is detected: a strategy that follows the last move profits', () => {
  const candles = walk(1_000, 'prices');
  const straight = candles.map(({ open, high, low, close }): Mids => {
    const corners = close > open ? [open, low, high, close] : [open, high, low, close];
    return corners.flatMap((corner, index) =>
      index === 0 ? [corner] : [1, 2, 3, 4].map((part) => corners[index - 1]! + ((corner - corners[index - 1]!) * part) / 4),
    );
  });
  const walked = { candles: straight, expected: rangesOf(candles) };
  expect(errorsOf(walked, lastMove)).toBeGreaterThan(20);
  for (const keyOf of Object.values(KEYS))
    expect(errorsOf(partOf(walked, 500, 1_000), learned(partOf(walked, 0, 500), keyOf))).toBeGreaterThan(20);
});

const HOUR = 3_600_000;
const defaults = { market: 'BTCUSDC' };
type Decide = (mids: readonly number[], first: number | undefined) => number;

/** Returns a strategy that holds the position that `decide` computes from the mid prices so far. */
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
      assumptions: { ...ASSUMPTIONS, candles: { ...DEFAULT_CANDLES, looks } },
      deposit: DEPOSIT,
      fees: { makerPpm: 0, takerPpm: 0 },
      watch: ({ run }) => {
        const watching = new ReportCollector({ markets: [...run.world.markets.values()], freshMs: HOUR });
        collector = watching;
        run.turns.subscribe((turn) => watching.see(turn, run.world));
      },
    });
    const facts = { title: name, summary: result.summary, params: {}, limits: {}, tapes: [], assumptions: {}, notes: [] };
    const { figures } = reportOf(facts, collector!.collected());
    expect(figures.fills).toBeGreaterThan(100);
    if ('missing' in figures.returns) throw new Error(figures.returns.missing);
    const { count, volatility = 0, intervalMs } = figures.returns;
    expect(intervalMs).toBe(HOUR);
    // A return is a fraction of 100,000; volatility is that of a day.
    const error = 100_000 * (volatility / Math.sqrt(24)) * Math.sqrt(count);
    expect(figures.attribution.price).toBeLessThan(MAX_ERRORS * error);
  });
});
