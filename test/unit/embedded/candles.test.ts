// Candles of the mark price against a naive grouping of random marks, for every length of window.
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ticks } from '../../../src/bot/domain/numbers.ts';
import { MarkCandles } from '../../../src/embedded/exchange/history/mark-candles.ts';

const DAY = 86_400_000;
const WIDTHS = [15_000, 60_000, 300_000, 900_000, 3_600_000, 14_400_000, DAY, 3 * DAY, 30 * DAY];

/** A mark every five seconds, from 10 s before the end of a day. */
const START = 20_000 * DAY - 10_000;
const timesOf = (marks: readonly number[]) => marks.map((mark, index) => ({ mark, now: START + index * 5_000 }));

function naive(marks: readonly number[], width: number) {
  const seen = timesOf(marks);
  const starts = [...new Set(seen.map(({ now }) => Math.floor(now / width) * width))].reverse();
  return starts.map((start) => {
    const inside = seen.filter(({ now }) => now >= start && now <= start + width).map(({ mark }) => mark);
    return { start, open: inside[0], high: Math.max(...inside), low: Math.min(...inside), close: inside.at(-1) };
  });
}

function after(marks: readonly number[]): MarkCandles {
  const candles = new MarkCandles();
  for (const { mark, now } of timesOf(marks)) candles.see(ticks(mark), now);
  return candles;
}

describe('candles', () => {
  test.each(WIDTHS)('of %i ms equal the naive ones', (width) => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 1_000 }), { minLength: 1, maxLength: 200 }), (marks) => {
        expect(after(marks).of(width)).toEqual(naive(marks, width));
      }),
      { seed: 7, numRuns: 50 },
    );
  });

  test.each([0, -15_000, 16_000, DAY + 1, DAY / 2])('of %i ms do not exist', (width) => {
    expect(after([1, 2, 3]).of(width)).toEqual([]);
  });

  test('do not exist before the first mark', () => {
    expect(new MarkCandles().of(15_000)).toEqual([]);
    expect(new MarkCandles().of(2 * DAY)).toEqual([]);
  });

  test('are dropped when they are old, except the newest thousand', () => {
    const candles = new MarkCandles();
    for (let count = 0; count < 5_000; count++) candles.see(ticks(count + 1), START + count * 15_000);
    const kept = candles.of(15_000);
    expect(kept.length).toBeGreaterThanOrEqual(1_000);
    expect(kept.length).toBeLessThanOrEqual(2_000);
    expect(kept[999]!.open).toBe(4_001);
  });

  test('do not change after they were shown', () => {
    const candles = after([5]);
    const shown = candles.of(15_000);
    candles.see(ticks(9), START + 1);
    expect(shown).toMatchObject([{ high: 5, close: 5 }]);
  });
});
