// The two sides of a book, and when a book is unusable.
import { describe, expect, test } from 'vitest';
import { best, bookFault, crosses, type Level, levelsOf, opposite, signOf } from '../../../src/bot/domain/book.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { canRest } from '../../../src/bot/domain/order.ts';

const at = (...prices: number[]): Level[] => prices.map((price) => ({ price: ticks(price), size: lots(1) }));
const book = (bids: readonly Level[], asks: readonly Level[]) => ({ market: 0, updateId: '1', bids, asks });

test('a side has an opposite and a sign', () => {
  expect([opposite('bid'), opposite('ask'), signOf('bid'), signOf('ask')]).toEqual(['ask', 'bid', 1, -1]);
});

test('an order trades with one at its price or better', () => {
  expect([crosses('bid', 100, 100), crosses('bid', 100, 101), crosses('ask', 100, 100), crosses('ask', 100, 99)]).toEqual([
    true,
    false,
    true,
    false,
  ]);
});

test('two of the fill modes can rest', () => {
  const modes = ['LIMIT', 'POST_ONLY', 'IMMEDIATE_OR_CANCEL', 'FILL_OR_KILL'] as const;
  expect(modes.map(canRest)).toEqual([true, true, false, false]);
});

describe('a book', () => {
  test('has a best level on each side', () => {
    const full = book(at(99, 98), at(100, 101));
    expect([best(full, 'bid')?.price, best(full, 'ask')?.price, levelsOf(full, 'ask').length]).toEqual([99, 100, 2]);
    expect(best(book([], at(1)), 'bid')).toBeUndefined();
  });

  test.each([
    [at(99), at(100), undefined],
    [[], at(100), 'no bids in the book'],
    [at(99), [], 'no asks in the book'],
    [[], [], 'no bids in the book'],
    [at(100), at(100), 'the book is crossed'],
    [at(101), at(100), 'the book is crossed'],
  ])('%#: is valid, or has a reason why not', (bids, asks, fault) => expect(bookFault(book(bids, asks))).toBe(fault));
});
