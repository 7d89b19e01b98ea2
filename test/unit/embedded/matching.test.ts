// The book of one market: matching, fill prices, and refusals by fill mode.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Side } from '../../../src/bot/domain/book.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { FillMode } from '../../../src/bot/domain/order.ts';
import { OrderBook } from '../../../src/embedded/exchange/book/matching.ts';

let book: OrderBook;
beforeEach(() => {
  book = new OrderBook();
});

const plan = (side: Side, size: number, price?: number, mode: FillMode = 'LIMIT') =>
  book.plan(side, mode, lots(size), price === undefined ? undefined : ticks(price));
const rest = (side: Side, size: number, price: number) => {
  expect(plan(side, size, price)).toBeUndefined();
  return book.commit();
};
const filled = () =>
  Array.from(
    { length: book.fills.count },
    (_, index) => `${book.fills.size(index)}@${book.fills.price(index)} of ${book.fills.maker(index)}`,
  );

describe('priority', () => {
  test('goes to the better price, and at one price to the earlier order; each fills at its own price', () => {
    const late = rest('ask', 5, 101);
    const best = rest('ask', 3, 100);
    const later = rest('ask', 5, 101);
    expect(plan('bid', 10, 101)).toBeUndefined();
    expect(filled()).toEqual([`3@100 of ${best}`, `5@101 of ${late}`, `2@101 of ${later}`]);
    expect(book.commit()).toBeUndefined();
    expect(book.levels('ask')).toEqual([{ price: 101, size: 3 }]);
  });

  test('is kept by an order that was partly filled', () => {
    const first = rest('bid', 5, 99);
    rest('bid', 5, 99);
    plan('ask', 2, 99);
    book.commit();
    plan('ask', 3, 99);
    expect(filled()).toEqual([`3@99 of ${first}`]);
  });

  test('the rest of a limit order rests at its own price', () => {
    rest('ask', 2, 100);
    expect(rest('bid', 5, 102)).toBeDefined();
    expect(book.levels('bid')).toEqual([{ price: 102, size: 3 }]);
    expect(book.best('ask')).toBeUndefined();
  });

  test('a cancelled order is skipped, also in the middle of a queue', () => {
    const [first, middle, last] = [rest('ask', 1, 100), rest('ask', 2, 100), rest('ask', 4, 100)];
    book.cancel(middle!);
    plan('bid', 9, 100, 'IMMEDIATE_OR_CANCEL');
    expect(filled()).toEqual([`1@100 of ${first}`, `4@100 of ${last}`]);
  });
});

describe('fill modes', () => {
  beforeEach(() => {
    rest('ask', 5, 100);
  });

  test.each([
    ['a limit order without a price', 'LIMIT', 1, undefined, 'ORDER_EXECUTION_MISSING_PRICE'],
    ['a post-only order without a price', 'POST_ONLY', 1, undefined, 'ORDER_EXECUTION_MISSING_PRICE'],
    ['nothing', 'LIMIT', 0, 100, 'ORDER_SIZE_ZERO'],
    ['a post-only order that crosses', 'POST_ONLY', 1, 100, 'POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS'],
    ['an immediate order that meets nothing', 'IMMEDIATE_OR_CANCEL', 1, 99, 'IMMEDIATE_ORDER_GOT_NO_FILLS'],
    ['a fill-or-kill order that the book cannot fill', 'FILL_OR_KILL', 6, 100, 'ORDER_EXECUTION_FILL_OR_KILL'],
  ] as const)('%s is refused and changes nothing', (_, mode, size, price, refusal) => {
    expect(plan('bid', size, price, mode)).toBe(refusal);
    expect(() => book.commit()).toThrow('not refused');
    expect(book.levels('ask')).toEqual([{ price: 100, size: 5 }]);
    expect(book.levels('bid')).toEqual([]);
  });

  test('an immediate order drops its unfilled rest', () => {
    expect(plan('bid', 9, undefined, 'IMMEDIATE_OR_CANCEL')).toBeUndefined();
    expect(book.commit()).toBeUndefined();
    expect(filled()).toEqual(['5@100 of 1']);
    expect(book.levels('bid')).toEqual([]);
  });

  test('a fill-or-kill order fills whole', () => {
    expect(plan('bid', 5, undefined, 'FILL_OR_KILL')).toBeUndefined();
    book.commit();
    expect(book.levels('ask')).toEqual([]);
  });

  test('a post-only order that does not cross rests', () => {
    expect(plan('bid', 5, 99, 'POST_ONLY')).toBeUndefined();
    expect(book.commit()).toBeDefined();
    expect(book.best('bid')).toBe(99);
  });
});
