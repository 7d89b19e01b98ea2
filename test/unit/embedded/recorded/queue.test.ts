// What moves an order of ours up in its queue, and what fills it: the rules of a recorded book, one by one.
import { beforeEach, describe, expect, test } from 'vitest';
import { ScriptedBook } from './scripted-book.ts';

let scripted: ScriptedBook;
beforeEach(() => {
  scripted = new ScriptedBook({ queue: { kind: 'conservative' } });
});

describe('prints', () => {
  beforeEach(() => scripted.play('bid 100 x 10', 'ask 101 x 10'));

  test('consume what was recorded before we came, and what remains fills us', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.sold(8, 100);
    expect(scripted.filled()).toEqual([]);
    scripted.sold(4, 100);
    expect(scripted.filled()).toEqual(['A 2 at 100']);
    scripted.sold(4, 100);
    expect(scripted.filled()).toEqual(['A 3 at 100']);
    scripted.sold(4, 100);
    expect(scripted.filled()).toEqual([]);
  });

  test('fill our orders of one price first come first served', () => {
    scripted.place('A', 'bid', 3, 100);
    scripted.place('B', 'bid', 3, 100);
    scripted.sold(14, 100);
    expect(scripted.filled()).toEqual(['A 3 at 100', 'B 1 at 100']);
  });

  test('count for an order only after our earlier ones are filled', () => {
    scripted.place('A', 'bid', 3, 100);
    scripted.play('bid 100 x 14');
    scripted.place('B', 'bid', 3, 100);
    scripted.sold(13, 100); // ten that were there before A, then A; four are left before B
    expect(scripted.filled()).toEqual(['A 3 at 100']);
    scripted.sold(4, 100);
    expect(scripted.filled()).toEqual([]);
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual(['B 1 at 100']);
  });

  test('beyond our price fill us, whatever was ahead: up to their size, the better price first', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.place('B', 'bid', 5, 99);
    scripted.sold(7, 98);
    expect(scripted.filled()).toEqual(['A 5 at 100', 'B 2 at 99']);
    scripted.sold(1, 99);
    expect(scripted.filled()).toEqual(['B 1 at 99']);
  });

  test('use each lot once: what filled a better order consumes nothing behind it', () => {
    scripted.play('bid 99 x 4');
    scripted.place('A', 'bid', 3, 100);
    scripted.place('B', 'bid', 5, 99);
    scripted.sold(6, 99); // three for A, three of the four before B
    expect(scripted.filled()).toEqual(['A 3 at 100']);
    scripted.sold(2, 99);
    expect(scripted.filled()).toEqual(['B 1 at 99']);
  });

  test('of buyers do not change our bids, and mirror the rules for our asks', () => {
    scripted.place('A', 'bid', 5, 100);
    scripted.place('B', 'ask', 5, 101);
    scripted.bought(12, 101);
    expect(scripted.filled()).toEqual(['B 2 at 101']);
    scripted.bought(1, 102);
    expect(scripted.filled()).toEqual(['B 1 at 101']);
  });
});

describe('rows', () => {
  beforeEach(() => {
    scripted.play('bid 100 x 10');
    scripted.place('A', 'bid', 5, 100);
  });

  test('that raise a total change nothing before us', () => {
    scripted.play('bid 100 x 30');
    scripted.sold(11, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('that lower it do not move us, until less rests than was ahead', () => {
    scripted.play('bid 100 x 30');
    scripted.play('bid 100 x 12');
    scripted.sold(4, 100); // six are ahead
    scripted.play('bid 100 x 5'); // of which one must have gone
    scripted.sold(6, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('repeat a print, which has moved us already', () => {
    scripted.sold(4, 100);
    scripted.play('bid 100 x 6');
    scripted.sold(6, 100);
    expect(scripted.filled()).toEqual([]);
    scripted.play('bid 100 x 0');
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('that come before a print of their own stamp repeat it too', () => {
    scripted.atOnce(() => {
      scripted.play('bid 100 x 6'); // ten less four
      scripted.sold(4, 100); // these four
    });
    scripted.sold(7, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('keep our orders in place, even if one comes between a row and a print of its stamp', () => {
    scripted.atOnce(() => {
      scripted.play('bid 100 x 2');
      scripted.place('B', 'bid', 5, 100);
      scripted.sold(4, 100);
    });
    expect(scripted.filled()).toEqual([]);
    scripted.sold(3, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('of an earlier stamp do not', () => {
    scripted.play('bid 100 x 6');
    scripted.sold(4, 100);
    scripted.sold(3, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });
});

describe('cancels under the probabilistic model', () => {
  test('are shared by how much is ahead and how much behind', () => {
    scripted = new ScriptedBook({ queue: { kind: 'probabilistic', power: 2 } });
    scripted.play('bid 100 x 10');
    scripted.place('A', 'bid', 5, 100);
    scripted.play('bid 100 x 30'); // 10 ahead, 20 behind: a fifth of what is cancelled was ahead
    scripted.play('bid 100 x 20'); // 10 cancelled, so 8 are ahead
    scripted.sold(9, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('leave no errors of rounding', () => {
    scripted = new ScriptedBook({ queue: { kind: 'probabilistic', power: 1 } });
    scripted.play('bid 100 x 6');
    scripted.place('A', 'bid', 5, 100);
    scripted.play('bid 100 x 16');
    scripted.play('bid 100 x 8'); // 8 × 6 / 16 of them were ahead
    scripted.sold(4, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('fill no part of a lot', () => {
    scripted = new ScriptedBook({ queue: { kind: 'probabilistic', power: 1 } });
    scripted.play('bid 100 x 1');
    scripted.place('A', 'bid', 5, 100);
    scripted.play('bid 100 x 2');
    scripted.play('bid 100 x 1'); // half a lot is ahead
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual([]);
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('never put a later order of ours before an earlier one', () => {
    scripted = new ScriptedBook({ queue: { kind: 'probabilistic', power: 50 } });
    scripted.play('bid 100 x 4');
    scripted.place('A', 'bid', 1, 100);
    scripted.play('bid 100 x 6');
    scripted.place('B', 'bid', 1, 100);
    scripted.play('bid 100 x 10'); // 4 before A: few. 6 before B: many
    scripted.play('bid 100 x 2'); // so that B would have none left before it, and A two
    scripted.sold(2, 100);
    expect(scripted.filled()).toEqual([]);
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });

  test('keep their share at sizes of a million million lots', () => {
    scripted = new ScriptedBook({ queue: { kind: 'probabilistic', power: 30 } });
    scripted.play('bid 100 x 500000000000');
    scripted.place('A', 'bid', 1, 100);
    scripted.play('bid 100 x 1000000000000');
    scripted.play('bid 100 x 999999999998'); // one of two was ahead
    scripted.sold(499_999_999_999, 100);
    expect(scripted.filled()).toEqual([]);
    scripted.sold(1, 100);
    expect(scripted.filled()).toEqual(['A 1 at 100']);
  });
});
