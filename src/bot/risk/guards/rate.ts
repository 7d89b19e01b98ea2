// Guards of the rate of new orders: the limit of the configuration, and the requests that the exchange allows the account.
import { z } from 'zod';
import type { Millis } from '../../../base/clock.ts';
import { amount } from '../../../base/files/amount.ts';
import { guardKind, PASS } from '../guard.ts';
import { percent } from '../prices.ts';

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

/**
 * Limits the rate of new orders, which `bot/world/orders/sending/send-times.ts` counts; cancels are not counted. `bot/run/state/send-rate.ts` enforces the
 * same limit again where orders are sent.
 */
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

const quotaLimits = z.strictObject({
  /** Fraction of the requests that the exchange allows. */
  maxFraction: amount({ preset: 0.9, max: 1 }),
});

/**
 * Refuses new orders once the account has used most of the requests that the exchange allows it, and leaves the rest for cancels and for orders that
 * reduce.
 */
export const quota = guardKind({
  name: 'quota',
  onlyNew: true,
  reads: ['account', 'exposure'],
  limits: quotaLimits,
  review:
    ({ maxFraction }) =>
    ({ reducing }, { world }) => {
      const { requests } = world.account?.value ?? {};
      if (requests === undefined || reducing || requests.used < maxFraction * requests.allowed) return PASS;
      const reason = () =>
        `the account has used ${requests.used} of the ${requests.allowed} requests that the exchange allows it; the limit is ${percent(maxFraction)}, and trading adds to what is allowed`;
      return { kind: 'refuse', reason };
    },
});
