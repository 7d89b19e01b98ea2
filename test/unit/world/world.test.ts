// The world follows from its events, and from nothing else.
import { beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '../../../src/bot/domain/account.ts';
import type { Event } from '../../../src/bot/domain/event.ts';
import { lots, ticks, toMicros } from '../../../src/bot/domain/numbers.ts';
import { type GuardInput, INPUTS, inputSet } from '../../../src/bot/world/revisions.ts';
import { World } from '../../../src/bot/world/world.ts';
import { BTC, calmWorld, ETH, START, WorldBuilder } from '../world-builder.ts';

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
});

describe('time', () => {
  test('is that of the current event, and begins with the first', () => {
    const world = new World([BTC]);
    expect([world.now, world.began]).toEqual([0, 0]);
    world.apply({ kind: 'timerFired', at: START });
    world.apply({ kind: 'timerFired', at: START + 5 });
    expect([world.now, world.began]).toEqual([START + 5, START]);
  });

  test('never goes back', () => {
    expect(() => builder.world.apply({ kind: 'timerFired', at: START })).toThrow(`an event of ${START} came after the time`);
  });
});

const frozen = () => builder.world.info(0)?.value.frozen;

describe('a refusal that says that the market is frozen', () => {
  test.each(['orderRejected', 'cancelAnswered'] as const)('freezes the market (%s) until later live info says otherwise', (kind) => {
    builder.placed({ side: 'bid', price: 59_000, size: 1, id: '1' });
    const before = builder.world.info(0)!;
    builder.apply((at) => ({ kind, at, clientOrderId: '1', error: 'MARKET_FROZEN', outcome: 'refused', frozen: true }));
    expect(frozen()).toBe(true);
    const asked = builder.world.now - 1;
    builder.apply((at) => ({ kind: 'infoSeen', at, asked, infos: [before.value] }));
    expect(frozen()).toBe(true);
    builder.info({ price: 60_000 });
    expect(frozen()).toBe(false);
  });

  test('is not taken from any other refusal', () => {
    builder.pending({ side: 'bid', price: 59_000, size: 1, id: '1' }).rejected('1', 'INSUFFICIENT_FUNDS');
    expect(frozen()).toBe(false);
  });
});

describe('polled data', () => {
  test('is the newest, with the time of its request', () => {
    const { world } = builder.book([[59_998, 1]], [[60_002, 2]]);
    expect(world.book(0)).toMatchObject({ asked: world.now, at: world.now, value: { bids: [{ price: 599_980 }] } });
    expect(world.info(0)?.value).toMatchObject({ index: 600_000, mark: 600_000 });
    expect(world.book(1)).toBeUndefined();
  });

  test("includes the exchange's time and the session", () => {
    builder
      .time(1_000)
      .time(1_005)
      .apply((at) => ({ kind: 'sessionSeen', at, opened: 1_000, expires: 4_600 }));
    expect(builder.world.engineTime).toMatchObject({ value: 1_005, at: builder.world.now - 1 });
    expect(builder.world.session).toMatchObject({ expires: 4_600 });
  });

  test('trades of one turn are reported together, in order', () => {
    const seen = (tradeId: string) => {
      const trade = { tradeId, market: 0, takerSide: 'bid', price: ticks(600_010), size: lots(1), time: START } as const;
      return { kind: 'tradesSeen', at: builder.world.now, market: 0, trades: [trade] } as const;
    };
    builder.world.apply(seen('1'), { kind: 'timerFired', at: builder.world.now }, seen('2'));
    expect(builder.world.trades(0).map(({ tradeId }) => tradeId)).toEqual(['1', '2']);
    builder.world.apply({ kind: 'timerFired', at: builder.world.now });
    expect(builder.world.trades(0)).toEqual([]);
  });

  test('trades and fills are those of the current turn', () => {
    builder.traded({ side: 'bid', price: 60_001, size: 1 });
    expect(builder.world.trades(0)).toHaveLength(1);
    expect(builder.world.trades(1)).toEqual([]);
    builder.placed({ side: 'bid', price: 59_000, size: 1, id: '1' }).filled('1');
    expect([
      builder.world.trades(0).length,
      builder.world.fills().length,
      builder.world.fills(0).length,
      builder.world.fills(1).length,
    ]).toEqual([0, 1, 1, 0]);
    builder.account();
    expect(builder.world.fills()).toEqual([]);
  });

  test('of a market that is not part of the run is a bug', () => {
    expect(() => builder.world.market(7)).toThrow("market 7 is not one of this run's");
  });
});

/** The guard inputs that the event changes; `time` always changes. */
const movedBy = (event: () => unknown): readonly GuardInput[] => {
  const before = builder.world.revisions.snapshot();
  event();
  const moved = builder.world.revisions.since(before);
  return INPUTS.filter((input) => input !== 'time' && (moved & inputSet([input])) !== 0);
};

const moved = (event: () => unknown): boolean => movedBy(event).length > 0;

const THEIRS = { orderId: 'foreign', market: 0, side: 'ask', price: 610_000, size: 5_000, originalSize: 9_000 } as never;
const journal = (at: number, healthy: boolean): Event => ({ kind: 'healthSeen', at, stream: 'journal', healthy, reason: 'a test' });

describe('the inputs of guards', () => {
  beforeEach(() => {
    builder.placed({ side: 'bid', price: 59_000, size: 1, id: '1' }).pending({ side: 'ask', price: 61_000, size: 1, id: '2' });
  });

  test.each<[string, () => unknown, readonly GuardInput[]]>([
    ['an account with the same position', () => builder.account(), ['account', 'orders']],
    ['an account with a larger position', () => builder.account({ position: 2 }), ['account', 'orders', 'exposure']],
    ['the live info', () => builder.info({ price: 60_001 }), ['info']],
    ['the live info reported again', () => builder.info({ price: 60_000 }), []],
    ['a book', () => builder.book([[59_998, 1]], [[60_002, 2]]), ['book']],
    ['trades', () => builder.traded({ side: 'bid', price: 60_001, size: 1 }), ['trades']],
    ['candles', () => builder.apply((at) => ({ kind: 'candlesSeen', at, asked: at, market: 0, candles: [] })), ['candles']],
    ['the time', () => builder.time(5), []],
    ['a fill', () => builder.filled('1', 0.5), ['fills', 'orders', 'exposure']],
    ['a poll without fills', () => builder.round(), []],
    ['an accepted order: the same size can still be filled', () => builder.opened('2'), ['orders']],
    [
      'an order that was partly filled at once',
      () => builder.opened('2', { taken: [[61_000, 0.5]], resting: 0.5 }),
      ['orders', 'exposure'],
    ],
    ['an order refused', () => builder.rejected('2'), ['orders', 'exposure']],
    ['an order without an answer', () => builder.unknown('2', 9e9), ['orders', 'exposure']],
    ['an answer to a cancel', () => builder.cancelAnswered('1', 'queued'), ['orders']],
    ['an order sent', () => builder.pending({ side: 'bid', price: 58_000, size: 1 }), ['orders', 'exposure']],
    ['a cancel sent', () => builder.cancelling('1'), ['orders']],
    ['nothing sent', () => builder.sent([]), []],
    ['a mode', () => builder.apply((at) => ({ kind: 'command', at, command: 'mode', mode: 'close-only', reason: 'a test' })), ['mode']],
    ['a stop', () => builder.apply((at) => ({ kind: 'command', at, command: 'stop', reason: 'a test' })), ['mode']],
    ['a session', () => builder.apply((at) => ({ kind: 'sessionSeen', at, opened: 1, expires: 2 })), ['session']],
    ['a stream that is unsound', () => builder.apply((at) => journal(at, false)), ['health']],
    ['a stream that is sound again', () => builder.apply((at) => journal(at, true)), ['health']],
  ])('change with %s', (_, event, expected) => expect(movedBy(event)).toEqual(expected));

  test('change with an order of others', () => {
    builder.account();
    expect(movedBy(() => builder.account({ others: [THEIRS] }))).toEqual(expect.arrayContaining(['orders', 'exposure']));
  });

  test('change when trades and fills of a turn are no longer of this turn', () => {
    builder.traded({ side: 'bid', price: 60_001, size: 1 });
    expect(movedBy(() => builder.round())).toEqual(['trades']);
    builder.filled('1', 0.5);
    expect(movedBy(() => builder.round())).toEqual(['fills']);
  });

  test('change with an order that appears after it was reported as gone', () => {
    builder.rejected('2');
    const found = () => builder.apply((at) => ({ kind: 'orderOpened', at, clientOrderId: '2', actionId: '50', orderId: 'x', taken: [] }));
    expect(movedBy(found)).toEqual(['orders', 'exposure']);
    expect(builder.world.orders().map(({ clientOrderId }) => clientOrderId)).toContain('2');
  });

  test('change with a poll that reports no fill, and ends an order without an answer', () => {
    const dead = START / 1_000 + 63;
    builder.round().unknown('2', dead);
    builder.outlived(dead + 1).account({}, ['2']);
    builder.after(2_000).account({}, ['2']);
    expect(movedBy(() => builder.round())).toEqual(['orders', 'exposure']);
    expect(builder.world.orders().map(({ clientOrderId }) => clientOrderId)).toEqual(['1']);
  });

  test('change with a poll that reports no fill, and leaves a position unexplained', () => {
    builder.round();
    builder.after(5_000).account({ position: 0.5 }).round();
    builder.after(5_000).account();
    expect(builder.world.unexplained(0)).toBeUndefined();
    expect(movedBy(() => builder.round())).toEqual(['agreement']);
    expect(builder.world.unexplained(0)?.reason).toContain('the position is 0.5000');
    expect(movedBy(() => builder.round())).toEqual([]);
  });
});

const again = (change: Partial<Account> = {}) => {
  const account = builder.world.account!.value;
  return moved(() =>
    builder.apply((at) => ({ kind: 'accountSeen', at, asked: at, account: { ...account, updateId: `${account.updateId}0`, ...change } })),
  );
};

describe('an account that is reported again with another update id', () => {
  test('counts as a change only if it says something else, or may contain a late trade', () => {
    builder.placed({ side: 'bid', price: 59_000, size: 1, id: '1' }).account({ position: 2 });
    const { margins, positions, orders, balances } = builder.world.account!.value;
    expect(again()).toBe(false);
    expect(again({ margins: { ...margins, omf: toMicros(1)! } })).toBe(true);
    expect(again({ positions: positions.map((held) => ({ ...held, size: lots(1) })) })).toBe(true);
    expect(again({ orders: orders.map((order) => ({ ...order, size: lots(5) })) })).toBe(true);
    expect(again({ balances: balances.map((held) => ({ ...held, amount: 1 })) })).toBe(true);
    expect(again({ balances: [] })).toBe(true);
    expect(again({ balances: [] })).toBe(false);
    builder.filled('1', 0.5);
    expect(again({ balances: [] })).toBe(true);
  });

  test('counts as a change if an order of ours is gone from it', () => {
    builder.placed({ side: 'bid', price: 59_000, size: 1, id: '1' }).account();
    expect(again({ orders: [] })).toBe(true);
    builder.pending({ side: 'ask', price: 61_000, size: 1, id: '2' });
    expect(again({ orders: [] })).toBe(true); // it is compared with each account again
  });
});

test('counts for a market its position with the worse side of its orders', () => {
  const counted = () => BTC.size(builder.world.countedInMargins(0));
  expect(counted()).toBe(0);
  builder.account({ position: -1, others: [THEIRS] });
  expect(counted()).toBe(1.5);
  builder.account({ position: 2, others: [THEIRS] });
  expect(counted()).toBe(2);
  builder.pending({ side: 'bid', price: 59_000, size: 1, id: '1' });
  expect(counted()).toBe(2); // no account contains it yet
  builder.opened('1').account();
  expect(counted()).toBe(3);
});

const health = (stream: 'book' | 'account' | 'numbering', healthy: boolean, market?: number) =>
  builder.apply((at) => ({ kind: 'healthSeen', at, stream, market, healthy, reason: `${stream} failed` }));

const alarmTexts = () => builder.world.takeAlarms().map(({ name, reason }) => `${name}: ${reason}`);

const unhealthyStreams = () => [...builder.world.unhealthy()].map(({ stream, market }) => `${stream} ${market}`);

describe('a stream', () => {
  test('is unhealthy until it is reported as healthy again, each market separately', () => {
    health('book', false, 0);
    health('book', false, 1);
    health('account', false);
    expect(unhealthyStreams()).toEqual(['book 0', 'book 1', 'account undefined']);
    health('book', true, 0);
    health('account', true);
    expect(unhealthyStreams()).toEqual(['book 1']);
  });

  test('of accounts whose numbers went back raises an alarm at once, and none when they are right again', () => {
    health('numbering', false);
    expect(alarmTexts()).toEqual(['account-numbers: numbering failed']);
    health('numbering', true);
    expect(alarmTexts()).toEqual([]);
  });
});

const place = (id: string, market = 0) =>
  ({
    kind: 'place',
    clientOrderId: id,
    market,
    side: 'bid',
    price: BTC.restAt('bid', 59_000),
    size: lots(1),
    fillMode: 'LIMIT',
  }) as const;

describe('orders', () => {
  test('are shown as they are now, whatever was read before', () => {
    const { world } = new WorldBuilder([BTC, ETH]).account();
    expect([world.orders().length, world.orders(0).length, world.exposure(0).bids]).toEqual([0, 0, 0]);
    world.markSent([place('1'), place('2', 1)]);
    expect([world.orders().length, world.orders(0).length, world.exposure(0).bids]).toEqual([2, 1, 1]);
    world.apply({ kind: 'orderRejected', at: world.now, clientOrderId: '1', error: 'REFUSED' });
    expect([world.orders().length, world.orders(0).length, world.exposure(0).bids]).toEqual([1, 0, 0]);
    world.adopt({ orders: world.orders().map((order) => ({ ...order, clientOrderId: '3', market: 0 })), fills: [] });
    expect([world.orders().length, world.orders(0).length, world.exposure(0).bids]).toEqual([2, 1, 1]);
  });

  test('are counted by the time of sending', () => {
    const { world } = builder;
    const sentAt = world.now;
    world.markSent([place('1'), place('2')]);
    builder
      .after(999)
      .time(1)
      .sent([place('3')]);
    expect([world.placementsSince(sentAt - 1), world.placementsSince(sentAt), world.placementsSince(world.now)]).toEqual([3, 1, 0]);
    builder
      .after(59_000)
      .time(2)
      .sent([place('4')]);
    expect(world.placementsSince(world.now - 60_000)).toBe(2);
  });

  test('cancels are no placements', () => {
    builder.placed({ side: 'bid', price: 59_000, size: 1, id: '1' }).cancelling('1');
    expect(builder.world.placementsSince(0)).toBe(1);
  });
});

test('the first command to stop gives the reason', () => {
  expect(builder.world.stopping).toBeUndefined();
  for (const reason of ['enough', 'once more']) builder.apply((at) => ({ kind: 'command', at, command: 'stop', reason }));
  expect(builder.world.stopping).toBe('enough');
});
