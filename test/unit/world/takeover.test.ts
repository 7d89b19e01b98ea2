// A start with `--adopt`: which orders become ours, and until when nothing is placed beside orders that may still appear.
import { describe, expect, test } from 'vitest';
import type { RestingOrder } from '../../../src/bot/domain/account.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { LAG } from '../../../src/bot/world/orders/proof.ts';
import type { AccountStateOptions } from '../../../src/bot/world/position/account-state.ts';
import { World } from '../../../src/bot/world/world.ts';
import { guardVerdict } from '../risk/verdicts.ts';
import { BTC, calmWorld, START } from '../world-builder.ts';
import { reported } from './world-lines.ts';

const NOW = START / 1000;
const LIFE = 63;
const BID = { side: 'bid', price: 59_000, size: 0.1 } as const;

const resting = (orderId: string, clientOrderId?: string): RestingOrder => ({
  market: 0,
  orderId,
  clientOrderId,
  side: 'bid',
  price: ticks(590_000),
  size: lots(4_000),
  originalSize: lots(10_000),
});

/** A run that has just started, with the account and the exchange's time that it receives. */
function started(options: Partial<AccountStateOptions> = {}) {
  let ids = 500;
  const world = new World([BTC], { adoptForeign: () => String(ids++), ...options });
  const shown = calmWorld({ bid: 59_999, ask: 60_001 }).world.account!.value;
  let number = 10;
  const run = {
    world,
    /** The exchange's time, in seconds after the start. */
    time: (seconds: number, asked = START + seconds * 1_000) =>
      world.apply({ kind: 'timeSeen', at: Math.max(asked, world.now), asked, engineSeconds: NOW + seconds }),
    account: (seconds: number, orders: readonly RestingOrder[]) => {
      const at = START + seconds * 1_000;
      const account = { ...shown, updateId: String(++number), orders };
      world.apply({ kind: 'accountSeen', at, asked: at, account });
    },
    alarms: () => world.takeAlarms().map(({ name, reason }) => `${name}: ${reason}`),
  };
  run.time(0);
  return run;
}

describe('adopted orders', () => {
  test('are those of every account in which earlier orders can still appear, because the first account may be old', () => {
    const { world, account, alarms } = started({ isOfThisRun: (id) => id.startsWith('9') });
    account(1, [resting('old')]);
    expect(reported(world)).toEqual(['500 open 0.4000']);
    account(16, [resting('newer', '901'), resting('nameless')]);
    expect(world.orders().map(({ orderId, clientOrderId }) => [orderId, clientOrderId])).toEqual([
      ['old', '500'],
      ['newer', '501'],
      ['nameless', '502'],
    ]);
    expect([alarms(), world.foreignOrders(0), world.ghosts]).toEqual([[], [], 0]);
  });

  test('are cancelled if that was requested', () => {
    const { world, account } = started({ cancelForeign: true });
    account(1, []);
    account(16, [resting('late')]);
    expect(world.orders()).toMatchObject([{ orderId: 'late', unwanted: true }]);
  });

  test('that only one account lists stay ours until two others and a poll of fills prove them gone', () => {
    const { world, account } = started();
    account(1, [resting('dead')]);
    account(2, []);
    expect(world.orders()).toMatchObject([{ orderId: 'dead', missing: true }]);
    account(5, []);
    expect(world.orders()).toHaveLength(1);
    world.apply({ kind: 'fillsSeen', at: START + 6_000, asked: START + 6_000, fills: [] });
    expect(world.orders()).toEqual([]);
  });
});

describe('orders that are to be ignored', () => {
  test('are only counted, also those of this run that the first account lacked; later ones raise the alarm', () => {
    const { world, account, time, alarms } = started({
      adoptForeign: undefined,
      ignoreForeign: true,
      isOfThisRun: (id) => id.startsWith('9'),
    });
    account(1, []);
    account(16, [resting('late', '901')]);
    expect([world.foreignOrders(0).length, world.ghosts, alarms(), world.isTakingOver]).toEqual([1, 0, [], false]);
    time(LIFE + 1);
    account(LIFE + 2, [resting('late', '901')]);
    account(LIFE + 4, [resting('late', '901')]);
    account(LIFE + 5, [resting('late', '901'), resting('of a copy', '902')]);
    expect([world.foreignOrders(0).length, world.ghosts]).toEqual([2, 1]);
    expect(alarms()).toEqual([expect.stringContaining("ghost: order of a copy has this run's own client order id 902")]);
  });
});

describe('the takeover', () => {
  test('lasts until earlier requests have expired and two later accounts were compared; orders that appear after that are foreign', () => {
    const { world, account, time, alarms } = started();
    account(1, []);
    account(LIFE, []);
    account(LIFE + 3, []);
    expect(world.isTakingOver).toBe(true); // not expired by the exchange's time
    time(LIFE + 4);
    account(LIFE + 5, []);
    account(LIFE + 6, [resting('in flight')]);
    expect([world.isTakingOver, world.orders().length]).toEqual([true, 1]);
    account(LIFE + 5 + LAG / 1_000, [resting('in flight'), resting('last')]);
    expect([world.isTakingOver, world.orders().length]).toEqual([false, 2]);
    account(LIFE + 10, [resting('in flight'), resting('last'), resting('theirs')]);
    expect([world.orders().length, world.foreignOrders(0)]).toMatchObject([2, [{ orderId: 'theirs' }]]);
    expect(alarms()).toEqual([expect.stringContaining('company: order theirs is not ours')]);
  });

  test("is not over while the exchange's time has gone back", () => {
    const { world, account, time } = started();
    time(LIFE + 1);
    account(LIFE + 2, []);
    time(LIFE - 9, START + (LIFE + 3) * 1_000);
    time(LIFE - 8, START + (LIFE + 4) * 1_000);
    account(LIFE + 5, []);
    expect(world.isTakingOver).toBe(true);
  });

  test('needs two accounts after a jump of the clock, which makes two requests look farther apart than they were', () => {
    const { world, account, time } = started();
    time(LIFE + 1);
    account(LIFE + 2, []);
    world.apply({ kind: 'clockJumped', at: START + (LIFE + 3_600) * 1_000, by: 3_597_000 });
    account(LIFE + 3_601, []);
    expect(world.isTakingOver).toBe(true);
    account(LIFE + 3_604, []);
    expect(world.isTakingOver).toBe(false);
  });

  test('places nothing beside orders that may appear, and leaves resting orders', () => {
    const { world, account, time } = started();
    account(1, []);
    expect(guardVerdict('unresolved', world, BID)).toMatch(/^refuse: orders from before this start may still appear/);
    time(LIFE + 1);
    account(LIFE + 2, []);
    account(LIFE + 4, []);
    expect(guardVerdict('unresolved', world, BID)).toBe('pass');
  });

  test('happens only if it was requested', () => {
    const { world, account } = started({ adoptForeign: undefined });
    account(1, []);
    expect([world.isTakingOver, guardVerdict('unresolved', world, BID)]).toEqual([false, 'pass']);
  });
});

const orders = (world: World) => world.orders().map(({ orderId, clientOrderId, unwanted = false }) => [orderId, clientOrderId, unwanted]);

describe('an exchange that executed the request of an order twice', () => {
  const placed = {
    kind: 'place',
    clientOrderId: '7',
    market: 0,
    side: 'bid',
    price: ticks(590_000),
    size: lots(10_000),
    fillMode: 'POST_ONLY',
  } as const;
  const [ours, copy] = [resting('first', '7'), resting('second', '7')];
  const twice = () => {
    const run = started({ adoptForeign: undefined, idForCopy: () => '900', isOfThisRun: () => true });
    run.account(0, []);
    run.world.markSent([placed]);
    run.world.apply({
      kind: 'orderOpened',
      at: START + 500,
      clientOrderId: '7',
      actionId: '50',
      taken: [],
      resting: lots(10_000),
      orderId: 'first',
    });
    run.account(3, [ours, copy]);
    return run;
  };

  test('has two orders of ours, of which the second is unwanted, with an alarm', () => {
    const { world, account, alarms } = twice();
    expect(orders(world)).toEqual([
      ['first', '7', false],
      ['second', '900', true],
    ]);
    expect([world.foreignOrders(0), world.ghosts, alarms()]).toEqual([
      [],
      1,
      [expect.stringContaining('order second is a second order of client order 7')],
    ]);
    for (const second of [6, 9, 12]) account(second, [ours, copy]);
    world.apply({ kind: 'fillsSeen', at: START + 13_000, asked: START + 13_000, fills: [] });
    expect([orders(world).length, world.ghosts, world.orders().some(({ missing }) => missing)]).toEqual([2, 1, false]);
  });

  test('is not settled while it may execute others twice', () => {
    const { world, account, time } = twice();
    const gone = (second: number): void => {
      account(second, []);
      world.apply({ kind: 'fillsSeen', at: START + second * 1_000 + 1, asked: START + second * 1_000 + 1, fills: [] });
    };
    time(4);
    gone(6);
    gone(9);
    expect([world.orders(), world.settled]).toEqual([[], false]);
    time(5 + LIFE);
    gone(LIFE + 6);
    gone(LIFE + 9);
    expect(world.settled).toBe(true);
  });
});
