// Fill quality, against mid prices computed by hand.
import { describe, expect, test } from 'vitest';
import type { Fill } from '../../../src/bot/domain/order.ts';
import { qualityOf, qualityTotal } from '../../../src/research/report/figures/trades/fill-quality.ts';
import { bookTurn, fillAt, seriesOf } from './turns.ts';

/** Books as a time in milliseconds and a mid price. */
const seenWith = (...mids: readonly (readonly [after: number, mid: number])[]) => {
  const [series] = seriesOf(mids.map(([after, mid]) => bookTurn(after, mid - 1, mid + 1))).markets;
  return (fill: Fill) => qualityOf(fill, series!);
};

describe('a fill', () => {
  test('is compared with the mid before it and the mids after it', () => {
    // 2 bought at 999 under a mid of 1 000: 1 × 2 won, 10 bps. The mid then goes to 1 002, 997 and 995.
    const quality = seenWith([0, 1_000], [900, 1_002], [9_900, 997], [59_900, 995], [60_101, 2_000]);
    expect(quality(fillAt(100, 'bid', 999, 2))).toEqual({
      mid: 1_000,
      notional: 2_000,
      spread: { money: 2, bps: 10 },
      markouts: [
        { money: 4, bps: 20 },
        { money: -6, bps: -30 },
        { money: -10, bps: -50 },
      ],
    });
  });

  test('that sold has the opposite sign', () => {
    const quality = seenWith([0, 1_000], [900, 1_002]);
    expect(quality(fillAt(100, 'ask', 999, 2))).toMatchObject({
      spread: { money: -2, bps: -10 },
      markouts: [{ money: -4, bps: -20 }, undefined, undefined],
    });
  });

  test('is not counted without a recent book', () => {
    const quality = seenWith([0, 1_000], [5_100, 1_000], [10_200, 1_000]);
    expect(quality(fillAt(5_000, 'bid', 999, 1)).mid).toBe(1_000);
    expect(quality(fillAt(5_001, 'bid', 999, 1))).toEqual({
      mid: undefined,
      notional: 0,
      spread: undefined,
      markouts: [undefined, undefined, undefined],
    });
  });

  test('has no markout for a horizon without a recent book', () => {
    // A second after the fill the newest book is older than the fill; ten seconds after it, 4 s old; a minute after it, 54 s.
    const quality = seenWith([0, 1_000], [6_000, 1_001]);
    expect(quality(fillAt(100, 'bid', 1_000, 1)).markouts).toEqual([undefined, { money: 1, bps: 10 }, undefined]);
  });
});

test('with slower polling the mids of a fill may be older', () => {
  const series = seriesOf([bookTurn(0, 999, 1_001), bookTurn(25_000, 1_001, 1_003)], { freshMs: 100_000 });
  const { mid, markouts } = qualityOf(fillAt(24_000, 'bid', 999, 1), series.markets[0]!);
  expect([mid, markouts]).toEqual([
    1_000,
    [
      { money: 2, bps: 20 },
      { money: 2, bps: 20 },
      { money: 2, bps: 20 },
    ],
  ]);
});

describe('the total', () => {
  test('weighs fills by notional, and has the number of fills not counted', () => {
    // 1 at 10 bps and 3 at −10 bps of 1 000: (1 − 3) / 4 000.
    const quality = seenWith([0, 1_000], [1_000, 1_000]);
    const fills = [fillAt(0, 'bid', 999, 1), fillAt(0, 'ask', 999, 3), fillAt(90_000, 'bid', 999, 1)];
    const total = qualityTotal(fills.map(quality));
    expect(total.fills).toBe(3);
    expect(total.spread).toEqual({ money: -2, bps: -5, counted: 2, notCounted: 1 });
    expect(total.markouts[0]).toEqual({ money: 0, bps: 0, counted: 2, notCounted: 1 });
    expect(total.markouts[2]).toEqual({ money: 0, bps: undefined, counted: 0, notCounted: 3 });
  });
});
