// The TWAP strategy: reaches a position in slices and keeps it.
import { describe, expect, test } from 'vitest';
import { UserError } from '../../../src/base/errors.ts';
import type { Target } from '../../../src/bot/domain/intent.ts';
import { testTools } from '../../../src/research/testing/tools.ts';
import twap from '../../../strategies/twap.ts';
import { calmWorld } from '../../unit/world-builder.ts';

const TEN_SLICES = { ...twap.defaults, targetNotional: 6_000, durationSeconds: 100, slices: 10 };

/** Returns the target positions in lots, by second from the start. */
function wanted(
  params: typeof twap.defaults,
  { seconds, position = 0, seed = 'test' }: { seconds: number; position?: number; seed?: string },
) {
  const decide = twap.create(params, testTools(seed));
  const world = calmWorld({ bid: 59_999, ask: 60_001 }).account({ position });
  return Array.from({ length: seconds + 1 }, () => {
    const [target] = decide(world.view()) as readonly Target[];
    world.after(999).book([[59_999, 1]], [[60_001, 1]]);
    return target?.position;
  });
}

describe('twap', () => {
  test('buys in equal steps without jitter, and then holds', () => {
    const positions = wanted({ ...TEN_SLICES, jitter: 0 }, { seconds: 120 });
    expect([0, 9, 10, 45, 89, 90, 120].map((second) => positions[second])).toEqual([100, 100, 200, 500, 900, 1_000, 1_000]);
  });

  test('places each slice within its own interval with jitter', () => {
    const positions = wanted({ ...TEN_SLICES, jitter: 1 }, { seconds: 110 });
    for (const [second, position] of positions.entries()) {
      expect(position).toBeGreaterThanOrEqual(100 * Math.min(10, Math.floor(second / 10)));
      expect(position).toBeLessThanOrEqual(100 * Math.min(10, Math.floor(second / 10) + 1));
    }
    expect(positions).toEqual(wanted({ ...TEN_SLICES, jitter: 1 }, { seconds: 110 }));
    expect(positions).not.toEqual(wanted({ ...TEN_SLICES, jitter: 1 }, { seconds: 110, seed: 'another' }));
  });

  test('starts from the present position, up or down', () => {
    const positions = wanted({ ...TEN_SLICES, targetNotional: -6_000, jitter: 0 }, { seconds: 100, position: 0.05 });
    expect([0, 10, 100].map((second) => positions[second])).toEqual([350, 200, -1_000]);
  });

  test('takes with a limit price, and does nothing without a book', () => {
    const decide = twap.create(TEN_SLICES, testTools());
    const world = calmWorld({ bid: 59_999, ask: 60_001 });
    expect(decide(world.view())).toMatchObject([{ kind: 'target', limit: 600_310 }]);
    expect(decide(world.book([], []).view())).toEqual([]);
  });

  test('refuses a fractional number of slices', () => {
    expect(() => twap.create({ ...TEN_SLICES, slices: 2.5 }, testTools())).toThrow(UserError);
  });
});
