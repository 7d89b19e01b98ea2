// Guard: limits the rate of new orders; cancels are not counted. Counted by `bot/world/orders/sending/send-times.ts`; `bot/run/state/send-rate.ts` enforces
// the same limit again where orders are sent.
import { z } from 'zod';
import type { Millis } from '../../../base/clock.ts';
import { amount } from '../../../base/files/amount.ts';
import { guardKind, PASS } from '../guard.ts';

const limits = z.strictObject({
  maxPerSecond: amount({ preset: 40 }),
  maxPerMinute: amount({ preset: 600 }),
});

export type Rates = z.infer<typeof limits>;

/** The rates in a configuration's limits. */
export const ratesOf = (blocks: Readonly<Record<string, unknown>>): Rates => limits.parse(blocks['rate'] ?? {});

/** Returns why one more order would exceed a rate, else undefined. `within` returns the number of orders in the last `span` milliseconds. */
export function exceeded({ maxPerSecond, maxPerMinute }: Rates, within: (span: Millis) => number): string | undefined {
  for (const [span, most] of [
    [1_000, maxPerSecond],
    [60_000, maxPerMinute],
  ] as const) {
    const sent = within(span);
    if (sent >= most) return `${sent} orders within ${span / 1000} s; the limit is ${most}`;
  }
  return undefined;
}

export const rate = guardKind({
  name: 'rate',
  onlyNew: true,
  reads: ['time'],
  limits,
  review: (most) => (_, circumstances) => {
    const { world } = circumstances;
    const reason = exceeded(most, (span) => world.placementsSince(world.now - span) + circumstances.passed());
    return reason === undefined ? PASS : { kind: 'refuse', reason };
  },
});
