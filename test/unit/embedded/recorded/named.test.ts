// Tapes that name orders: totals follow from the orders, and the exact model knows the order of arrival.
import { beforeEach, describe, expect, test } from 'vitest';
import { ScriptedBook } from './scripted-book.ts';

let scripted: ScriptedBook;
beforeEach(() => {
  scripted = new ScriptedBook({ queue: { kind: 'exact' } });
  scripted.play('#1 bid 100 x 4', '#2 bid 100 x 6', '#3 ask 102 x 5');
});

describe('totals', () => {
  test('are sums of the orders at a price, which come, shrink, move and go', () => {
    expect(scripted.levels('bid')).toEqual(['100 x 10']);
    scripted.play('#4 bid 99 x 7', '#1 bid 100 x 1');
    expect(scripted.levels('bid')).toEqual(['100 x 7', '99 x 7']);
    scripted.play('#2 bid 99 x 6', '#4 bid 99 x 0');
    expect(scripted.levels('bid')).toEqual(['100 x 1', '99 x 6']);
  });

  test('remove an order that is gone, whatever price its last row has', () => {
    scripted.play('#2 ask 777 x 0', '#9 bid 100 x 0');
    expect(scripted.levels('bid')).toEqual(['100 x 4']);
    expect(scripted.levels('ask')).toEqual(['102 x 5']);
  });

  test('are whole again after we took, with the next row about that level', () => {
    scripted.place('A', 'ask', 7, 100, 'IMMEDIATE_OR_CANCEL');
    expect(scripted.levels('bid')).toEqual(['100 x 3']);
    scripted.play('#1 bid 100 x 3');
    expect(scripted.levels('bid')).toEqual(['100 x 9']);
  });
});

describe('the exact model', () => {
  test('moves us by orders that came before us, and by no others', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.play('#4 bid 100 x 20');
    scripted.play('#1 bid 100 x 0');
    scripted.play('#4 bid 100 x 2');
    scripted.sold(7, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('counts a print and the rows that repeat it once, whichever come first', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.atOnce(() => {
      scripted.sold(4, 100);
      scripted.play('#1 bid 100 x 0');
    });
    scripted.atOnce(() => {
      scripted.play('#2 bid 100 x 1');
      scripted.sold(5, 100);
    });
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual([]);
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('lets an order that grows lose its place', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.play('#1 bid 100 x 5');
    scripted.play('#1 bid 100 x 0');
    scripted.sold(6, 100);
    expect(scripted.filled()).toEqual([]);
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('lets an order that moves lose its place, even if it comes back', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.play('#2 bid 101 x 6');
    scripted.play('#2 bid 100 x 6');
    scripted.play('#2 bid 100 x 0');
    scripted.sold(4, 100);
    expect(scripted.filled()).toEqual([]);
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('knows the names again that a snapshot lists, and forgets the others', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.play('clear', '#7 bid 100 x 50', '#2 bid 100 x 6', '#3 ask 102 x 5'); // 7 came after us
    scripted.play('#1 bid 100 x 4'); // is another one
    scripted.play('#1 bid 100 x 0');
    scripted.sold(6, 100);
    expect(scripted.filled()).toEqual([]);
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });
});

test('a model that uses no names follows the totals', () => {
  scripted = new ScriptedBook({ queue: { kind: 'conservative' } });
  scripted.play('#1 bid 100 x 4');
  scripted.place('A', 'bid', 5, 100);
  scripted.play('#2 bid 100 x 9');
  scripted.play('#1 bid 100 x 0'); // which might have been behind us
  scripted.sold(5, 100);
  expect(scripted.filled()).toEqual(['A 1 at 100']);
});
