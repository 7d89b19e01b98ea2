// What moves an order of ours up in its queue, and what fills it: the rules of a recorded book, one by one.
import { beforeEach, describe, expect, test } from 'vitest';
import { Stage } from './stage.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage({ queue: { kind: 'conservative' } });
});

describe('prints', () => {
  beforeEach(() => stage.play('bid 100 x 10', 'ask 101 x 10'));

  test('consume what was recorded before we came, and what remains fills us', () => {
    stage.place('A', 'bid', 5, 100);
    stage.sold(8, 100);
    expect(stage.filled()).toEqual([]);
    stage.sold(4, 100);
    expect(stage.filled()).toEqual(['A 2 at 100']);
    stage.sold(4, 100);
    expect(stage.filled()).toEqual(['A 3 at 100']);
    stage.sold(4, 100);
    expect(stage.filled()).toEqual([]);
  });

  test('fill our orders of one price first come first served', () => {
    stage.place('A', 'bid', 3, 100);
    stage.place('B', 'bid', 3, 100);
    stage.sold(14, 100);
    expect(stage.filled()).toEqual(['A 3 at 100', 'B 1 at 100']);
  });

  test('count for an order only after our earlier ones are filled', () => {
    stage.place('A', 'bid', 3, 100);
    stage.play('bid 100 x 14');
    stage.place('B', 'bid', 3, 100);
    stage.sold(13, 100); // ten that were there before A, then A; four are left before B
    expect(stage.filled()).toEqual(['A 3 at 100']);
    stage.sold(4, 100);
    expect(stage.filled()).toEqual([]);
    stage.sold(1, 100);
    expect(stage.filled()).toEqual(['B 1 at 100']);
  });

  test('beyond our price fill us, whatever was ahead: up to their size, the better price first', () => {
    stage.place('A', 'bid', 5, 100);
    stage.place('B', 'bid', 5, 99);
    stage.sold(7, 98);
    expect(stage.filled()).toEqual(['A 5 at 100', 'B 2 at 99']);
    stage.sold(1, 99);
    expect(stage.filled()).toEqual(['B 1 at 99']);
  });

  test('use each lot once: what filled a better order consumes nothing behind it', () => {
    stage.play('bid 99 x 4');
    stage.place('A', 'bid', 3, 100);
    stage.place('B', 'bid', 5, 99);
    stage.sold(6, 99); // three for A, three of the four before B
    expect(stage.filled()).toEqual(['A 3 at 100']);
    stage.sold(2, 99);
    expect(stage.filled()).toEqual(['B 1 at 99']);
  });

  test('of buyers do not change our bids, and mirror the rules for our asks', () => {
    stage.place('A', 'bid', 5, 100);
    stage.place('B', 'ask', 5, 101);
    stage.bought(12, 101);
    expect(stage.filled()).toEqual(['B 2 at 101']);
    stage.bought(1, 102);
    expect(stage.filled()).toEqual(['B 1 at 101']);
  });
});

describe('rows', () => {
  beforeEach(() => {
    stage.play('bid 100 x 10');
    stage.place('A', 'bid', 5, 100);
  });

  test('that raise a total change nothing before us', () => {
    stage.play('bid 100 x 30');
    stage.sold(11, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('that lower it do not move us, until less rests than was ahead', () => {
    stage.play('bid 100 x 30');
    stage.play('bid 100 x 12');
    stage.sold(4, 100); // six are ahead
    stage.play('bid 100 x 5'); // of which one must have gone
    stage.sold(6, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('repeat a print, which has moved us already', () => {
    stage.sold(4, 100);
    stage.play('bid 100 x 6');
    stage.sold(6, 100);
    expect(stage.filled()).toEqual([]);
    stage.play('bid 100 x 0');
    stage.sold(1, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('that come before a print of their own stamp repeat it too', () => {
    stage.atOnce(() => {
      stage.play('bid 100 x 6'); // ten less four
      stage.sold(4, 100); // these four
    });
    stage.sold(7, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('keep our orders in place, even if one comes between a row and a print of its stamp', () => {
    stage.atOnce(() => {
      stage.play('bid 100 x 2');
      stage.place('B', 'bid', 5, 100);
      stage.sold(4, 100);
    });
    expect(stage.filled()).toEqual([]);
    stage.sold(3, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('of an earlier stamp do not', () => {
    stage.play('bid 100 x 6');
    stage.sold(4, 100);
    stage.sold(3, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });
});

describe('cancels under the probabilistic model', () => {
  test('are shared by how much is ahead and how much behind', () => {
    stage = new Stage({ queue: { kind: 'probabilistic', power: 2 } });
    stage.play('bid 100 x 10');
    stage.place('A', 'bid', 5, 100);
    stage.play('bid 100 x 30'); // 10 ahead, 20 behind: a fifth of what is cancelled was ahead
    stage.play('bid 100 x 20'); // 10 cancelled, so 8 are ahead
    stage.sold(9, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('leave no errors of rounding', () => {
    stage = new Stage({ queue: { kind: 'probabilistic', power: 1 } });
    stage.play('bid 100 x 6');
    stage.place('A', 'bid', 5, 100);
    stage.play('bid 100 x 16');
    stage.play('bid 100 x 8'); // 8 × 6 / 16 of them were ahead
    stage.sold(4, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('fill no part of a lot', () => {
    stage = new Stage({ queue: { kind: 'probabilistic', power: 1 } });
    stage.play('bid 100 x 1');
    stage.place('A', 'bid', 5, 100);
    stage.play('bid 100 x 2');
    stage.play('bid 100 x 1'); // half a lot is ahead
    stage.sold(1, 100);
    expect(stage.filled()).toEqual([]);
    stage.sold(1, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('never put a later order of ours before an earlier one', () => {
    stage = new Stage({ queue: { kind: 'probabilistic', power: 50 } });
    stage.play('bid 100 x 4');
    stage.place('A', 'bid', 1, 100);
    stage.play('bid 100 x 6');
    stage.place('B', 'bid', 1, 100);
    stage.play('bid 100 x 10'); // 4 before A: few. 6 before B: many
    stage.play('bid 100 x 2'); // so that B would have none left before it, and A two
    stage.sold(2, 100);
    expect(stage.filled()).toEqual([]);
    stage.sold(1, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });

  test('keep their share at sizes of a million million lots', () => {
    stage = new Stage({ queue: { kind: 'probabilistic', power: 30 } });
    stage.play('bid 100 x 500000000000');
    stage.place('A', 'bid', 1, 100);
    stage.play('bid 100 x 1000000000000');
    stage.play('bid 100 x 999999999998'); // one of two was ahead
    stage.sold(499_999_999_999, 100);
    expect(stage.filled()).toEqual([]);
    stage.sold(1, 100);
    expect(stage.filled()).toEqual(['A 1 at 100']);
  });
});
