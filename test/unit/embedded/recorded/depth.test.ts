// The totals of one side: a window that follows the best price, and the levels far behind it.
import { describe, expect, test } from 'vitest';
import { SIDES, type Side, signOf } from '../../../../src/bot/domain/book.ts';
import type { Ticks } from '../../../../src/bot/domain/numbers.ts';
import { Depth } from '../../../../src/embedded/exchange/recorded/depth.ts';
import { DepthWindow } from '../../../../src/embedded/exchange/recorded/depth-window.ts';

const ticks = (price: number): Ticks => price as Ticks;

function levels(depth: Depth): string[] {
  const lines: string[] = [];
  depth.walk((price, size) => lines.push(`${price} x ${size}`) > 0);
  return lines;
}

describe.each(SIDES)('%s: a window of eight ticks', (side: Side) => {
  /** A price so many ticks better than 1000. */
  const better = (by: number): number => 1_000 + by * signOf(side);
  const filled = (...steps: readonly number[]): Depth => {
    const depth = new Depth(side, new DepthWindow(8));
    for (const step of steps) depth.put(better(step), 10 + Math.abs(step));
    return depth;
  };

  test('shows levels far behind it, best first', () => {
    expect(levels(filled(0, -500, -3, -100))).toEqual([0, -3, -100, -500].map((step) => `${better(step)} x ${10 - step}`));
  });

  test('moves up with the best price, and keeps what it leaves', () => {
    const depth = filled(0, -1, -2, 300, 301);
    expect(depth.best).toBe(better(301));
    expect(depth.total(ticks(better(-1)))).toBe(11);
    expect(levels(depth)).toHaveLength(5);
  });

  test('moves down to the next best when all in it has gone', () => {
    const depth = filled(-400, -401, 0, 1);
    depth.put(better(1), 0);
    depth.put(better(0), 0);
    expect(depth.best).toBe(better(-400));
    depth.put(better(-400), 0);
    depth.put(better(-401), 0);
    expect(depth.best).toBeUndefined();
    expect(levels(depth)).toEqual([]);
  });

  test('follows a price that jumps by factors, and back', () => {
    const depth = filled(0);
    const far = side === 'bid' ? 2_000_000_000 : 1;
    depth.put(far, 7);
    expect(depth.best).toBe(far);
    depth.put(far, 0);
    expect(depth.best).toBe(1_000);
    expect(levels(depth)).toEqual(['1000 x 10']);
  });

  test('ignores an empty row at an empty price', () => {
    const depth = filled();
    for (const step of [0, 50, -50]) depth.put(better(step), 0);
    expect(depth.best).toBeUndefined();
    depth.put(better(0), 1);
    for (const step of [50, -50]) depth.put(better(step), 0);
    expect(levels(depth)).toEqual(['1000 x 1']);
  });

  test('is empty when it is cleared, far levels too', () => {
    const depth = filled(0, -1, -500);
    depth.clear();
    expect(depth.best).toBeUndefined();
    expect(levels(depth)).toEqual([]);
    depth.put(better(-2), 3);
    expect(levels(depth)).toEqual([`${better(-2)} x 3`]);
  });

  test.each([0, -500, 500])('reports a watch for a fall below its alarm, with a level %i ticks from it or gone again', (step) => {
    const depth = filled(0);
    depth.watch(ticks(better(0)), 1);
    depth.setThreshold(1, 6);
    for (const size of [9, 0]) {
      depth.put(better(step), size);
      depth.put(better(0), 20);
      expect([depth.put(better(0), 30), depth.put(better(0), 8), depth.put(better(0), 5)]).toEqual([0, 0, 1]);
      expect(depth.before).toBe(8);
    }
    depth.watch(ticks(better(0)), 0);
    expect(depth.put(better(0), 0)).toBe(0);
  });

  test('returns what rested before, even if the window moves with the row', () => {
    const depth = filled(-500, 0);
    depth.watch(ticks(better(0)), 1);
    depth.watch(ticks(better(-500)), 2);
    for (const watch of [1, 2]) depth.setThreshold(watch, Number.POSITIVE_INFINITY);
    expect(depth.put(better(0), 0)).toBe(1);
    expect(depth.before).toBe(10);
  });
});

test('a window widens when much rests behind it, and nothing is lost', () => {
  const depth = new Depth('bid', new DepthWindow(1 << 16));
  for (let price = 60_000; price > 100; price -= 100) depth.put(price, price);
  depth.watch(ticks(300), 1);
  depth.setThreshold(1, 1);
  expect(levels(depth)).toHaveLength(599);
  expect(depth.best).toBe(60_000);
  expect(depth.put(300, 0)).toBe(1);
  expect(depth.before).toBe(300);
});
