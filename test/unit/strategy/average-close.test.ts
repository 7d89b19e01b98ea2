// The average close of the newest candles, beside a sum made anew.
import { expect, test } from 'vitest';
import { MINUTE } from '../../../src/base/clock.ts';
import { rngFrom } from '../../../src/base/rng.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { candleViews } from '../../../src/bot/strategy/view/candle-views.ts';
import { CandleSeries } from '../../../src/bot/world/market/candle-series.ts';
import { BTC } from '../world-builder.ts';

const KEPT = 5;

const seriesOf = () => {
  const series = new CandleSeries(MINUTE, KEPT);
  const rng = rngFrom('average close');
  const closes: number[] = [];
  const add = (): void => {
    const price = ticks(600_000 + rng.below(1_000));
    series.add({ start: closes.length * MINUTE, open: price, high: price, low: price, close: price, volume: lots(1) }, MINUTE);
    closes.push(price);
  };
  const summed = (length: number): number | undefined => {
    const sum = closes.slice(-length).reduce((total, close) => total + close, 0);
    return closes.length < length ? undefined : BTC.price(ticks(sum)) / length;
  };
  return { series, add, summed };
};

test('is that of exactly so many candles, and undefined while there are fewer', () => {
  const { series, add, summed } = seriesOf();
  const { averageClose } = candleViews(BTC);
  for (let count = 0; count < 40; count++) {
    for (const length of [1, 2, KEPT]) expect(averageClose(series, MINUTE, length)).toBe(summed(length));
    expect(averageClose(series, MINUTE, KEPT + 1)).toBeUndefined();
    add();
  }
});

test('holds after candles came that nobody asked about, after more are kept, and after a restart', () => {
  const { series, add, summed } = seriesOf();
  const { averageClose } = candleViews(BTC);
  for (const count of [2, 30, 1, 11, 1, 1]) {
    for (let added = 0; added < count; added++) add();
    expect(averageClose(series, MINUTE, 2)).toBe(summed(2));
  }
  series.keep(2 * KEPT);
  for (let added = 0; added < 4 * KEPT; added++) {
    add();
    const known = averageClose(series, MINUTE, 2 * KEPT);
    if (known !== undefined) expect(known).toBe(summed(2 * KEPT));
    expect(averageClose(series, MINUTE, KEPT)).toBe(summed(KEPT));
  }
  expect(averageClose(series, MINUTE, 2 * KEPT)).toBe(summed(2 * KEPT));
  series.restart(Number.POSITIVE_INFINITY);
  add();
  expect(averageClose(series, MINUTE, 1)).toBe(summed(1));
});

test('takes each candle once, however many it is of', () => {
  const { series, add } = seriesOf();
  const { averageClose } = candleViews(BTC);
  for (let count = 0; count < KEPT; count++) add();
  averageClose(series, MINUTE, KEPT);
  const asked: number[] = [];
  const last = series.last.bind(series);
  series.last = (count) => {
    asked.push(count);
    return last(count);
  };
  averageClose(series, MINUTE, KEPT);
  add();
  averageClose(series, MINUTE, KEPT);
  expect(asked).toEqual([1]);
});

test('refuses a length that is no whole number of candles', () => {
  const { averageClose } = candleViews(BTC);
  for (const wrong of [0, -1, 1.5, Number.NaN])
    expect(() => averageClose(undefined, MINUTE, wrong)).toThrow('is not a whole number of at least 1');
});
