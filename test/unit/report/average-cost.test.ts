// Realised profit of closing fills, against values computed by hand.
import { describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { PositionCost } from '../../../src/research/report/figures/position-pnl.ts';
import { BTC } from '../world-builder.ts';
import { fillAt } from './turns.ts';

type Deal = readonly [side: 'bid' | 'ask', price: number, size: number, fee?: number];
const earned = (deals: readonly Deal[], cost = new PositionCost(BTC)) =>
  deals.map(([side, price, size, fee = 0]) => cost.fill(fillAt(0, side, price, size, { fee })));

describe('the realised profit of a closing fill', () => {
  test('is its price minus the average entry price', () => {
    // 1 at 100 and 1 at 110: 105 on average. Half sold at 115 earns 5; the other 1.5 at 103 lose 3.
    expect(
      earned([
        ['bid', 100, 1],
        ['bid', 110, 1],
        ['ask', 115, 0.5],
        ['ask', 103, 1.5],
      ]),
    ).toEqual([undefined, undefined, 5, -3]);
  });

  test('has the opposite sign for a short position', () => {
    expect(
      earned([
        ['ask', 100, 1],
        ['ask', 110, 1],
        ['bid', 95, 0.5],
        ['bid', 107, 1.5],
      ]),
    ).toEqual([undefined, undefined, 5, -3]);
  });

  test('includes both fees, in proportion to the size closed', () => {
    // Bought 2 with a fee of 0.4, sold 1 with 0.3: 10 − 0.2 − 0.3.
    expect(
      earned([
        ['bid', 100, 2, 0.4],
        ['ask', 110, 1, 0.3],
      ]),
    ).toEqual([undefined, 9.5]);
  });

  test('counts the closed part of a fill that reverses the position', () => {
    // Long 1 at 100; 3 sold at 110 with a fee of 0.3 close it for 10 − 0.1 and open −2; those are bought back at 105 for 10 − 0.2.
    expect(
      earned([
        ['bid', 100, 1],
        ['ask', 110, 3, 0.3],
        ['bid', 105, 2],
      ]),
    ).toEqual([undefined, 9.9, 9.8]);
  });

  test('includes the position from before the first fill', () => {
    expect(earned([['bid', 90, 1]], new PositionCost(BTC, { size: lots(-10_000), mark: ticks(1_000) }))).toEqual([10]);
    expect(earned([['bid', 90, 1]])).toEqual([undefined]);
  });
});
