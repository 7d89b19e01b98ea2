// The polls of a connection: the intervals of a configuration within what an exchange allows.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import { askWith, DEFAULT_POLLING, pollPlan } from '../../../../src/bot/exchange/kit/streams/polling.ts';
import { RULES } from '../../../../src/venues/hyperliquid/rules.ts';

test('an exchange lengthens intervals and lowers the rate, and never the other way', () => {
  const allowed = { orderBookMs: 2_000, accountMs: 100, requestsPerSecond: 20, weights: { account: 6 } };
  expect(pollPlan(DEFAULT_POLLING, 1, allowed).intervals).toEqual({ ...DEFAULT_POLLING, orderBookMs: 2_000, requestsPerSecond: 20 });
  expect(pollPlan(DEFAULT_POLLING, 1, { requestsPerSecond: 1_000 }).intervals).toEqual(DEFAULT_POLLING);
  expect(pollPlan(DEFAULT_POLLING, 1).intervals).toEqual(DEFAULT_POLLING);
});

test('polls are sent as often as the plan says, and together they keep the limit of an exchange that counts weights', async () => {
  const clock = new VirtualClock(0);
  const plan = pollPlan(DEFAULT_POLLING, 4, RULES.polling);
  const ask = askWith({ clock, rng: rngFrom('polls'), plan });
  const sent = new Map(plan.polls.map(({ kind }) => [kind, 0]));
  for (const { kind, of } of plan.polls)
    for (let market = 0; market < (of === 'market' ? 4 : 1); market++)
      ask({
        every: kind,
        ask: async () => {
          sent.set(kind, sent.get(kind)! + 1);
        },
      }).subscribe();
  const seconds = 600;
  for (let now = 0; now <= seconds * 1_000; now += 50) {
    clock.advanceTo(now);
    await Promise.resolve();
    await new Promise(setImmediate);
  }
  for (const { kind, of, everyMs } of plan.polls) {
    const each = sent.get(kind)! / (of === 'market' ? 4 : 1);
    expect(each / ((seconds * 1_000) / everyMs), kind).toBeCloseTo(1, 1);
  }
  const units = plan.polls.reduce((sum, { kind, weight }) => sum + weight * sent.get(kind)!, 0);
  expect(units / seconds).toBeGreaterThan(16);
  expect(units / seconds).toBeLessThanOrEqual(17.1);
});

test('intervals that are lengthened stay whole milliseconds', () => {
  for (const markets of [1, 2, 3, 7])
    for (const { everyMs, kind } of pollPlan(DEFAULT_POLLING, markets, RULES.polling).polls)
      expect(Number.isInteger(everyMs), `${kind} of ${markets}`).toBe(true);
});
