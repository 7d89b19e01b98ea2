// The mark: the index plus the smoothed and limited premium of the book.
import { expect, test } from 'vitest';
import { ticks } from '../../../src/bot/domain/numbers.ts';
import { ExchangePrices } from '../../../src/embedded/exchange/state/prices.ts';

const looked = (prices: ExchangePrices, mid: number | undefined, seconds: number): number => {
  for (let step = 0; step < seconds * 10; step++) prices.sample(mid, 100);
  return prices.mark;
};

test('approaches the mid within half a minute, up to 1/e', () => {
  const prices = new ExchangePrices(ticks(100_000));
  expect(looked(prices, 100_100, 30)).toBe(100_063);
  expect(looked(prices, 100_100, 300)).toBe(100_100);
});

test('moves with the index at once', () => {
  const prices = new ExchangePrices(ticks(100_000));
  looked(prices, 100_100, 300);
  expect(prices.applyOracle({ index: ticks(110_000) })).toBe(true);
  expect(prices.mark).toBe(110_100);
  expect(prices.applyOracle({ index: ticks(110_000) })).toBe(false);
});

test('is within 1 % of the index', () => {
  const prices = new ExchangePrices(ticks(100_000));
  expect(looked(prices, 150_000, 600)).toBe(101_000);
  expect(looked(prices, 50_000, 600)).toBe(99_000);
});

test('keeps its premium while the book has an empty side', () => {
  const prices = new ExchangePrices(ticks(100_000));
  looked(prices, 100_100, 300);
  expect(looked(prices, undefined, 300)).toBe(100_100);
});
