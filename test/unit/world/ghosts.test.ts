// An order that was reported as gone and appears again is ours, and a person is alarmed. Also orders of others.

import { beforeEach, describe, expect, test } from 'vitest';
import type { Side } from '../../../src/bot/domain/book.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { modeWanted } from '../../../src/bot/risk/escalation.ts';
import { World } from '../../../src/bot/world/world.ts';
import { BTC, calmWorld, START, WorldBuilder } from '../world-builder.ts';
import { maker, taker } from './trades.ts';
import { changes, exposed, reported } from './world-lines.ts';

const heldBack = ({ holdback, now }: World, market: number, side: Side): string | undefined => holdback.reason({ market, side, now });

const BID = { side: 'bid', price: 59_000, size: 1, id: '1' } as const;
/** The order as the exchange lists it. */
const TERMS = { market: 0, side: 'bid', price: ticks(590_000), size: lots(10_000), originalSize: lots(10_000) } as const;
const NAMED = { ...TERMS, orderId: 'x', clientOrderId: '1' };
const NAMELESS = { ...TERMS, orderId: 'x' };
const NOW = START / 1000;
const DEAD = NOW + 63;

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 }).time(NOW).round();
});

const hidden = (id: string, side: 'bid' | 'ask') => ({ ...maker({ orderId: `exchange-${id}`, size: 1 }), side });
const alarms = (): string[] => builder.world.takeAlarms().map(({ name, reason }) => `${name}: ${reason}`);
const absent = (): WorldBuilder =>
  builder
    .pending(BID)
    .unknown('1', DEAD)
    .outlived(DEAD + 1)
    .lookedTwice({}, ['1']);

test('an account that was requested within the lag after a receipt does not prove the order gone', () => {
  builder.placed(BID).account({}, ['1']).after(2_000).account({}, ['1']).round();
  expect(changes(builder.world).at(-1)).toBe('1 open 1.0000');
  builder.after(2_000).account({}, ['1']).round();
  expect(changes(builder.world).at(-1)).toMatch(/^1 cancelled/);
});

describe('an order that was reported as rejected', () => {
  beforeEach(() => {
    builder.pending(BID).rejected('1', 'NOT_SENT');
  });

  test('is ours again if an account lists its client order id, at any time, and can be cancelled', () => {
    builder.time(NOW + 500).account({ others: [NAMED] });
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    expect(alarms()).toEqual(['ghost: order 1 is listed at the exchange, but was reported as rejected: NOT_SENT']);
    expect([builder.world.ghosts, builder.world.foreignOrders(0)]).toEqual([0, []]); // no proof was wrong
    builder.cancelling('1').cancelAnswered('1', 'cancelled').account({}, ['1']).round();
    expect(changes(builder.world).at(-1)).toBe('1 cancelled 1.0000: cancelled by us');
  });

  test('is matched by its terms if accounts list no client order ids, while the request could still execute', () => {
    builder.account({ others: [NAMELESS] });
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    expect(builder.world.ghosts).toBe(0);
  });

  test('is not matched by its terms if accounts list client order ids: the order belongs to another bot, and is not touched', () => {
    builder.placed({ ...BID, price: 58_000, id: '2' }).account();
    builder.account({ others: [NAMELESS] });
    expect(reported(builder.world)).toEqual(['2 open 1.0000']);
    expect(builder.world.foreignOrders(0)).toMatchObject([{ orderId: 'x' }]);
  });

  test('is not matched by its terms beside another refused order that the same account lists by its id', () => {
    builder.pending({ ...BID, price: 58_000, id: '2' }).rejected('2', 'NOT_SENT');
    builder.account({ others: [{ ...NAMED, orderId: 'y', clientOrderId: '2', price: ticks(580_000) }, NAMELESS] });
    expect(reported(builder.world)).toEqual(['2 open 1.0000']);
    expect(builder.world.foreignOrders(0)).toMatchObject([{ orderId: 'x' }]);
  });

  test('is not matched by its terms after its request has expired, nor with an order that existed before', () => {
    builder.outlived(DEAD + 1).account({ others: [NAMELESS] });
    expect([reported(builder.world), builder.world.ghosts]).toEqual([[], 0]);
    expect(builder.world.foreignOrders(0)).toMatchObject([{ orderId: 'x' }]);
  });

  test('is ours again after a late receipt, which counts at once', () => {
    builder.apply((at) => ({
      kind: 'orderOpened',
      at,
      clientOrderId: '1',
      actionId: '50',
      orderId: 'x',
      taken: [],
      resting: lots(10_000),
    }));
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    expect(exposed(builder.world.exposure(0))).toBe('0.0..0.0 bids 1.0 asks 0.0');
    expect(alarms()).toEqual(['ghost: order 1 is accepted at the exchange, but was reported as rejected: NOT_SENT']);
  });
});

test('an unknown order is not matched by its terms beside a refused order that the same account lists by its id', () => {
  builder.pending({ ...BID, price: 58_000, id: '2' }).rejected('2', 'NOT_SENT');
  builder.pending(BID).unknown('1', DEAD);
  builder.account({ others: [{ ...NAMED, orderId: 'y', clientOrderId: '2', price: ticks(580_000) }, NAMELESS] }, ['1']);
  expect(reported(builder.world)).toEqual(['1 unknown 1.0000', '2 open 1.0000']);
  expect(builder.world.foreignOrders(0)).toMatchObject([{ orderId: 'x' }]);
});

test('an unknown order is not proved absent by accounts before and after a jump of the clock', () => {
  builder
    .pending(BID)
    .unknown('1', DEAD)
    .outlived(DEAD + 1)
    .account({}, ['1'])
    .after(3_600_000)
    .apply((at) => ({ kind: 'clockJumped', at, by: 3_600_000 }))
    .account({}, ['1'])
    .round();
  expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
  builder.after(2_000).account({}, ['1']).round();
  expect(reported(builder.world)).toEqual([]);
});

describe('an order that an account has listed', () => {
  test('by its id exists: a late refusal refers to a copy of its request, and nothing is held back', () => {
    builder
      .pending(BID)
      .account({ others: [NAMED] }, ['1'])
      .rejected('1', 'SESSION_NOT_FOUND');
    expect([reported(builder.world), heldBack(builder.world, 0, 'bid')]).toEqual([['1 open 1.0000'], undefined]);
    builder.cancelling('1').rejected('1', 'TIMESTAMP_OUT_OF_THRESHOLD').cancelAnswered('1', 'cancelled').account({}, ['1']).round();
    expect(changes(builder.world).at(-1)).toBe('1 cancelled 1.0000: cancelled by us');
  });

  test('by its terms only was another order, as a refusal shows', () => {
    builder
      .pending(BID)
      .account({ others: [NAMELESS] }, ['1'])
      .rejected('1', 'SESSION_NOT_FOUND');
    expect([reported(builder.world), heldBack(builder.world, 0, 'bid')]).toEqual([[], 'SESSION_NOT_FOUND']);
  });
});

describe('an order that is gone, while it is not known yet how it ended', () => {
  const listed = { ...NAMED, orderId: 'exchange-1' };
  beforeEach(() => {
    // The position is unexplained: a fill of ours may be missing.
    builder.placed(BID).account().cancelling('1').cancelAnswered('1', 'cancelled').account({ position: 0.4 }, ['1']).round();
    changes(builder.world);
  });

  test('is ours again if a new account lists it: the exchange was rolled back to before its end', () => {
    builder.after(2_000).account({ others: [listed] });
    expect([reported(builder.world), builder.world.foreignOrders(0), exposed(builder.world.exposure(0))]).toEqual([
      ['1 open 1.0000'],
      [],
      '0.4..0.4 bids 1.0 asks 0.0',
    ]);
    expect(alarms()).toEqual(['ghost: order 1 is listed at the exchange, but was reported as gone']);
    expect(modeWanted(builder.world)?.mode).toBe('close-only');
    builder.round().after(60_000).round();
    expect(changes(builder.world)).toEqual(['1 open 1.0000']);
    builder.lookedTwice({ position: 0 }, ['1']);
    expect(changes(builder.world)).toEqual(['1 cancelled 1.0000: gone from the book without our cancel']); // that cancel was undone
  });

  test('stays gone if an old account lists it', () => {
    builder
      .after(2_000)
      .account({ still: true, others: [listed] })
      .account({ asked: START, others: [listed] });
    expect([reported(builder.world), builder.world.foreignOrders(0)]).toEqual([[], []]);
  });

  test('stays gone if its fills are complete', () => {
    builder
      .round([maker({ orderId: 'exchange-1', size: 1 })], START)
      .after(2_000)
      .account({ others: [listed] });
    expect(reported(builder.world)).toEqual([]);
  });
});

describe('an order that was reported as never in the book', () => {
  beforeEach(() => {
    absent();
    changes(builder.world);
  });

  test('is ours again by a fill that names it, which is counted', () => {
    builder.round([{ ...maker({ orderId: 'x', size: 0.4 }), clientOrderId: '1' }]);
    expect(reported(builder.world)).toEqual(['1 unknown 0.6000']);
    expect(alarms()).toEqual(['ghost: order 1 is filled at the exchange, but was reported as cancelled: never reached the book']);
    builder.lookedTwice({ position: 0.4 }, ['1']);
    expect(changes(builder.world)).toEqual(['1 cancelled 0.6000: gone from the book without our cancel']);
  });

  test('may have been filled whole', () => {
    builder.round([{ ...maker({ orderId: 'x', size: 1 }), clientOrderId: '1' }]);
    expect(changes(builder.world)).toEqual(['1 filled 0.0000']);
    expect(builder.world.ghosts).toBe(1);
  });

  test('is reported once', () => {
    builder.account({ others: [NAMED] }).account();
    expect(alarms()).toHaveLength(1);
  });
});

describe('an order that was cancelled', () => {
  beforeEach(() => {
    builder.placed(BID).account().cancelling('1').cancelAnswered('1', 'cancelled').account({}, ['1']).round();
  });
  const listed = { ...NAMED, orderId: 'exchange-1' };

  test('is neither a ghost nor a foreign order if an old account lists it', () => {
    builder.account({ still: true, others: [listed] }).account({ asked: START, others: [listed] });
    expect([builder.world.ghosts, reported(builder.world), builder.world.foreignOrders(0), alarms()]).toEqual([0, [], [], []]);
  });

  test('is a ghost if a new account lists it', () => {
    builder.after(2_000).account({ others: [listed] });
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    expect(alarms()).toEqual(['ghost: order 1 is listed at the exchange, but was reported as cancelled: cancelled by us']);
    expect(modeWanted(builder.world)?.mode).toBe('close-only');
  });

  test('gets its late fills without an alarm', () => {
    builder.round([maker({ orderId: 'exchange-1', size: 0.4 })]);
    expect(builder.world.fills()).toMatchObject([{ clientOrderId: '1' }]);
    expect(alarms()).toEqual([]);
  });
});

test('that accounts did not list, and that an account lists again, is a ghost and leads to close-only', () => {
  builder
    .placed(BID)
    .account()
    .after(2_000)
    .lookedTwice({}, ['1'])
    .after(2_000)
    .account({ others: [{ ...NAMED, orderId: 'exchange-1' }] });
  expect(reported(builder.world)).toEqual(['1 open 1.0000']);
  expect(alarms()).toEqual([
    'ghost: order 1 is listed at the exchange, but was reported as cancelled: gone from the book without our cancel',
  ]);
  expect(modeWanted(builder.world)?.mode).toBe('close-only');
});

describe('an order that was filled', () => {
  beforeEach(() => {
    builder.placed(BID).account();
    builder.account({ position: 1 }, ['1']).round([maker({ orderId: 'exchange-1', size: 1 })]);
    changes(builder.world);
  });
  const listed = { ...NAMED, orderId: 'exchange-1' };

  test('is no ghost if an old account lists it', () => {
    builder.account({ still: true, position: 1, others: [listed] }).account({ asked: START, position: 1, others: [listed] });
    expect([reported(builder.world), alarms()]).toEqual([[], []]);
  });

  test('rests again if the exchange forgot its fill or executed the request twice: it is ours, and counts in full', () => {
    builder.after(2_000).account({ position: 1, others: [listed] });
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    expect(exposed(builder.world.exposure(0))).toBe('1.0..1.0 bids 1.0 asks 0.0');
    expect(alarms()).toEqual(['ghost: order 1 is listed at the exchange, but was reported as filled']);
    expect(modeWanted(builder.world)?.mode).toBe('close-only');
    builder.cancelling('1').cancelAnswered('1', 'cancelled').account({ position: 1 }, ['1']).round();
    expect(changes(builder.world)).toEqual(['1 open 1.0000', '1 filled 0.0000']); // reported once
  });
});

describe('while the list of our trades hides fills', () => {
  const ASK = { side: 'ask', price: 61_000, size: 1, id: '2' } as const;

  /** The bid fills, then the ask: both are gone, and the position is as before. Neither fill is listed. */
  function bothFilledUnlisted({ isReadBetween = true } = {}): void {
    builder.placed(BID).placed(ASK).account().after(2_000);
    builder.account({ position: 1 }, ['1']).after(2_000).account({ position: 1 }, ['1']);
    if (isReadBetween) builder.round();
    builder.after(2_000).lookedTwice({ position: 0 }, ['1', '2']);
  }

  test.each([
    ['', true],
    [', also if no list could be read in between', false],
  ])('orders that are gone are not reported as cancelled only because two hidden fills cancel each other out%s', (_, isReadBetween) => {
    bothFilledUnlisted({ isReadBetween });
    builder.after(60_000).lookedTwice({ position: 0 });
    expect(changes(builder.world).filter((change) => change.includes('cancelled'))).toEqual([]);
    builder.round([hidden('1', 'bid'), hidden('2', 'ask')]);
    expect(changes(builder.world).slice(-2)).toEqual(['1 filled 0.0000', '2 filled 0.0000']);
    expect([alarms().filter((alarm) => alarm.startsWith('ghost')), modeWanted(builder.world)]).toEqual([[], undefined]);
  });

  test('a fill that is listed after all that time corrects the report with an alarm, and does not end trading', () => {
    bothFilledUnlisted();
    builder.after(150_000).lookedTwice({ position: 0 });
    expect(changes(builder.world).at(-1)).toBe('2 cancelled 1.0000: gone from the book without our cancel');
    builder.round([hidden('1', 'bid'), hidden('2', 'ask')]);
    expect(changes(builder.world).slice(-2)).toEqual(['1 filled 0.0000', '2 filled 0.0000']);
    expect(alarms().filter((alarm) => alarm.startsWith('ghost'))).toHaveLength(2);
    expect([builder.world.ghosts, modeWanted(builder.world)]).toEqual([0, undefined]);
  });
});

test('an order that an earlier process ended is a ghost to this process', () => {
  builder = new WorldBuilder();
  const order = {
    ...TERMS,
    clientOrderId: '1',
    remaining: TERMS.size,
    fillMode: 'LIMIT',
    status: 'pending',
    sentAt: 0,
    touchedAt: 0,
  } as const;
  builder.world.adopt({ orders: [], fills: [], ended: [{ order, reportedAs: 'rejected: NOT_SENT', neverPlaced: true, at: 0 }] });
  builder.account({ others: [NAMED] });
  expect([reported(builder.world), builder.world.ghosts]).toEqual([['1 open 1.0000'], 0]);
});

describe('others on the account', () => {
  const THEIRS = { ...TERMS, orderId: 'theirs', clientOrderId: '900' };

  test('that rest before the run are counted without an alarm', () => {
    builder = new WorldBuilder().account({ others: [THEIRS] }).account({ others: [THEIRS] });
    expect([builder.world.foreignOrders(0).length, alarms()]).toEqual([1, []]);
  });

  test('that appear later are counted, and reported once per market', () => {
    builder.account({ others: [THEIRS] }).account({ others: [{ ...THEIRS, orderId: 'theirs too' }] });
    expect(builder.world.foreignOrders(0)).toMatchObject([{ orderId: 'theirs too' }]);
    expect(alarms()).toEqual(['company: order theirs is not ours: another bot or a person uses this account']);
  });

  test('that trade are reported as soon as no order of ours can have made the trade', () => {
    builder.round([taker({ actionId: '50', size: 0.1 })]);
    expect(alarms()).toEqual([expect.stringMatching(/^company: trade \d+ was made by no order of ours: another bot or a person/)]);
  });

  test('cause no alarm while a trade may be ours', () => {
    builder.pending({ ...BID, fillMode: 'LIMIT' }).round([taker({ actionId: '50', size: 0.1 })]);
    expect(alarms()).toEqual([]);
    builder.rejected('1').round();
    expect(alarms()).toEqual([expect.stringContaining('company')]);
  });

  test('are reported by a later process if the one that received their trade could not decide', () => {
    const order = {
      ...TERMS,
      clientOrderId: '1',
      remaining: TERMS.size,
      fillMode: 'LIMIT',
      status: 'unknown',
      sentAt: START,
      touchedAt: START,
    } as const;
    const restarted = (fillPrice: number) => {
      builder = new WorldBuilder();
      const fill = { ...maker({ orderId: 'y', size: 0.4 }), price: ticks(fillPrice), time: START };
      builder.world.adopt({ orders: [order], fills: [fill], ended: [] });
      return builder.round();
    };
    restarted(590_000);
    expect(alarms()).toEqual([]); // order 1 may be y
    builder.account({ others: [NAMED] }).round();
    expect([reported(builder.world), alarms()]).toEqual([
      ['1 open 1.0000'],
      [expect.stringMatching(/^company: trade \d+ was made by no order/)],
    ]);
    restarted(580_000)
      .account({ others: [NAMED] })
      .round();
    expect(alarms()).toEqual([]); // the earlier process has reported it
  });

  test('become ours if that was requested', () => {
    let ids = 500;
    const world = new World([BTC], { adoptForeign: () => String(ids++) });
    const seen = builder.account({ others: [THEIRS] }).world.account!.value;
    const account = (at: number, orders: readonly object[]) =>
      world.apply({ kind: 'accountSeen', at, asked: at, account: { ...seen, updateId: String(at), orders: orders as never } });
    account(START, [{ ...THEIRS, size: lots(4_000) }]);
    expect(world.orders()).toMatchObject([{ clientOrderId: '500', orderId: 'theirs', status: 'open', remaining: 4_000, price: 590_000 }]);
    expect(changes(world)).toEqual(['500 open 0.4000']);
  });

  test('are not filled further by an older trade that is read later', () => {
    const world = new World([BTC], { adoptForeign: () => '500' });
    const account = { ...builder.account().world.account!.value, orders: [{ ...THEIRS, size: lots(4_000) }] };
    world.apply({ kind: 'accountSeen', at: START, asked: START, account });
    const earlier = { ...maker({ orderId: 'theirs', size: 0.6 }), time: START };
    world.apply({ kind: 'fillsSeen', at: START + 1, asked: START, fills: [earlier] });
    expect(world.orders()).toMatchObject([{ clientOrderId: '500', size: 10_000, remaining: 4_000 }]);
    expect(world.exposure(0).bids).toBe(4_000);
  });
});

test('count until an account lacks them, also if that account equals the one before', () => {
  const theirs = { ...TERMS, orderId: 'y', price: ticks(580_000), clientOrderId: '77' };
  builder.account().account({ others: [theirs] });
  expect([builder.world.foreignOrders(0).length, builder.world.exposure(0).bids]).toEqual([1, 10_000]);
  builder.account();
  expect([builder.world.foreignOrders(0), builder.world.exposure(0).bids]).toEqual([[], 0]);
});
