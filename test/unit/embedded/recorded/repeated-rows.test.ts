// A change that both rows and prints of a recording contain moves an order of ours once.
import { beforeEach, expect, test } from 'vitest';
import { ScriptedBook } from './scripted-book.ts';

let scripted: ScriptedBook;

/** Exactly so much is ahead of A. */
const expectAhead = (size: number): void => {
  scripted.sold(size, 100);
  expect(scripted.filled()).toEqual([]);
  scripted.sold(1, 100);
  expect(scripted.filled()).toEqual(['A 1 at 100']);
};

// With the power 0, half of what is cancelled was ahead, wherever we stand.
beforeEach(() => {
  scripted = new ScriptedBook({ queue: { kind: 'probabilistic', power: 0 } });
  scripted.play('bid 100 x 10');
  scripted.place('A', 'bid', 5, 100);
  scripted.play('bid 100 x 40');
});

test('a fall that nothing explains is a cancel', () => {
  scripted.play('bid 100 x 36');
  expectAhead(8);
});

test('a fall that prints explain is no cancel, and the part beyond them is', () => {
  scripted.sold(2, 100);
  scripted.sold(2, 100);
  scripted.play('bid 100 x 34');
  expectAhead(5);
});

test('a print explains only one fall', () => {
  scripted.sold(4, 100);
  scripted.play('bid 100 x 36');
  scripted.play('bid 100 x 40');
  scripted.play('bid 100 x 36');
  expectAhead(4);
});

test('a print explains nothing once the total has risen', () => {
  scripted.sold(4, 100);
  scripted.play('bid 100 x 50');
  scripted.play('bid 100 x 46');
  expectAhead(4);
});

test('a print of the stamp of a fall is in it, and in no later one', () => {
  scripted.atOnce(() => {
    scripted.play('bid 100 x 36'); // two of four seem to have been ahead
    scripted.sold(4, 100); // all of them were
  });
  scripted.play('bid 100 x 32');
  expectAhead(4);
});

test('a print of that stamp beyond the fall is in a later one', () => {
  scripted.atOnce(() => {
    scripted.play('bid 100 x 36');
    scripted.sold(4, 100);
    scripted.sold(4, 100);
  });
  scripted.play('bid 100 x 32');
  expectAhead(2);
});

test('a print of a later stamp is not in it', () => {
  scripted.play('bid 100 x 36');
  scripted.sold(4, 100);
  scripted.play('bid 100 x 32');
  expectAhead(4);
});

test('a snapshot contains only its totals', () => {
  scripted.sold(4, 100);
  scripted.play('clear', 'bid 100 x 30');
  scripted.play('bid 100 x 26');
  expectAhead(4);
});
