// The life of an order, one piece of evidence at a time.
import { beforeEach, describe, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/domain/numbers.ts';
import { LAG } from '../../../src/world/orders/proof.ts';
import { calmWorld, START, type WorldBuilder } from '../world-builder.ts';
import { maker, taker } from './trades.ts';
import { changes, reported } from './world-lines.ts';

const BID = { side: 'bid', price: 59_000, size: 1, id: '1' } as const;
/** The order as the exchange lists it. */
const TERMS = { market: 0, side: 'bid', price: ticks(590_000), size: lots(10_000), originalSize: lots(10_000) } as const;
const NOW = START / 1000;

let is: WorldBuilder;
const jump = (by: number): WorldBuilder => is.after(by).apply((at) => ({ kind: 'clockJumped', at, by }));
/** An order that cannot rest; its receipt reports these fills, or none. */
const ioc = (taken: readonly { price: number; size: number }[]): WorldBuilder =>
  is.pending({ ...BID, fillMode: 'IMMEDIATE_OR_CANCEL' }).apply((at) => ({
    kind: 'orderOpened',
    at,
    clientOrderId: '1',
    actionId: '50',
    taken: taken.map(({ price, size }) => ({ price: ticks(price), size: lots(size) })),
  }));

beforeEach(() => {
  is = calmWorld({ bid: 59_999, ask: 60_001 }).round();
});

describe('an order that was sent', () => {
  beforeEach(() => {
    is.pending(BID);
  });

  test('is pending, and no account proves it gone', () => {
    expect(changes(is.world)).toEqual(['1 placed 1.0000']);
    is.account({}, ['1']).account({}, ['1']);
    expect(reported(is.world)).toEqual(['1 pending 1.0000']);
    expect(is.world.settled).toBe(false);
  });

  test('is open after its receipt', () => {
    is.opened('1');
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    expect(is.world.orders()).toMatchObject([{ orderId: 'exchange-1' }]);
    expect(changes(is.world)).toEqual(['1 placed 1.0000', '1 open 1.0000']);
  });

  test('is unchanged while accounts show nothing new about it, and has the values that they show', () => {
    is.opened('1').account();
    const [seen] = is.world.orders();
    is.account();
    expect(is.world.orders()[0]).toBe(seen);
    expect(seen?.accountThen).toBeUndefined();
    const resting = { orderId: 'exchange-1', market: 0, side: 'bid', price: 590_000, size: 4_000, originalSize: 10_000 } as never;
    is.account({ others: [resting] }, ['1']);
    expect(reported(is.world)).toEqual(['1 open 0.4000']);
  });

  test('is at the exchange as of the newest account that lists it, also if that shows nothing new', () => {
    is.opened('1').account().account();
    const asked = is.world.now + 5;
    is.after(10).account().account({ asked }, ['1']);
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    is.lookedTwice({}, ['1']);
    expect(reported(is.world)).toEqual([]);
  });

  test('is open with the remaining size of its receipt', () => {
    is.opened('1', { taken: [[58_990, 0.4]], resting: 0.6 });
    expect(reported(is.world)).toEqual(['1 open 0.6000']);
  });

  test('is gone if nothing of it rests; the next poll of fills shows that it was filled', () => {
    is.opened('1', { actionId: '50', taken: [[58_990, 1]], resting: 0 });
    expect(reported(is.world)).toEqual([]);
    expect(is.world.settled).toBe(false);
    is.round([taker({ actionId: '50', size: 1 })]);
    expect(changes(is.world).at(-1)).toBe('1 filled 0.0000');
    expect(is.world.fills()).toMatchObject([{ clientOrderId: '1' }]);
    expect(is.world.settled).toBe(true);
  });

  test('was cut short by the exchange if less than all was filled and nothing rests', () => {
    is.opened('1', { actionId: '50', taken: [[58_990, 0.4]], resting: 0 }).round([taker({ actionId: '50', size: 0.4 })]);
    expect(changes(is.world).at(-1)).toBe('1 cancelled 0.6000: gone from the book without our cancel');
  });

  test('waits for a poll that was requested after it was gone', () => {
    is.after(100).opened('1', { actionId: '50', taken: [[58_990, 1]], resting: 0 });
    is.round([], START + 50);
    expect(is.world.settled).toBe(false);
    is.round([taker({ actionId: '50', size: 1 })]);
    expect(is.world.settled).toBe(true);
  });

  test('is removed when it is rejected', () => {
    is.rejected('1', 'INSUFFICIENT_FUNDS');
    expect(reported(is.world)).toEqual([]);
    expect(changes(is.world).at(-1)).toBe('1 rejected 1.0000: INSUFFICIENT_FUNDS');
    expect(is.world.settled).toBe(true);
  });

  test('with a bare receipt is open without an order id until the account shows it', () => {
    is.openedBare('1');
    expect(is.world.orders()).toMatchObject([{ status: 'open', orderId: undefined }]);
    is.account();
    expect(is.world.orders()).toMatchObject([{ status: 'open', orderId: 'exchange-1' }]);
    expect(changes(is.world)).toEqual(['1 placed 1.0000', '1 open 1.0000', '1 open 1.0000']); // a second time, with the id
  });

  test('with a bare receipt is gone if later accounts lack it', () => {
    is.openedBare('1').after(LAG).lookedTwice({}, ['1']);
    expect(changes(is.world).at(-1)).toBe('1 cancelled 1.0000: gone from the book without our cancel');
  });
});

test('with a bare receipt that cannot rest is gone at once; its trades show its fills, and an account shows that there are no more', () => {
  is.pending({ ...BID, fillMode: 'IMMEDIATE_OR_CANCEL' }).apply((at) => ({
    kind: 'orderOpened',
    at,
    clientOrderId: '1',
    actionId: '50',
    taken: [],
  }));
  expect(reported(is.world)).toEqual([]);
  is.round([taker({ actionId: '50', size: 0.4 })]);
  expect(changes(is.world)).toEqual(['1 placed 1.0000']);
  is.account({ position: 0.4 }).round();
  expect(changes(is.world)).toEqual(['1 cancelled 0.6000: gone from the book without our cancel']);
});

describe('a clock that jumps', () => {
  test('does not let accounts before and after it prove an open order gone', () => {
    is.pending(BID).opened('1').account().after(LAG).account({}, ['1']);
    jump(3_600_000);
    is.account({}, ['1']).round();
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    is.after(LAG).account({}, ['1']).round();
    expect(reported(is.world)).toEqual([]);
  });

  test('does not end the wait for fills that a receipt reports', () => {
    ioc([{ price: 589_900, size: 10_000 }]);
    jump(3_600_000);
    is.account().round();
    expect(changes(is.world)).toEqual(['1 placed 1.0000']);
    is.after(60_000).account().round();
    expect(changes(is.world)).toEqual(['1 cancelled 1.0000: gone from the book without our cancel']);
  });
});

describe('a trade list that lags by more than is assumed', () => {
  test('ends no order before it lists the fills of its receipt', () => {
    ioc([{ price: 589_900, size: 10_000 }])
      .after(1_500)
      .round();
    expect(changes(is.world)).toEqual(['1 placed 1.0000']);
    is.round([taker({ actionId: '50', size: 1 })]);
    expect(changes(is.world)).toEqual(['1 filled 0.0000']);
  });

  test('ends no order whose receipt reports no fills while an account shows some', () => {
    ioc([]).after(1_500).round();
    expect(changes(is.world)).toEqual(['1 placed 1.0000']);
    is.account({ position: 1 }).round();
    expect(changes(is.world)).toEqual([]);
    is.round([taker({ actionId: '50', size: 1 })]);
    expect(changes(is.world)).toEqual(['1 filled 0.0000']);
  });

  test('ends no cancelled order while the account that lacks it shows unlisted fills', () => {
    is.pending(BID)
      .opened('1')
      .account()
      .cancelling('1')
      .apply((at) => ({ kind: 'cancelAnswered', at, clientOrderId: '1', outcome: 'cancelled' }));
    is.after(50).account({ position: 0.4 }, ['1']);
    expect(reported(is.world)).toEqual([]);
    is.round();
    expect(changes(is.world)).toEqual(['1 placed 1.0000', '1 open 1.0000']);
    is.round([maker({ orderId: 'exchange-1', size: 0.4 })])
      .account({ position: 0.4 })
      .round();
    expect(changes(is.world)).toEqual(['1 cancelled 0.6000: cancelled by us']);
  });

  test('delays an order by at most a minute', () => {
    ioc([{ price: 589_900, size: 10_000 }])
      .after(60_000)
      .round();
    expect(changes(is.world).at(-1)).toBe('1 cancelled 1.0000: gone from the book without our cancel');
  });
});

describe('an order that the account shows before its receipt', () => {
  beforeEach(() => {
    is.pending(BID).account();
  });

  test('is open', () => {
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    expect(changes(is.world)).toEqual(['1 placed 1.0000', '1 open 1.0000']);
  });

  test('keeps what the account showed, because the receipt is older', () => {
    is.filled('1', 0.3).account().opened('1', { resting: 1 });
    expect(reported(is.world)).toEqual(['1 open 0.7000']);
    expect(changes(is.world).filter((line) => line.includes('open'))).toEqual(['1 open 1.0000']);
  });

  test('stays open when the wait for its answer ends', () => {
    is.unknown('1', NOW + 63);
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
  });
});

describe('a receipt that comes after the account and the fills', () => {
  test('matches the fill of a filled order by its action', () => {
    is.pending(BID).account({ position: 1 }, ['1']);
    is.round([taker({ actionId: '50', size: 1 })]);
    expect(is.world.fills().map(({ clientOrderId }) => clientOrderId)).toEqual([undefined]);
    is.opened('1', { actionId: '50', taken: [[58_990, 1]], resting: 0 }).round();
    expect(changes(is.world).at(-1)).toBe('1 filled 0.0000');
  });

  test('matches a maker fill by its order id', () => {
    is.pending(BID).round([maker({ orderId: 'exchange-1', size: 0.4 })]);
    is.opened('1');
    expect(reported(is.world)).toEqual(['1 open 0.6000']);
    is.account({ position: 1 }, ['1']).round([maker({ orderId: 'exchange-1', size: 0.6 })]);
    expect(changes(is.world).at(-1)).toBe('1 filled 0.0000');
  });
});

describe('an open order', () => {
  beforeEach(() => {
    is.placed(BID);
    changes(is.world);
  });

  test('can be filled in parts', () => {
    is.filled('1', 0.25);
    expect(reported(is.world)).toEqual(['1 open 0.7500']);
    is.filled('1', 0.25).account({ position: 0.5 });
    expect(reported(is.world)).toEqual(['1 open 0.5000']);
    expect(changes(is.world)).toEqual([]);
  });

  test('has at most the size that its fills leave, even in an account that was requested before them', () => {
    is.after(100);
    is.filled('1', 0.25).account({ asked: START + 50, others: [{ ...TERMS, orderId: 'exchange-1', clientOrderId: '1' }] }, ['1']);
    expect(reported(is.world)).toEqual(['1 open 0.7500']);
  });

  test('is gone if two accounts lack it that were requested late enough after its receipt, and changed since it was sent', () => {
    is.account({}, ['1']);
    expect(reported(is.world)).toEqual(['1 open 1.0000']); // it may lag behind the receipt
    is.after(LAG).account({}, ['1']).after(LAG).account({}, ['1']);
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    is.round();
    expect(reported(is.world)).toEqual([]);
    expect(changes(is.world)).toEqual(['1 cancelled 1.0000: gone from the book without our cancel']);
  });

  test('is not gone by an account that was requested before its receipt', () => {
    is.account({ asked: START }, ['1']);
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
  });

  test('is not gone by that account shown again, which is stale', () => {
    is.account({ asked: START }, ['1']).account({ still: true }, ['1']);
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    expect(is.world.accountFault?.reason).toMatch(/is stuck/);
    is.after(LAG).lookedTwice({}, ['1']);
    expect(reported(is.world)).toEqual([]);
  });

  test('is gone if its fills add up to it, whatever the account shows', () => {
    is.filled('1', 0.75).filled('1', 0.25);
    expect(changes(is.world)).toEqual(['1 filled 0.0000']);
    is.account({ still: true, position: 1 });
    expect(reported(is.world)).toEqual([]);
    expect(is.world.settled).toBe(true);
  });

  test('is not gone by an account that does not change, and that account is stale', () => {
    is.account({ still: true }, ['1']);
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    expect(is.world.accountFault?.reason).toMatch(/is stuck .* although order 1 was accepted or cancelled/);
    is.account();
    expect(is.world.accountFault).toBeUndefined();
  });

  test('may be gone by an account that changed once and does not change now', () => {
    is.account().account({}, ['1']).account({ still: true }, ['1']).after(LAG).account({ still: true }, ['1']).round();
    expect(reported(is.world)).toEqual([]);
    expect(is.world.accountFault).toBeUndefined();
  });

  test('is settled by a poll that was requested after the account which lacked it had come', () => {
    is.after(100);
    const before = START + 50;
    is.account({ asked: START + 40 }, ['1']).round([], before);
    expect(is.world.settled).toBe(false);
    is.round([maker({ orderId: 'exchange-1', size: 1 })]);
    expect(changes(is.world)).toEqual(['1 filled 0.0000']);
  });

  test('with two fills in one poll is filled by both', () => {
    is.account({ position: 1 }, ['1']).round([maker({ orderId: 'exchange-1', size: 0.4 }), maker({ orderId: 'exchange-1', size: 0.6 })]);
    expect(changes(is.world)).toEqual(['1 filled 0.0000']);
  });

  test('is filled once by a trade that is reported twice', () => {
    const fill = maker({ orderId: 'exchange-1', size: 0.4 });
    is.round([fill]).round([fill]);
    expect(reported(is.world)).toEqual(['1 open 0.6000']);
  });
});

describe('an order without a definite answer', () => {
  const DEAD = NOW + 63;
  beforeEach(() => {
    is.time(NOW).pending(BID).unknown('1', DEAD);
  });

  test('is unknown', () => {
    expect(reported(is.world)).toEqual(['1 unknown 1.0000']);
    expect(changes(is.world).at(-1)).toBe('1 unknown 1.0000: no answer within 3 s');
  });

  test('is open after an account lists it', () => {
    is.account();
    expect(is.world.orders()).toMatchObject([{ status: 'open', orderId: 'exchange-1', deadAfter: undefined }]);
  });

  test('is open after an account lists its client order id, even with an order id of an earlier order, because an exchange that was rolled back reuses its ids', () => {
    is.placed({ side: 'bid', price: 58_000, size: 1, id: '2' });
    const resting = { orderId: 'exchange-2', clientOrderId: '1', market: 0, side: 'bid', price: ticks(590_000) } as const;
    is.account({ others: [{ ...resting, size: lots(10_000), originalSize: lots(10_000) }] }, ['1', '2']);
    expect(is.world.orders().find(({ clientOrderId }) => clientOrderId === '1')).toMatchObject({ status: 'open', orderId: 'exchange-2' });
  });

  test('becomes what a late receipt says', () => {
    is.opened('1');
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
  });

  test('can be rejected late', () => {
    is.rejected('1');
    expect(reported(is.world)).toEqual([]);
  });

  test('stays while its request could still execute', () => {
    is.account({}, ['1']).time(DEAD).account({}, ['1']);
    expect(reported(is.world)).toEqual(['1 unknown 1.0000']);
  });

  test('stays if the account was requested before its request was known to have expired', () => {
    is.after(100)
      .time(DEAD + 1)
      .account({ asked: START + 100 }, ['1']);
    expect(reported(is.world)).toEqual(['1 unknown 1.0000']);
  });

  test('is absent if two accounts lack it that were requested after its request expired, and a poll reports no trade of it', () => {
    is.time(DEAD + 1)
      .account({}, ['1'])
      .round();
    expect(reported(is.world)).toEqual(['1 unknown 1.0000']);
    is.after(1_900).account({}, ['1']).round();
    expect(reported(is.world)).toEqual(['1 unknown 1.0000']);
    is.after(100).account({}, ['1']);
    expect(reported(is.world)).toEqual(['1 unknown 1.0000']);
    is.round();
    expect(changes(is.world).at(-1)).toBe('1 cancelled 1.0000: never reached the book');
    expect(is.world.settled).toBe(true);
  });

  test('is not absent by a poll that was requested before the second account came', () => {
    is.round();
    is.time(DEAD + 1)
      .account({}, ['1'])
      .after(2_000);
    const before = is.world.now;
    is.account({}, ['1']).round([], before);
    expect(reported(is.world)).toEqual(['1 unknown 1.0000']);
    is.round();
    expect(reported(is.world)).toEqual([]);
  });

  test('is not absent while our fills do not explain the position', () => {
    is.round()
      .time(DEAD + 1)
      .lookedTwice({ position: 1 }, ['1']);
    expect(reported(is.world)).toEqual(['1 unknown 1.0000']);
    is.round([maker({ orderId: 'exchange-1', size: 1 })])
      .account({}, ['1'])
      .round();
    expect(changes(is.world).at(-1)).toBe('1 filled 0.0000');
  });

  test('was filled if a trade shows it that no other order of ours can have made', () => {
    is.pending({ ...BID, id: '2', fillMode: 'LIMIT' }).unknown('2', DEAD);
    is.round([taker({ actionId: '50', size: 1 })]);
    is.time(DEAD + 1).lookedTwice({ position: 1 }, ['1', '2']);
    expect(changes(is.world).slice(-2)).toEqual(['1 cancelled 1.0000: never reached the book', '2 filled 0.0000']);
  });

  test('was not filled by trades of several actions, or of orders that are known to be foreign', () => {
    is.pending({ ...BID, id: '2', fillMode: 'LIMIT' }).unknown('2', DEAD);
    is.round([taker({ actionId: '50', size: 0.4 }), taker({ actionId: '51', size: 0.4 }), taker({ actionId: '50', size: 0.2 })]);
    is.time(DEAD + 1).lookedTwice({ position: 1 }, ['1', '2']);
    expect(changes(is.world).at(-1)).toBe('2 cancelled 0.4000: gone from the book without our cancel');
  });

  test('has no maker fills if it only takes, and no taker fills if it only makes', () => {
    is.pending({ ...BID, id: '2', fillMode: 'IMMEDIATE_OR_CANCEL' }).unknown('2', DEAD);
    is.round([maker({ orderId: 'x', size: 1 })]);
    is.time(DEAD + 1).lookedTwice({ position: 1 }, ['1', '2']);
    expect(changes(is.world).slice(-2)).toEqual(['1 filled 0.0000', '2 cancelled 1.0000: never reached the book']);
  });

  test('that an account lists keeps its immediate fills, although no receipt named its action', () => {
    is.pending({ ...BID, id: '2', fillMode: 'LIMIT' }).unknown('2', DEAD);
    is.round([taker({ actionId: '50', size: 0.4 })]).account({ position: 0.4 }, ['1']);
    is.round([maker({ orderId: 'exchange-2', size: 0.6 })]).lookedTwice({ position: 1 }, ['1', '2']);
    expect(changes(is.world).at(-1)).toBe('2 filled 0.0000');
  });

  test('was not filled by a trade that it could not have made', () => {
    const dearer = { ...taker({ actionId: '50', size: 1 }), price: ticks(590_001) };
    const larger = taker({ actionId: '51', size: 1.5 });
    const atAnotherLevel = { ...maker({ orderId: 'another', size: 1 }), price: ticks(589_999) };
    const other = { ...taker({ actionId: '52', size: 1 }), side: 'ask' as const };
    is.account({}, ['1']).round([dearer, larger, atAnotherLevel, other]);
    is.time(DEAD + 1).lookedTwice({ position: 2.5 }, ['1']);
    expect(changes(is.world).at(-1)).toBe('1 cancelled 1.0000: never reached the book');
  });
});
