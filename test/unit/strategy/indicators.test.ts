// Indicators: their first values, their warm-up, and their limits.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import { atr } from '../../../src/bot/strategy/indicators/candle.ts';
import { bollinger, rsi, sma } from '../../../src/bot/strategy/indicators/price.ts';
import { ewma, realisedVolatility } from '../../../src/bot/strategy/indicators/timed.ts';

describe('ewma', () => {
  test('starts at the first value and moves half the way per half-life, however often it is updated', () => {
    const coarse = ewma(1_000);
    expect(coarse.update(100, 0)).toBe(100);
    expect(coarse.update(200, 1_000)).toBe(150);
    const fine = ewma(1_000);
    fine.update(100, 0);
    for (let at = 10; at < 1_000; at += 10) fine.update(200, at);
    expect(fine.update(200, 1_000)).toBeCloseTo(150, 9);
  });

  test('ignores a second value of the same time', () => {
    const average = ewma(1_000);
    average.update(100, 0);
    expect(average.update(200, 0)).toBe(100);
  });
});

describe('realisedVolatility', () => {
  test('finds the volatility of a random walk, at any update rate', () => {
    for (const stepMs of [100, 1_000]) {
      const rng = rngFrom('walk');
      const volatility = realisedVolatility(600_000);
      let [log, found] = [0, 0];
      for (let at = 0; at < 3_600_000; at += stepMs) {
        log += (3 / 1e4) * Math.sqrt(stepMs / 1000) * rng.normal();
        found = volatility.update(100 * Math.exp(log), at) ?? 0;
      }
      expect(found).toBeGreaterThan(2.7);
      expect(found).toBeLessThan(3.3);
    }
  });

  test('is undefined before a half-life has passed', () => {
    const volatility = realisedVolatility(1_000);
    expect([0, 500, 999].map((at) => volatility.update(100 + at, at))).toEqual([undefined, undefined, undefined]);
    expect(volatility.update(100, 1_000)).toBeGreaterThan(0);
  });
});

describe('indicators that count updates', () => {
  test('sma needs as many values as its length', () => {
    const average = sma(3);
    expect([1, 2, 3, 7].map((value) => average.update(value))).toEqual([undefined, undefined, 2, 4]);
  });

  test('rsi needs one value more than its length and runs from 0 to 100', () => {
    const rising = rsi(3);
    expect([1, 2, 3, 4].map((value) => rising.update(value))).toEqual([undefined, undefined, undefined, 100]);
    const falling = rsi(3);
    expect([4, 3, 2, 1].map((value) => falling.update(value)).at(-1)).toBe(0);
  });

  test('atr is the mean of true ranges', () => {
    const range = atr(2);
    expect(range.update({ high: 12, low: 10, close: 11 })).toBeUndefined();
    expect(range.update({ high: 15, low: 12, close: 14 })).toBe(3); // the gap from 11 to 15 counts
  });

  test('bollinger bands are population deviations around the mean', () => {
    const bands = bollinger(4);
    expect([1, 1, 3].map((value) => bands.update(value))).toEqual([undefined, undefined, undefined]);
    expect(bands.update(3)).toEqual({ lower: 0, middle: 2, upper: 4 });
  });
});
