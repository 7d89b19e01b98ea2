// The life of an order, one piece of evidence at a time.
import { beforeEach, describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { LAG } from '../../../src/bot/world/orders/proof.ts';
import { calmWorld, START, type WorldBuilder } from '../world-builder.ts';
import { maker, taker } from './trades.ts';
import { changes, reported } from './world-lines.ts';

const BID = { side: 'bid', price: 59_000, size: 1, id: '1' } as const;
/** The order as the exchange lists it. */
const TERMS = { market: 0, side: 'bid', price: ticks(590_000), size: lots(10_000), originalSize: lots(10_000) } as const;
const NOW = START / 1000;

let builder: WorldBuilder;
const jump = (by: number): WorldBuilder => builder.after(by).apply((at) => ({ kind: 'clockJumped', at, by }));
/** An order that cannot rest; its receipt reports these fills, or none. */
const ioc = (taken: readonly { price: number; size: number }[]): WorldBuilder =>
  builder.pending({ ...BID, fillMode: 'IMMEDIATE_OR_CANCEL' }).apply((at) => ({
    kind: 'orderOpened',
    at,
    clientOrderId: '1',
    actionId: '50',
    taken: taken.map(({ price, size }) => ({ price: ticks(price), size: lots(size) })),
  }));

beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 }).round();
});

describe('an order that was sent', () => {
  beforeEach(() => {
    builder.pending(BID);
  });

  test('is pending, and no account proves it gone', () => {
    expect(changes(builder.world)).toEqual(['1 placed 1.0000']);
    builder.account({}, ['1']).account({}, ['1']);
    expect(reported(builder.world)).toEqual(['1 pending 1.0000']);
    expect(builder.world.settled).toBe(false);
  });

  test('is open after its receipt', () => {
    builder.opened('1');
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    expect(builder.world.orders()).toMatchObject([{ orderId: 'exchange-1' }]);
    expect(changes(builder.world)).toEqual(['1 placed 1.0000', '1 open 1.0000']);
  });

  test('is unchanged while accounts show nothing new about it, and has the values that they show', () => {
    builder.opened('1').account();
    const [seen] = builder.world.orders();
    builder.account();
    expect(builder.world.orders()[0]).toBe(seen);
    expect(seen?.accountThen).toBeUndefined();
    const resting = { orderId: 'exchange-1', market: 0, side: 'bid', price: 590_000, size: 4_000, originalSize: 10_000 } as never;
    builder.account({ others: [resting] }, ['1']);
    expect(reported(builder.world)).toEqual(['1 open 0.4000']);
  });

  test('is at the exchange as of the newest account that lists it, also if that shows nothing new', () => {
    builder.opened('1').account().account();
    const asked = builder.world.now + 5;
    builder.after(10).account().account({ asked }, ['1']);
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    builder.lookedTwice({}, ['1']);
    expect(reported(builder.world)).toEqual([]);
  });

  test('is open with the remaining size of its receipt', () => {
    builder.opened('1', { taken: [[58_990, 0.4]], resting: 0.6 });
    expect(reported(builder.world)).toEqual(['1 open 0.6000']);
  });

  test('is gone if nothing of it rests; the next poll of fills shows that it was filled', () => {
    builder.opened('1', { actionId: '50', taken: [[58_990, 1]], resting: 0 });
    expect(reported(builder.world)).toEqual([]);
    expect(builder.world.settled).toBe(false);
    builder.round([taker({ actionId: '50', size: 1 })]);
    expect(changes(builder.world).at(-1)).toBe('1 filled 0.0000');
    expect(builder.world.fills()).toMatchObject([{ clientOrderId: '1' }]);
    expect(builder.world.settled).toBe(true);
  });

  test('was cut short by the exchange if less than all was filled and nothing rests', () => {
    builder.opened('1', { actionId: '50', taken: [[58_990, 0.4]], resting: 0 }).round([taker({ actionId: '50', size: 0.4 })]);
    expect(changes(builder.world).at(-1)).toBe('1 cancelled 0.6000: gone from the book without our cancel');
  });

  test('waits for a poll that was requested after it was gone', () => {
    builder.after(100).opened('1', { actionId: '50', taken: [[58_990, 1]], resting: 0 });
    builder.round([], START + 50);
    expect(builder.world.settled).toBe(false);
    builder.round([taker({ actionId: '50', size: 1 })]);
    expect(builder.world.settled).toBe(true);
  });

  test('is removed when it is rejected', () => {
    builder.rejected('1', 'INSUFFICIENT_FUNDS');
    expect(reported(builder.world)).toEqual([]);
    expect(changes(builder.world).at(-1)).toBe('1 rejected 1.0000: INSUFFICIENT_FUNDS');
    expect(builder.world.settled).toBe(true);
  });

  test('with a bare receipt is open without an order id until the account shows it', () => {
    builder.openedBare('1');
    expect(builder.world.orders()).toMatchObject([{ status: 'open', orderId: undefined }]);
    builder.account();
    expect(builder.world.orders()).toMatchObject([{ status: 'open', orderId: 'exchange-1' }]);
    expect(changes(builder.world)).toEqual(['1 placed 1.0000', '1 open 1.0000', '1 open 1.0000']); // a second time, with the id
  });

  test('with a bare receipt is gone if later accounts lack it', () => {
    builder.openedBare('1').after(LAG).lookedTwice({}, ['1']);
    expect(changes(builder.world).at(-1)).toBe('1 cancelled 1.0000: gone from the book without our cancel');
  });
});

test('with a bare receipt that cannot rest is gone at once; its trades show its fills, and an account shows that there are no more', () => {
  builder.pending({ ...BID, fillMode: 'IMMEDIATE_OR_CANCEL' }).apply((at) => ({
    kind: 'orderOpened',
    at,
    clientOrderId: '1',
    actionId: '50',
    taken: [],
  }));
  expect(reported(builder.world)).toEqual([]);
  builder.round([taker({ actionId: '50', size: 0.4 })]);
  expect(changes(builder.world)).toEqual(['1 placed 1.0000']);
  builder.account({ position: 0.4 }).round();
  expect(changes(builder.world)).toEqual(['1 cancelled 0.6000: gone from the book without our cancel']);
});

describe('a clock that jumps', () => {
  test('does not let accounts before and after it prove an open order gone', () => {
    builder.pending(BID).opened('1').account().after(LAG).account({}, ['1']);
    jump(3_600_000);
    builder.account({}, ['1']).round();
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    builder.after(LAG).account({}, ['1']).round();
    expect(reported(builder.world)).toEqual([]);
  });

  test('does not end the wait for fills that a receipt reports', () => {
    ioc([{ price: 589_900, size: 10_000 }]);
    jump(3_600_000);
    builder.account().round();
    expect(changes(builder.world)).toEqual(['1 placed 1.0000']);
    builder.after(60_000).account().round();
    expect(changes(builder.world)).toEqual(['1 cancelled 1.0000: gone from the book without our cancel']);
  });
});

describe('a trade list that lags by more than is assumed', () => {
  test('ends no order before it lists the fills of its receipt', () => {
    ioc([{ price: 589_900, size: 10_000 }])
      .after(1_500)
      .round();
    expect(changes(builder.world)).toEqual(['1 placed 1.0000']);
    builder.round([taker({ actionId: '50', size: 1 })]);
    expect(changes(builder.world)).toEqual(['1 filled 0.0000']);
  });

  test('ends no order whose receipt reports no fills while an account shows some', () => {
    ioc([]).after(1_500).round();
    expect(changes(builder.world)).toEqual(['1 placed 1.0000']);
    builder.account({ position: 1 }).round();
    expect(changes(builder.world)).toEqual([]);
    builder.round([taker({ actionId: '50', size: 1 })]);
    expect(changes(builder.world)).toEqual(['1 filled 0.0000']);
  });

  test('ends no cancelled order while the account that lacks it shows unlisted fills', () => {
    builder
      .pending(BID)
      .opened('1')
      .account()
      .cancelling('1')
      .apply((at) => ({ kind: 'cancelAnswered', at, clientOrderId: '1', outcome: 'cancelled' }));
    builder.after(50).account({ position: 0.4 }, ['1']);
    expect(reported(builder.world)).toEqual([]);
    builder.round();
    expect(changes(builder.world)).toEqual(['1 placed 1.0000', '1 open 1.0000']);
    builder
      .round([maker({ orderId: 'exchange-1', size: 0.4 })])
      .account({ position: 0.4 })
      .round();
    expect(changes(builder.world)).toEqual(['1 cancelled 0.6000: cancelled by us']);
  });

  test('delays an order by at most a minute', () => {
    ioc([{ price: 589_900, size: 10_000 }])
      .after(60_000)
      .round();
    expect(changes(builder.world).at(-1)).toBe('1 cancelled 1.0000: gone from the book without our cancel');
  });
});

describe('an order that the account shows before its receipt', () => {
  beforeEach(() => {
    builder.pending(BID).account();
  });

  test('is open', () => {
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    expect(changes(builder.world)).toEqual(['1 placed 1.0000', '1 open 1.0000']);
  });

  test('keeps what the account showed, because the receipt is older', () => {
    builder.filled('1', 0.3).account().opened('1', { resting: 1 });
    expect(reported(builder.world)).toEqual(['1 open 0.7000']);
    expect(changes(builder.world).filter((line) => line.includes('open'))).toEqual(['1 open 1.0000']);
  });

  test('stays open when the wait for its answer ends', () => {
    builder.unknown('1', NOW + 63);
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
  });
});

describe('a receipt that comes after the account and the fills', () => {
  test('matches the fill of a filled order by its action', () => {
    builder.pending(BID).account({ position: 1 }, ['1']);
    builder.round([taker({ actionId: '50', size: 1 })]);
    expect(builder.world.fills().map(({ clientOrderId }) => clientOrderId)).toEqual([undefined]);
    builder.opened('1', { actionId: '50', taken: [[58_990, 1]], resting: 0 }).round();
    expect(changes(builder.world).at(-1)).toBe('1 filled 0.0000');
  });

  test('matches a maker fill by its order id', () => {
    builder.pending(BID).round([maker({ orderId: 'exchange-1', size: 0.4 })]);
    builder.opened('1');
    expect(reported(builder.world)).toEqual(['1 open 0.6000']);
    builder.account({ position: 1 }, ['1']).round([maker({ orderId: 'exchange-1', size: 0.6 })]);
    expect(changes(builder.world).at(-1)).toBe('1 filled 0.0000');
  });
});

describe('an open order', () => {
  beforeEach(() => {
    builder.placed(BID);
    changes(builder.world);
  });

  test('can be filled in parts', () => {
    builder.filled('1', 0.25);
    expect(reported(builder.world)).toEqual(['1 open 0.7500']);
    builder.filled('1', 0.25).account({ position: 0.5 });
    expect(reported(builder.world)).toEqual(['1 open 0.5000']);
    expect(changes(builder.world)).toEqual([]);
  });

  test('has at most the size that its fills leave, even in an account that was requested before them', () => {
    builder.after(100);
    builder.filled('1', 0.25).account({ asked: START + 50, others: [{ ...TERMS, orderId: 'exchange-1', clientOrderId: '1' }] }, ['1']);
    expect(reported(builder.world)).toEqual(['1 open 0.7500']);
  });

  test('is gone if two accounts lack it that were requested late enough after its receipt, and changed since it was sent', () => {
    builder.account({}, ['1']);
    expect(reported(builder.world)).toEqual(['1 open 1.0000']); // it may lag behind the receipt
    builder.after(LAG).account({}, ['1']).after(LAG).account({}, ['1']);
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    builder.round();
    expect(reported(builder.world)).toEqual([]);
    expect(changes(builder.world)).toEqual(['1 cancelled 1.0000: gone from the book without our cancel']);
  });

  test('is not gone by an account that was requested before its receipt', () => {
    builder.account({ asked: START }, ['1']);
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
  });

  test('is not gone by that account shown again, which is stale', () => {
    builder.account({ asked: START }, ['1']).account({ still: true }, ['1']);
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    expect(builder.world.accountFault?.reason).toMatch(/is stuck/);
    builder.after(LAG).lookedTwice({}, ['1']);
    expect(reported(builder.world)).toEqual([]);
  });

  test('is gone if its fills add up to it, whatever the account shows', () => {
    builder.filled('1', 0.75).filled('1', 0.25);
    expect(changes(builder.world)).toEqual(['1 filled 0.0000']);
    builder.account({ still: true, position: 1 });
    expect(reported(builder.world)).toEqual([]);
    expect(builder.world.settled).toBe(true);
  });

  test('is not gone by an account that does not change, and that account is stale', () => {
    builder.account({ still: true }, ['1']);
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
    expect(builder.world.accountFault?.reason).toMatch(/is stuck .* although order 1 was accepted or cancelled/);
    builder.account();
    expect(builder.world.accountFault).toBeUndefined();
  });

  test('may be gone by an account that changed once and does not change now', () => {
    builder.account().account({}, ['1']).account({ still: true }, ['1']).after(LAG).account({ still: true }, ['1']).round();
    expect(reported(builder.world)).toEqual([]);
    expect(builder.world.accountFault).toBeUndefined();
  });

  test('is settled by a poll that was requested after the account which lacked it had come', () => {
    builder.after(100);
    const before = START + 50;
    builder.account({ asked: START + 40 }, ['1']).round([], before);
    expect(builder.world.settled).toBe(false);
    builder.round([maker({ orderId: 'exchange-1', size: 1 })]);
    expect(changes(builder.world)).toEqual(['1 filled 0.0000']);
  });

  test('with two fills in one poll is filled by both', () => {
    builder
      .account({ position: 1 }, ['1'])
      .round([maker({ orderId: 'exchange-1', size: 0.4 }), maker({ orderId: 'exchange-1', size: 0.6 })]);
    expect(changes(builder.world)).toEqual(['1 filled 0.0000']);
  });

  test('is filled once by a trade that is reported twice', () => {
    const fill = maker({ orderId: 'exchange-1', size: 0.4 });
    builder.round([fill]).round([fill]);
    expect(reported(builder.world)).toEqual(['1 open 0.6000']);
  });
});

describe('an order without a definite answer', () => {
  const DEAD = NOW + 63;
  beforeEach(() => {
    builder.time(NOW).pending(BID).unknown('1', DEAD);
  });

  test('is unknown', () => {
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
    expect(changes(builder.world).at(-1)).toBe('1 unknown 1.0000: no answer within 3 s');
  });

  test('is open after an account lists it', () => {
    builder.account();
    expect(builder.world.orders()).toMatchObject([{ status: 'open', orderId: 'exchange-1', deadAfter: undefined }]);
  });

  test('is open after an account lists its client order id, even with an order id of an earlier order, because an exchange that was rolled back reuses its ids', () => {
    builder.placed({ side: 'bid', price: 58_000, size: 1, id: '2' });
    const resting = { orderId: 'exchange-2', clientOrderId: '1', market: 0, side: 'bid', price: ticks(590_000) } as const;
    builder.account({ others: [{ ...resting, size: lots(10_000), originalSize: lots(10_000) }] }, ['1', '2']);
    expect(builder.world.orders().find(({ clientOrderId }) => clientOrderId === '1')).toMatchObject({
      status: 'open',
      orderId: 'exchange-2',
    });
  });

  test('becomes what a late receipt says', () => {
    builder.opened('1');
    expect(reported(builder.world)).toEqual(['1 open 1.0000']);
  });

  test('can be rejected late', () => {
    builder.rejected('1');
    expect(reported(builder.world)).toEqual([]);
  });

  test('stays while its request could still execute', () => {
    builder.account({}, ['1']).time(DEAD).account({}, ['1']);
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
  });

  test('stays if the account was requested before its request was known to have expired', () => {
    builder
      .after(100)
      .outlived(DEAD + 1)
      .account({ asked: START + 100 }, ['1']);
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
  });

  test('is absent if two accounts lack it that were requested after its request expired, and a poll reports no trade of it', () => {
    builder
      .outlived(DEAD + 1)
      .account({}, ['1'])
      .round();
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
    builder.after(1_900).account({}, ['1']).round();
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
    builder.after(100).account({}, ['1']);
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
    builder.round();
    expect(changes(builder.world).at(-1)).toBe('1 cancelled 1.0000: never reached the book');
    expect(builder.world.settled).toBe(true);
  });

  test('is not absent by a time of the exchange that is ahead: its request lives as long by our clock too', () => {
    builder
      .after(3_000)
      .time(DEAD + 1)
      .lookedTwice({}, ['1']);
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
    builder.after(57_000).lookedTwice({}, ['1']);
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
    builder.lookedTwice({}, ['1']);
    expect(changes(builder.world).at(-1)).toBe('1 cancelled 1.0000: never reached the book');
  });

  test('is absent sooner if its request was signed with a time in the past', () => {
    builder
      .rejected('1')
      .pending({ ...BID, id: '2' })
      .apply((at) => ({
        kind: 'orderUnknown',
        at,
        clientOrderId: '2',
        reason: 'no answer',
        deadAfter: NOW + 18,
        life: 18_000,
      }));
    builder
      .time(NOW + 19)
      .after(17_000)
      .lookedTwice({}, ['2']);
    expect(reported(builder.world)).toEqual(['2 unknown 1.0000']);
    builder.lookedTwice({}, ['2']);
    expect(reported(builder.world)).toEqual([]);
  });

  test('is not absent by a jump of our clock, whether the machine slept or its clock was set', () => {
    builder.after(1_000).timer();
    jump(3_600_000)
      .time(DEAD + 1)
      .lookedTwice({}, ['1']);
    jump(100_000).lookedTwice({}, ['1']);
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
    builder.after(57_000).lookedTwice({}, ['1']);
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
    builder.lookedTwice({}, ['1']);
    expect(reported(builder.world)).toEqual([]);
  });

  test('is not absent by a poll that was requested before the second account came', () => {
    builder.round();
    builder
      .outlived(DEAD + 1)
      .account({}, ['1'])
      .after(2_000);
    const before = builder.world.now;
    builder.account({}, ['1']).round([], before);
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
    builder.round();
    expect(reported(builder.world)).toEqual([]);
  });

  test('is not absent while our fills do not explain the position', () => {
    builder
      .round()
      .outlived(DEAD + 1)
      .lookedTwice({ position: 1 }, ['1']);
    expect(reported(builder.world)).toEqual(['1 unknown 1.0000']);
    builder
      .round([maker({ orderId: 'exchange-1', size: 1 })])
      .account({}, ['1'])
      .round();
    expect(changes(builder.world).at(-1)).toBe('1 filled 0.0000');
  });

  test('was filled if a trade shows it that no other order of ours can have made', () => {
    builder.pending({ ...BID, id: '2', fillMode: 'LIMIT' }).unknown('2', DEAD);
    builder.round([taker({ actionId: '50', size: 1 })]);
    builder.outlived(DEAD + 1).lookedTwice({ position: 1 }, ['1', '2']);
    expect(changes(builder.world).slice(-2)).toEqual(['1 cancelled 1.0000: never reached the book', '2 filled 0.0000']);
  });

  test('was not filled by what was taken after its request had expired, if a later order of ours could take it', () => {
    builder
      .pending({ ...BID, id: '2', size: 3, fillMode: 'LIMIT' })
      .unknown('2', DEAD)
      .outlived(DEAD + 1);
    builder.pending({ ...BID, id: '3', fillMode: 'LIMIT' }).unknown('3', DEAD + 64);
    builder.round([taker({ actionId: '50', size: 1 })]).lookedTwice({ position: 1 }, ['1', '2', '3']);
    expect(changes(builder.world).at(-1)).toBe('2 cancelled 3.0000: never reached the book');
    builder.outlived(DEAD + 65).lookedTwice({ position: 1 }, ['1', '2', '3']);
    expect(changes(builder.world).at(-1)).toBe('3 filled 0.0000');
  });

  test('was filled by what was taken after its request had expired, if no other order of ours could take it', () => {
    builder
      .pending({ ...BID, id: '2', size: 3, fillMode: 'LIMIT' })
      .unknown('2', DEAD)
      .outlived(DEAD + 1);
    builder.round([taker({ actionId: '50', size: 1 })]).lookedTwice({ position: 1 }, ['1', '2']);
    expect(changes(builder.world).at(-1)).toBe('2 cancelled 2.0000: gone from the book without our cancel');
  });

  test('was not filled by trades of several actions, or of orders that are known to be foreign', () => {
    builder.pending({ ...BID, id: '2', fillMode: 'LIMIT' }).unknown('2', DEAD);
    builder.round([taker({ actionId: '50', size: 0.4 }), taker({ actionId: '51', size: 0.4 }), taker({ actionId: '50', size: 0.2 })]);
    builder.outlived(DEAD + 1).lookedTwice({ position: 1 }, ['1', '2']);
    expect(changes(builder.world).at(-1)).toBe('2 cancelled 0.4000: gone from the book without our cancel');
  });

  test('has no maker fills if it only takes, and no taker fills if it only makes', () => {
    builder.pending({ ...BID, id: '2', fillMode: 'IMMEDIATE_OR_CANCEL' }).unknown('2', DEAD);
    builder.round([maker({ orderId: 'x', size: 1 })]);
    builder.outlived(DEAD + 1).lookedTwice({ position: 1 }, ['1', '2']);
    expect(changes(builder.world).slice(-2)).toEqual(['1 filled 0.0000', '2 cancelled 1.0000: never reached the book']);
  });

  test('that an account lists keeps its immediate fills, although no receipt named its action', () => {
    builder.pending({ ...BID, id: '2', fillMode: 'LIMIT' }).unknown('2', DEAD);
    builder.round([taker({ actionId: '50', size: 0.4 })]).account({ position: 0.4 }, ['1']);
    builder.round([maker({ orderId: 'exchange-2', size: 0.6 })]).lookedTwice({ position: 1 }, ['1', '2']);
    expect(changes(builder.world).at(-1)).toBe('2 filled 0.0000');
  });

  test('was filled by a trade whose price cannot be', () => {
    const mispriced = { ...maker({ orderId: 'x', size: 1 }), price: ticks(100) };
    builder.account({}, ['1']).round([mispriced]);
    builder.outlived(DEAD + 1).lookedTwice({ position: 1 }, ['1']);
    expect(changes(builder.world).at(-1)).toBe('1 filled 0.0000');
  });

  test('was not filled by a trade that it could not have made', () => {
    const dearer = { ...taker({ actionId: '50', size: 1 }), price: ticks(590_001) };
    const larger = taker({ actionId: '51', size: 1.5 });
    const atAnotherLevel = { ...maker({ orderId: 'another', size: 1 }), price: ticks(589_999) };
    const other = { ...taker({ actionId: '52', size: 1 }), side: 'ask' as const };
    builder.account({}, ['1']).round([dearer, larger, atAnotherLevel, other]);
    builder.outlived(DEAD + 1).lookedTwice({ position: 2.5 }, ['1']);
    expect(changes(builder.world).at(-1)).toBe('1 cancelled 1.0000: never reached the book');
  });
});
