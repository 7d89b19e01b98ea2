// The rows of the order book on the page.
import { expect, test } from 'vitest';
import { ROWS, shownLevels } from '../../../src/program/monitoring/page/browser/shown-levels.ts';
import type { PageOrder } from '../../../src/program/monitoring/page/contract.ts';

const asksFrom = (first: number, count: number): [string, string][] =>
  Array.from({ length: count }, (_, rank) => [`${first + rank}`, '1.0']);

const orderAt = (price: number, side: PageOrder['side'] = 'ask'): PageOrder => ({
  clientOrderId: `${side}${price}`,
  market: 'BTCUSDC',
  side,
  price: `${price}`,
  remaining: '0.1',
  status: 'open',
  sentAt: 0,
});

const pricesOf = (orders: readonly PageOrder[], levels = asksFrom(101, 25)): readonly number[] =>
  shownLevels('ask', levels, orders).map(({ price }) => Number(price));

test('a side has as many rows with orders at its levels, beyond them, and without orders', () => {
  expect(pricesOf([])).toEqual([101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111, 112]);
  expect(pricesOf([orderAt(102)])).toHaveLength(ROWS);
  expect(pricesOf([orderAt(120), orderAt(200)])).toEqual([101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 120, 200]);
  const many = Array.from({ length: 20 }, (_, rank) => orderAt(200 + rank));
  expect(pricesOf(many)).toEqual([101, 102, 103, 104, 200, 201, 202, 203, 204, 205, 206, 207]);
  expect(pricesOf([orderAt(100)])).toEqual([100, 101, 102, 103, 104, 105, 106, 107, 108, 109, 110, 111]);
});

test('a short book has fewer rows, an empty one only our orders of its side', () => {
  expect(pricesOf([orderAt(90, 'bid')], asksFrom(101, 2))).toEqual([101, 102]);
  expect(pricesOf([orderAt(110)], [])).toEqual([110]);
});

test('a row has the size of the book, our orders at its price, and a mark where levels are left out', () => {
  const rows = shownLevels(
    'bid',
    [
      ['100', '2.0'],
      ['99', '3.0'],
    ],
    [orderAt(99, 'bid'), orderAt(90, 'bid'), orderAt(90, 'bid')],
  );
  expect(rows.map(({ price, size, own, isApart }) => [price, size, own.length, isApart])).toEqual([
    ['100', '2.0', 0, false],
    ['99', '3.0', 1, false],
    ['90', undefined, 2, true],
  ]);
});
