// The stylised facts on series with known figures, and on the rows of a small book.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import { ASK_BIT, ROW, type Rows } from '../../../src/embedded/rows/rows.ts';
import { BookLevels } from '../../../src/research/facts/book-levels.ts';
import { type BookSample, observe } from '../../../src/research/facts/observations.ts';
import { autocorrelation, factsOf, returnsOf } from '../../../src/research/facts/stylised-facts.ts';

const sample = (second: number, mid: number): BookSample => ({
  second,
  mid,
  spread: 2,
  sizes: [4, 2, 1, 4, 2, 1],
  changes: 0,
  mark: mid,
  index: mid,
  rate: undefined,
});

/** The mids of a walk with independent normal steps of one basis point. */
function walk(seconds: number, seed: string): readonly BookSample[] {
  const rng = rngFrom(seed);
  let mid = 600_000;
  return Array.from({ length: seconds }, (_, second) => sample(second, (mid *= Math.exp(rng.normal() / 1e4))));
}

test.each(['a', 'b', 'c'])('a random walk with normal steps has its known figures (seed %s)', (seed) => {
  const { returns, clustering, volatility } = factsOf({ samples: walk(20_000, seed), trades: [], changes: 0, funding: [] });
  expect(returns[1]?.deviation).toBeCloseTo(1, 1);
  expect(returns[1]?.kurtosis).toBeCloseTo(3, 0);
  expect(returns[10]?.deviation).toBeCloseTo(Math.sqrt(10), 0);
  expect(Math.abs(returns[1]?.autocorrelation ?? 1)).toBeLessThan(0.03);
  expect(Math.abs(clustering[0] ?? 1)).toBeLessThan(0.03);
  expect(volatility).toBeGreaterThan(0.45);
  expect(volatility).toBeLessThan(0.68); // 1 bp per root second is 56 % a year
});

test('a price that never moves has a deviation of 0 and no kurtosis', () => {
  const still = Array.from({ length: 100 }, (_, second) => sample(second, 600_000));
  const { returns } = factsOf({ samples: still, trades: [], changes: 0, funding: [] });
  expect(returns[1]).toEqual({ deviation: 0, kurtosis: undefined, autocorrelation: undefined });
});

test('the depth is the median of the sizes of both sides, over that at the best level', () => {
  const best = [
    [9, 1],
    [5, 3],
    [7, 2],
  ] as const;
  const samples = best.map(([bid, ask], second) => ({ ...sample(second, 600_000), sizes: [bid, 10, 20, ask, 10, 20] }));
  expect(factsOf({ samples, trades: [], changes: 0, funding: [] }).depth).toEqual([1, 2, 4]); // the median of 1, 2, 3, 5, 7, 9 is 5
});

test('no return spans a gap', () => {
  const samples = [sample(0, 100), sample(1, 101), sample(5, 200), sample(6, 202)];
  expect(returnsOf(samples, 1).map((value) => Math.round(value))).toEqual([100, 100]);
});

test('the autocorrelation of an alternating series is -1, of a short series undefined', () => {
  const alternating = Array.from({ length: 1_000 }, (_, at) => (at % 2 === 0 ? 1 : -1));
  expect(autocorrelation(alternating, 1)).toBeCloseTo(-1, 2);
  expect(autocorrelation(alternating, 2)).toBeCloseTo(1, 2);
  expect(autocorrelation([1, 2, 3], 1)).toBeUndefined();
  expect(
    autocorrelation(
      Array.from({ length: 100 }, () => 7),
      1,
    ),
  ).toBeUndefined();
});

describe('one side of a book', () => {
  test.each([1, -1] as const)('keeps its best price (sign %i)', (sign) => {
    const rng = rngFrom(`levels${sign}`);
    const [levels, plain] = [new BookLevels(sign), new Map<number, number>()];
    for (let step = 0; step < 2_000; step++) {
      const [price, size] = [rng.below(50), rng.below(3)];
      levels.set(price, size);
      if (size > 0) plain.set(price, size);
      else plain.delete(price);
      const sorted = [...plain.keys()].sort((a, b) => sign * (a - b));
      expect([levels.best, levels.sizes(3)]).toEqual([sorted[0], sorted.slice(0, 3).map((at) => plain.get(at))]);
    }
  });
});

test('rows become samples of whole seconds, and trades with the mid before them', async () => {
  const second = 1_000_000;
  const rows: readonly (readonly [time: number, code: number, price: number, size: number])[] = [
    [0, ROW.level, 99, 5],
    [0, ROW.level | ASK_BIT, 101, 4],
    [0.5 * second, ROW.trade | ASK_BIT, 99, 2],
    [1.5 * second, ROW.level, 100, 1],
    [2.5 * second, ROW.gap, 0, 0],
    [4.5 * second, ROW.trade, 101, 3],
  ];
  const block: Rows = {
    count: rows.length,
    times: Float64Array.from(rows, ([time]) => time),
    lags: new Float64Array(rows.length),
    codes: Uint8Array.from(rows, ([, code]) => code),
    prices: Int32Array.from(rows, ([, , price]) => price),
    sizes: Float64Array.from(rows, ([, , , size]) => size),
  };
  const { samples, trades, changes } = await observe(
    (async function* blocks() {
      yield block;
    })(),
  );
  expect(samples.map(({ second: at, mid, spread }) => [at, mid, spread])).toEqual([
    [0, 100, 2],
    [1, 100.5, 1],
  ]);
  expect(trades).toEqual([
    { at: 0.5, sign: -1, size: 2, mid: 100 },
    { at: 4.5, sign: 1, size: 3, mid: undefined },
  ]);
  expect(changes).toBe(3);
});
