// A change that both rows and prints of a recording contain moves an order of ours once.
import { beforeEach, expect, test } from 'vitest';
import { Stage } from './stage.ts';

let stage: Stage;

/** Exactly so much is ahead of A. */
const expectAhead = (size: number): void => {
  stage.sold(size, 100);
  expect(stage.filled()).toEqual([]);
  stage.sold(1, 100);
  expect(stage.filled()).toEqual(['A 1 at 100']);
};

// With the power 0, half of what is cancelled was ahead, wherever we stand.
beforeEach(() => {
  stage = new Stage({ queue: { kind: 'probabilistic', power: 0 } });
  stage.play('bid 100 x 10');
  stage.place('A', 'bid', 5, 100);
  stage.play('bid 100 x 40');
});

test('a fall that nothing explains is a cancel', () => {
  stage.play('bid 100 x 36');
  expectAhead(8);
});

test('a fall that prints explain is no cancel, and the part beyond them is', () => {
  stage.sold(2, 100);
  stage.sold(2, 100);
  stage.play('bid 100 x 34');
  expectAhead(5);
});

test('a print explains only one fall', () => {
  stage.sold(4, 100);
  stage.play('bid 100 x 36');
  stage.play('bid 100 x 40');
  stage.play('bid 100 x 36');
  expectAhead(4);
});

test('a print explains nothing once the total has risen', () => {
  stage.sold(4, 100);
  stage.play('bid 100 x 50');
  stage.play('bid 100 x 46');
  expectAhead(4);
});

test('a print of the stamp of a fall is in it, and in no later one', () => {
  stage.atOnce(() => {
    stage.play('bid 100 x 36'); // two of four seem to have been ahead
    stage.sold(4, 100); // all of them were
  });
  stage.play('bid 100 x 32');
  expectAhead(4);
});

test('a print of that stamp beyond the fall is in a later one', () => {
  stage.atOnce(() => {
    stage.play('bid 100 x 36');
    stage.sold(4, 100);
    stage.sold(4, 100);
  });
  stage.play('bid 100 x 32');
  expectAhead(2);
});

test('a print of a later stamp is not in it', () => {
  stage.play('bid 100 x 36');
  stage.sold(4, 100);
  stage.play('bid 100 x 32');
  expectAhead(4);
});

test('a snapshot contains only its totals', () => {
  stage.sold(4, 100);
  stage.play('clear', 'bid 100 x 30');
  stage.play('bid 100 x 26');
  expectAhead(4);
});
