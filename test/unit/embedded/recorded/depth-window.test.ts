// Which rows a depth window applies by itself, and where it stops because a row needs more.
import { beforeEach, describe, expect, test } from 'vitest';
import { rngFrom } from '../../../../src/base/rng.ts';
import { opposite, SIDES, type Side, signOf } from '../../../../src/bot/domain/book.ts';
import type { Ticks } from '../../../../src/bot/domain/numbers.ts';
import { Depth } from '../../../../src/embedded/exchange/recorded/depth.ts';
import { DepthWindow } from '../../../../src/embedded/exchange/recorded/depth-window.ts';
import { RowBuilder } from '../../../../src/embedded/rows/row-builder.ts';
import { codeOf, type RowKind, type Rows } from '../../../../src/embedded/rows/rows.ts';

describe.each(SIDES)('rows about the %s side', (side: Side) => {
  /** A price so many ticks better than 1000. */
  const better = (by: number): Ticks => (1_000 + by * signOf(side)) as Ticks;
  const rowsOf = (...reported: readonly [step: number, size: number, kind?: RowKind][]): Rows => {
    const builder = new RowBuilder();
    for (const [step, size, kind = 'level'] of reported)
      builder.add({ time: 0, lag: 0, code: codeOf(kind, kind === 'level' ? { side } : {}), price: better(step), size });
    return builder.take();
  };
  const totals = (): number[] => [2, 1, 0, -1, -2].map((step) => depth.total(better(step)));

  let depthWindow: DepthWindow;
  let depth: Depth;
  beforeEach(() => {
    depthWindow = new DepthWindow(64);
    depth = new Depth(side, depthWindow);
    new Depth(opposite(side), depthWindow).put(5_000, 1);
    for (const step of [0, -1]) depth.put(better(step), 10);
  });

  test('change, come and go behind the best, and a better one is the best', () => {
    const rows = rowsOf([-2, 7], [-1, 0], [0, 12], [1, 3], [-2, 8]);
    expect(depthWindow.follow(rows, 0, 5)).toBe(5);
    expect(totals()).toEqual([0, 3, 12, 0, 8]);
    expect(depth.best).toBe(better(1));
  });

  test('are those from the first to the last in the range', () => {
    const rows = rowsOf([0, 1], [-1, 2], [-2, 3]);
    expect(depthWindow.follow(rows, 1, 2)).toBe(2);
    expect(totals()).toEqual([0, 0, 10, 2, 0]);
  });

  test.each<[string, [step: number, size: number, kind?: RowKind]]>([
    ['of another kind', [0, 1, 'trade']],
    ['that removes the best level', [0, 0]],
    ['above the window', [500, 1]],
    ['behind the window', [-500, 1]],
  ])('stop at one %s, which is not applied', (_, row) => {
    const rows = rowsOf([-2, 7], row, [-2, 8]);
    expect(depthWindow.follow(rows, 0, 3)).toBe(1);
    expect(totals()).toEqual([0, 0, 10, 10, 7]);
    expect(depth.best).toBe(better(0));
  });

  test('stop when the best would trade with an order of the other side, and not before', () => {
    depth.setOurBest(better(2));
    expect(depthWindow.follow(rowsOf([1, 5], [2, 5]), 0, 2)).toBe(1);
    depth.setOurBest(undefined);
    expect(depthWindow.follow(rowsOf([1, 5], [2, 5]), 0, 2)).toBe(2);
  });

  test('stop when less rests at a watched price, and not when more does', () => {
    depth.watch(better(-1), 1);
    expect(depthWindow.follow(rowsOf([-1, 10], [-1, 11], [-1, 10]), 0, 3)).toBe(2);
    depth.watch(better(-1), 0);
    expect(depthWindow.follow(rowsOf([-1, 1]), 0, 1)).toBe(1);
  });

  test('continue after the window was widened, with everything that rested and was watched', () => {
    const wide = new DepthWindow(1 << 16);
    const both = [new Depth(opposite(side), wide), new Depth(side, wide)] as const;
    both[0].put(5_000, 4);
    for (let step = 0; step > -200; step--) both[1].put(better(50 * step), 10);
    both[1].watch(better(-5_000), 1);
    expect(wide.shift).toBeGreaterThan(12);
    expect(wide.follow(rowsOf([-5_050, 3], [-5_000, 3]), 0, 2)).toBe(1);
    expect([both[0].best, both[0].total(5_000 as Ticks), both[1].total(better(-5_050))]).toEqual([5_000, 4, 3]);
  });

  test('are all shown, in whatever order levels came, went and moved the window', () => {
    const rng = rngFrom('levels');
    const wide = new DepthWindow(1 << 12);
    const both = { [side]: new Depth(side, wide), [opposite(side)]: new Depth(opposite(side), wide) } as Record<Side, Depth>;
    both[opposite(side)].put(5_000, 1);
    const expected = new Map<Ticks, number>();
    for (let round = 0; round < 3_000; round++) {
      const step = -rng.below(rng.below(10) === 0 ? 3_000 : 100) + rng.below(3);
      const size = rng.below(3) * (1 + rng.below(9));
      const rows = rowsOf([step, size]);
      if (wide.follow(rows, 0, 1) === 0) both[side].put(better(step), size);
      if (size === 0) expected.delete(better(step));
      else expected.set(better(step), size);
      if (round % 7 !== 0) continue;
      const count = both[side].show(20);
      const best = [...expected].sort(([a], [b]) => (b - a) * signOf(side)).slice(0, 20);
      expect(both[side].shown.slice(0, count).map(({ price, size }) => [price, size])).toEqual(best);
    }
  });

  test('are shown without reading each price between two of them', () => {
    const wide = new DepthWindow(1 << 12);
    const sparse = new Depth(side, wide);
    for (let step = 0; step > -3_000; step -= 300) sparse.put(better(step), 10);
    sparse.show(20); // the first time finds the blocks that became empty
    let reads = 0;
    wide.totals = new Proxy(wide.totals, {
      get: (totals, key) => {
        reads += 1;
        return Reflect.get(totals, key, totals) as unknown;
      },
    });
    expect(sparse.show(20)).toBe(10);
    expect(reads).toBeLessThan(400);
  });
});
