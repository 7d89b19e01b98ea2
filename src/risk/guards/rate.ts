// Not more new orders in a time than the limit; cancels are never counted.
import { z } from 'zod';
import { amount } from '../amount.ts';
import { guardKind, PASS } from '../guard.ts';

const limits = z.strictObject({
  maxPerSecond: amount({ preset: 40 }),
  maxPerMinute: amount({ preset: 600 }),
});

export const rate = guardKind({
  name: 'rate',
  onlyNew: true,
  reads: ['time'],
  limits,
  review:
    ({ maxPerSecond, maxPerMinute }) =>
    (_, circumstances) => {
      const { world } = circumstances;
      for (const [span, most] of [
        [1_000, maxPerSecond],
        [60_000, maxPerMinute],
      ] as const) {
        const sent = world.placementsSince(world.now - span) + circumstances.passed();
        if (sent >= most) return { kind: 'refuse', reason: `${sent} orders within ${span / 1000} s; the limit is ${most}` };
      }
      return PASS;
    },
});
