// A filled order that an account still lists, at an exchange whose accounts may be further behind than is usual.
import { describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { World } from '../../../src/bot/world/world.ts';
import { BTC, START, WorldBuilder } from '../world-builder.ts';
import { maker } from './trades.ts';

const listed = {
  market: 0,
  side: 'bid',
  price: ticks(590_000),
  size: lots(10_000),
  originalSize: lots(10_000),
  orderId: 'exchange-1',
  clientOrderId: '1',
} as const;
const filled = (options: ConstructorParameters<typeof World>[1]): WorldBuilder =>
  new WorldBuilder([BTC], options)
    .info({ price: 60_000 })
    .time(START / 1_000)
    .account()
    .round()
    .placed({ side: 'bid', price: 59_000, size: 1, id: '1' })
    .account()
    .round([maker({ orderId: 'exchange-1', size: 1 })])
    .after(4_000);
/** What two such accounts lead to, which show the position from before the fill too. */
const found = (old: WorldBuilder) => {
  const { world } = old
    .account({ position: 0, others: [listed] })
    .round()
    .account({ position: 0, others: [listed] })
    .round();
  return { alarms: world.takeAlarms().map(({ name }) => name), orders: world.orders().length };
};

describe('a filled order that an account lists which may be five seconds behind', () => {
  test('stays gone, and its fill is not missing in the position', () => {
    expect(found(filled({ accountLag: 5_000 }))).toEqual({ alarms: [], orders: 0 });
  });

  test('is there again if the account was requested later than that', () => {
    expect(found(filled({ accountLag: 5_000 }).after(1_000))).toEqual({ alarms: ['ghost', 'position'], orders: 1 });
    expect(found(filled({})), 'or if accounts are not that late').toEqual({ alarms: ['ghost', 'position'], orders: 1 });
  });

  test('and the account is as old as its request', () => {
    const { world } = filled({ accountLag: 5_000 }).account();
    expect(world.account?.asked).toBe(world.now);
  });
});
