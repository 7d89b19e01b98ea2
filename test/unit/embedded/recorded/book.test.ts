// A book that follows a recording: recorded orders that cross ours, orders of ours that take, snapshots, and where it stops.
import { beforeEach, describe, expect, test } from 'vitest';
import { RecordedBook } from '../../../../src/embedded/exchange/recorded/recorded-fills.ts';
import { RowBuilder } from '../../../../src/embedded/rows/row-builder.ts';
import { codeOf, type RowKind } from '../../../../src/embedded/rows/rows.ts';
import { ScriptedBook } from './scripted-book.ts';

let scripted: ScriptedBook;
beforeEach(() => {
  scripted = new ScriptedBook({ queue: { kind: 'conservative' } });
  scripted.play('bid 100 x 10', 'bid 99 x 20', 'ask 102 x 10', 'ask 103 x 20');
});

describe('recorded orders that come to our price', () => {
  test('trade with us at our price, up to their size, and once', () => {
    scripted.place('A', 'bid', 7, 101);
    scripted.play('ask 101 x 4');
    expect(scripted.filled()).toEqual(['A 4 at 101']);
    scripted.play('ask 103 x 19');
    expect(scripted.filled()).toEqual([]);
    expect(scripted.levels('ask')).toEqual(['102 x 10', '103 x 19']);
  });

  test('trade again when the tape has another row about them', () => {
    scripted.place('A', 'bid', 7, 101);
    scripted.play('ask 101 x 4');
    scripted.play('ask 101 x 2');
    expect(scripted.filled()).toEqual(['A 4 at 101', 'A 2 at 101']);
  });

  test('trade with the better of our orders first, level by level', () => {
    scripted.place('A', 'bid', 7, 100);
    scripted.place('B', 'bid', 7, 101);
    scripted.play('bid 100 x 0', 'bid 99 x 0', 'ask 99 x 5', 'ask 100 x 6');
    expect(scripted.filled()).toEqual(['B 5 at 101', 'B 2 at 101', 'A 4 at 100']);
    expect(scripted.levels('bid')).toEqual(['100 x 3']);
    expect(scripted.levels('ask')).toEqual(['102 x 10', '103 x 20']);
  });

  test('wait while something recorded is ahead of us', () => {
    scripted.place('A', 'bid', 7, 100);
    scripted.play('ask 100 x 4');
    expect(scripted.filled()).toEqual([]);
    scripted.play('bid 100 x 0');
    expect(scripted.filled()).toEqual(['A 4 at 100']);
  });

  test('do nothing before the batch is complete', () => {
    scripted.place('A', 'bid', 7, 101);
    scripted.begin('ask 101 x 4');
    expect(scripted.filled()).toEqual([]);
    scripted.play('ask 101 x 0');
    expect(scripted.filled()).toEqual([]);
  });
});

describe('an order of ours that takes', () => {
  test('walks the recorded levels, each at its price, and what is left rests', () => {
    expect(scripted.place('A', 'bid', 15, 102)).toEqual(['10 at 102 from the recording']);
    expect(scripted.levels('bid')).toEqual(['102 x 5', '100 x 10', '99 x 20']);
    expect(scripted.levels('ask')).toEqual(['103 x 20']);
  });

  test('finds missing what an earlier one took, until the tape has a row about that level', () => {
    scripted.place('A', 'bid', 8, 102);
    expect(scripted.place('B', 'bid', 15, undefined, 'IMMEDIATE_OR_CANCEL')).toEqual([
      '2 at 102 from the recording',
      '13 at 103 from the recording',
    ]);
    scripted.play('ask 102 x 9');
    expect(scripted.levels('ask')).toEqual(['102 x 9', '103 x 7']);
  });

  test('matches our orders in order of priority: the better price first, at one price after the recorded ones', () => {
    scripted.place('A', 'ask', 3, 102);
    scripted.place('B', 'ask', 4, 101);
    expect(scripted.levels('ask')).toEqual(['101 x 4', '102 x 13', '103 x 20']);
    expect(scripted.place('C', 'bid', 18, 103)).toEqual([
      '4 at 101 from B',
      '10 at 102 from the recording',
      '3 at 102 from A',
      '1 at 103 from the recording',
    ]);
    expect(scripted.filled()).toEqual([]);
  });

  test('leaves less ahead of our orders at the price where it took', () => {
    scripted.place('A', 'ask', 3, 102);
    scripted.place('B', 'bid', 8, 102);
    scripted.bought(3, 102);
    expect(scripted.filled()).toEqual(['A 1 at 102']);
  });

  test('is refused for the reasons of the matching engine, and then nothing is taken', () => {
    expect(scripted.place('A', 'bid', 5, 102, 'POST_ONLY')).toBe('POST_ONLY_MUST_NOT_FILL_ANY_OPPOSITE_ORDERS');
    expect(scripted.place('A', 'bid', 5, 101, 'IMMEDIATE_OR_CANCEL')).toBe('IMMEDIATE_ORDER_GOT_NO_FILLS');
    expect(scripted.place('A', 'bid', 11, 102, 'FILL_OR_KILL')).toBe('ORDER_EXECUTION_FILL_OR_KILL');
    expect(scripted.place('A', 'bid', 0, 102)).toBe('ORDER_SIZE_ZERO');
    expect(scripted.place('A', 'bid', 5)).toBe('ORDER_EXECUTION_MISSING_PRICE');
    expect(() => scripted.book.commit()).toThrow('only a plan that was not refused can be committed');
    expect(scripted.levels('ask')).toEqual(['102 x 10', '103 x 20']);
  });

  test('is done once', () => {
    scripted.place('A', 'bid', 5, 101);
    expect(() => scripted.book.commit()).toThrow('and once');
  });
});

describe('orders of ours', () => {
  test('show in the levels and in the best price', () => {
    scripted.place('A', 'bid', 5, 101);
    scripted.place('B', 'ask', 5, 103);
    expect(scripted.levels('bid')).toEqual(['101 x 5', '100 x 10', '99 x 20']);
    expect(scripted.levels('ask')).toEqual(['102 x 10', '103 x 25']);
    expect([scripted.book.best('bid'), scripted.book.best('ask')]).toEqual([101, 102]);
    scripted.cancel('A');
    expect(scripted.book.best('bid')).toBe(100);
  });

  test('keep their place when they shrink, and are gone when they are cancelled', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.place('B', 'bid', 5, 100);
    scripted.place('C', 'bid', 5, 100);
    scripted.book.shrink(scripted.handle('A'), 3 as never);
    scripted.cancel('B');
    scripted.sold(13, 100);
    expect(scripted.filled()).toEqual(['A 2 at 100', 'C 1 at 100']);
    expect(() => scripted.cancel('B')).toThrow('no order of ours rests');
  });

  test('have their side in the lowest bit of the handle', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.place('B', 'ask', 5, 103);
    expect([scripted.handle('A') & 1, scripted.handle('B') & 1]).toEqual([0, 1]);
  });

  test('are placed only after fills were taken, because they may get the handle of a filled one', () => {
    scripted.place('A', 'bid', 5, 101);
    scripted.sold(5, 101);
    expect(() => scripted.place('B', 'bid', 5, 101)).toThrow('before another order is placed');
    expect(scripted.filled()).toEqual(['A 5 at 101']);
    scripted.place('B', 'bid', 5, 101);
    expect(scripted.handle('B')).toBe(scripted.handle('A'));
  });

  test('come and go without end', () => {
    for (let turn = 0; turn < 70_000; turn++) {
      scripted.place('A', 'bid', 5, 90);
      scripted.cancel('A');
    }
    expect(scripted.levels('bid')).toEqual(['100 x 10', '99 x 20']);
  });

  test('are many: a thousand prices in the queue', () => {
    for (let price = 1; price <= 1_000; price++) scripted.place(`${price}`, 'ask', 1, 1_000 + price, 'POST_ONLY');
    scripted.bought(1_000, 1_999);
    expect(scripted.filled()).toHaveLength(999);
    expect(scripted.levels('ask').at(-1)).toBe('2000 x 1');
  });
});

describe('a snapshot', () => {
  test('leaves our orders in place, with no more ahead than it says', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.play('clear', 'bid 100 x 4', 'ask 102 x 1');
    expect(scripted.levels('bid')).toEqual(['100 x 9']);
    scripted.sold(5, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('does not put us first because the book was empty for a row', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.play('clear', 'bid 100 x 50', 'ask 102 x 1');
    scripted.sold(10, 100);
    expect(scripted.filled()).toEqual([]);
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('in parts keeps our orders in place', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.begin('clear');
    scripted.place('B', 'bid', 5, 100);
    scripted.play('bid 100 x 3');
    scripted.sold(4, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('that has the other side at our price trades with us', () => {
    scripted.place('A', 'bid', 5, 101);
    scripted.play('clear', 'bid 98 x 4', 'ask 99 x 3');
    expect(scripted.filled()).toEqual(['A 3 at 101']);
  });
});

/** A row of each kind, a stamp apart. */
const rows = (...kinds: readonly RowKind[]) => {
  const builder = new RowBuilder();
  for (const [index, kind] of kinds.entries())
    builder.add({ time: index, lag: 0, code: codeOf(kind, { last: true }), price: 100 + index, size: 1 });
  return builder.take();
};

describe('following', () => {
  test('ends before a row of another kind, and at the given end', () => {
    const book = new RecordedBook({ queue: { kind: 'conservative' } });
    const reported = rows('level', 'level', 'trade', 'level', 'gap', 'level', 'level');
    expect(book.follow(reported, 0, 7)).toBe(2);
    expect(book.best('bid')).toBe(101);
    expect(book.follow(reported, 2, 7)).toBe(2);
    expect(book.follow(reported, 3, 7)).toBe(4);
    expect(book.follow(reported, 5, 6)).toBe(6);
    expect(book.best('bid')).toBe(105);
    expect(book.follow(reported, 6, 7)).toBe(7);
  });

  test('needs names with rows about orders', () => {
    const book = new RecordedBook({ queue: { kind: 'exact' } });
    expect(() => book.follow(rows('order'), 0, 1)).toThrow('a row about an order in a tape without order ids');
  });
});
