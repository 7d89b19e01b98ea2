// The guards `repetition` and `ramp` (the time after a start), at their exact boundaries. BTC at 60 000; a lot is worth 6.
import { beforeEach, describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Fill } from '../../../src/bot/domain/order.ts';
import { limitsSchema, rulesFrom } from '../../../src/bot/risk/rules.ts';
import { calmWorld, WorldBuilder } from '../world-builder.ts';
import { candidateOf, circumstancesOf, guardVerdict, standingOf, textOf } from './verdicts.ts';

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
});

const bought = (size: number, trade: string): Omit<Fill, 'time'> => ({
  tradeId: trade,
  actionId: trade,
  market: 0,
  side: 'bid',
  price: ticks(600_000),
  size: lots(size * 10_000),
  role: 'taker',
  orderId: trade,
});

const names = (live: boolean) => rulesFrom(limitsSchema.parse({}), { live }).guards.map(({ name }) => name);

// A tenth of 6 000 is 0.01 at 60 000, a half 0.05.
const bid = (size: number, price = 60_000) => {
  const candidate = candidateOf(builder.world, { side: 'bid', price, size });
  const limits = { ramp: {}, 'order-size': { maxNotional: 6_000 }, position: { maxNotional: 12_000 } };
  const guard = rulesFrom(limitsSchema.parse(limits), { live: true }).guards.find(({ name }) => name === 'ramp');
  if (guard === undefined) throw new Error('no ramp');
  return textOf(guard.review(candidate, circumstancesOf(builder.world)), candidate.market);
};

describe('ramp', () => {
  test('allows a tenth of the limits for five minutes, then half of them for ten, then all', () => {
    expect(bid(0.01)).toBe('pass');
    expect(bid(0.011)).toBe(
      'shrink to 0.01: 10 % of the limits hold until 300 s after the start: an order of 660.00 is above the limit of 600',
    );
    builder.after(300_000).account();
    expect(bid(0.05)).toBe('pass');
    expect(bid(0.051)).toContain('shrink to 0.05: 50 % of the limits hold until 900 s after the start: ');
    builder.after(600_000).account();
    expect(bid(0.1)).toBe('pass');
    expect(bid(5)).toBe('pass'); // order-size itself limits it
  });

  test('bounds the position as well as the order', () => {
    builder.account({ position: 0.015 });
    expect(bid(0.1)).toMatch(/^shrink to 0\.005: 10 % of the limits .*: with all its bids filled the position could reach /);
  });

  test('bounds all positions together', () => {
    // Worth 10 000: a tenth of three times that is 0.05.
    const most = { ramp: {}, 'order-size': { maxNotional: 1e6 }, position: { maxNotional: 1e6 } };
    const guard = rulesFrom(limitsSchema.parse(most), { live: true }).guards.find(({ name }) => name === 'ramp');
    const candidate = candidateOf(builder.world, { side: 'bid', price: 59_000, size: 0.06 });
    expect(guard && textOf(guard.review(candidate, circumstancesOf(builder.world)), candidate.market)).toContain('shrink to 0.05: ');
  });

  test('passes reducing orders, and keeps orders that rest', () => {
    builder.placed({ side: 'bid', price: 59_000, size: 1, id: '1' }).account({ position: -2 });
    expect(guardVerdict('ramp', builder.world, { side: 'bid', price: 60_000, size: 1 })).toBe('pass');
    builder.account({ position: 0 });
    expect(guardVerdict('ramp', builder.world, { side: 'bid', price: 59_000, size: 1, standing: standingOf(builder.world, '1') })).toBe(
      'pass',
    );
  });

  test('applies to live runs only', () => {
    expect([names(true).includes('ramp'), names(false).includes('ramp')]).toEqual([true, false]);
  });
});

describe('repetition', () => {
  const terms = { side: 'bid', price: 59_000, size: 0.1 } as const;
  const limits = { maxSame: 3, withinMs: 10_000 };
  const send = (count: number): void => {
    for (let sent = 0; sent < count; sent++) builder.pending({ ...terms, id: `r${sent}` });
  };

  test('refuses an order that was sent as often as the limit within the time', () => {
    send(2);
    expect(guardVerdict('repetition', builder.world, terms, limits)).toBe('pass');
    builder.pending({ ...terms, id: 'last' });
    expect(guardVerdict('repetition', builder.world, terms, limits)).toBe(
      'refuse: 3 orders with the same side, price and size within 10 s; the limit is 3',
    );
    builder.after(10_000).account();
    expect(guardVerdict('repetition', builder.world, terms, limits)).toBe('pass');
  });

  test('counts orders with other terms separately, and passes resting and reducing orders', () => {
    send(3);
    for (const other of [{ price: 59_000.1 }, { size: 0.1001 }, { side: 'ask', price: 61_000 }] as const)
      expect(guardVerdict('repetition', builder.world, { ...terms, ...other }, limits)).toBe('pass');
    expect(guardVerdict('repetition', builder.world, { ...terms, standing: standingOf(builder.world, 'r0') }, limits)).toBe('pass');
    builder.account({ position: -1 });
    expect(guardVerdict('repetition', builder.world, terms, limits)).toBe('pass');
  });

  describe('of a target', () => {
    /** By the account, one more is missing to reach the target of 1. */
    const more = { side: 'bid', price: 60_000, size: 1, fillMode: 'IMMEDIATE_OR_CANCEL', goal: 1 } as const;
    beforeEach(() => builder.round().info({ price: 60_000 }));

    test('refuses to execute it again if our fills have passed it, whatever the account shows', () => {
      expect(guardVerdict('repetition', builder.world, more)).toBe('pass');
      builder.round([bought(1, 't1')]);
      expect(guardVerdict('repetition', builder.world, more)).toBe('pass');
      builder.round([bought(1, 't2')]).account({ position: 0 });
      expect(guardVerdict('repetition', builder.world, more)).toBe(
        'refuse: the target is a position of 1.0000 and our fills add up to 2.0000: the target was executed before, and the account does not show it',
      );
      expect(guardVerdict('repetition', builder.world, more, { maxExecutions: 3 })).toBe('pass');
    });

    test('counts from the position before the run', () => {
      builder = new WorldBuilder().account({ position: -3 }).round().info({ price: 60_000 });
      builder.round([bought(3, 't1')]);
      expect(guardVerdict('repetition', builder.world, more)).toBe('pass');
    });

    test('passes a target that changes', () => {
      for (let slice = 1; slice <= 20; slice++) {
        expect(guardVerdict('repetition', builder.world, { ...more, size: 0.1, goal: slice / 10 })).toBe('pass');
        builder.round([bought(0.1, `t${slice}`)]);
      }
    });
  });
});
