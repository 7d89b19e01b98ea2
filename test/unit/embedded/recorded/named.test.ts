// Tapes that name orders: totals follow from the orders, and the exact model knows the order of arrival.
import { beforeEach, describe, expect, test } from 'vitest';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage({ queue: { kind: 'exact' } });
  stage.play('#1 bid 100 x 4', '#2 bid 100 x 6', '#3 ask 102 x 5');
});

describe('totals', () => {
  test('are sums of the orders at a price, which come, shrink, move and go', () => {
    expect(stage.levels('bid')).toEqual(['100 x 10']);
    stage.play('#4 bid 99 x 7', '#1 bid 100 x 1');
    expect(stage.levels('bid')).toEqual(['100 x 7', '99 x 7']);
    stage.play('#2 bid 99 x 6', '#4 bid 99 x 0');
    expect(stage.levels('bid')).toEqual(['100 x 1', '99 x 6']);
  });

  test('remove an order that is gone, whatever price its last row has', () => {
    stage.play('#2 ask 777 x 0', '#9 bid 100 x 0');
    expect(stage.levels('bid')).toEqual(['100 x 4']);
    expect(stage.levels('ask')).toEqual(['102 x 5']);
  });

  test('are whole again after we took, with the next row about that level', () => {
    stage.place('A', 'ask', 7, 100, 'IMMEDIATE_OR_CANCEL');
    expect(stage.levels('bid')).toEqual(['100 x 3']);
    stage.play('#1 bid 100 x 3');
    expect(stage.levels('bid')).toEqual(['100 x 9']);
  });
});

describe('the exact model', () => {
  test('moves us by orders that came before us, and by no others', () => {
    stage.place('A', 'bid', 5, 100);
    stage.play('#4 bid 100 x 20');
    stage.play('#1 bid 100 x 0');
    stage.play('#4 bid 100 x 2');
    stage.sold(7, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('counts a print and the rows that repeat it once, whichever come first', () => {
    stage.place('A', 'bid', 5, 100);
    stage.atOnce(() => {
      stage.sold(4, 100);
      stage.play('#1 bid 100 x 0');
    });
    stage.atOnce(() => {
      stage.play('#2 bid 100 x 1');
      stage.sold(5, 100);
    });
    stage.sold(1, 100);
    expect(stage.filled()).toEqual([]);
    stage.sold(1, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('lets an order that grows lose its place', () => {
    stage.place('A', 'bid', 5, 100);
    stage.play('#1 bid 100 x 5');
    stage.play('#1 bid 100 x 0');
    stage.sold(6, 100);
    expect(stage.filled()).toEqual([]);
    stage.sold(1, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('lets an order that moves lose its place, even if it comes back', () => {
    stage.place('A', 'bid', 5, 100);
    stage.play('#2 bid 101 x 6');
    stage.play('#2 bid 100 x 6');
    stage.play('#2 bid 100 x 0');
    stage.sold(4, 100);
    expect(stage.filled()).toEqual([]);
    stage.sold(1, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('knows the names again that a snapshot lists, and forgets the others', () => {
    stage.place('A', 'bid', 5, 100);
    stage.play('clear', '#7 bid 100 x 50', '#2 bid 100 x 6', '#3 ask 102 x 5'); // 7 came after us
    stage.play('#1 bid 100 x 4'); // is another one
    stage.play('#1 bid 100 x 0');
    stage.sold(6, 100);
    expect(stage.filled()).toEqual([]);
    stage.sold(1, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });
});

test('a model that uses no names follows the totals', () => {
  stage = new Stage({ queue: { kind: 'conservative' } });
  stage.play('#1 bid 100 x 4');
  stage.place('A', 'bid', 5, 100);
  stage.play('#2 bid 100 x 9');
  stage.play('#1 bid 100 x 0'); // which might have been behind us
  stage.sold(5, 100);
  expect(stage.filled()).toEqual(['A 1 at 100']);
});
