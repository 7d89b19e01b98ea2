// An exchange whose accounts list no client order ids: our orders are matched by their terms until a receipt gives their ids.
import { beforeEach, expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { calmWorld, type WorldBuilder } from '../world-builder.ts';

const BID = { side: 'bid', price: 59_000, size: 1, id: '1' } as const;
const ANOTHER = { ...BID, id: '2' };
/** The order as the exchange lists it. */
const TERMS = { market: 0, side: 'bid', price: ticks(590_000), size: lots(10_000), originalSize: lots(10_000) } as const;

let builder: WorldBuilder;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
});

const ids = (): string[] => builder.world.orders().map(({ clientOrderId, status, orderId }) => `${clientOrderId} ${status} ${orderId}`);

const listed = (...orderIds: string[]) => ({ others: orderIds.map((orderId) => ({ ...TERMS, orderId })) });

test('matches an order by its terms', () => {
  builder.pending(BID).account(listed('x'), ['1']);
  expect(ids()).toEqual(['1 open x']);
});

test('matches two equal orders, each once', () => {
  builder.pending(BID).pending(ANOTHER).account(listed('x', 'y'), ['1', '2']);
  expect(ids()).toEqual(['1 open x', '2 open y']);
});

test('matches one of two equal orders; the other waits', () => {
  builder.pending(BID).pending(ANOTHER).account(listed('x'), ['1', '2']);
  expect(ids()).toEqual(['1 open x', '2 pending undefined']);
});

test('an order whose id is known is not matched with another order of the same terms', () => {
  builder.pending(BID).pending(ANOTHER).opened('2', { orderId: 'x' }).account(listed('x'), ['1', '2']);
  expect(ids()).toEqual(['1 pending undefined', '2 open x']);
});

test('receipts correct a wrong match by terms', () => {
  builder.pending(BID).pending(ANOTHER).account(listed('x'), ['1', '2']);
  builder.opened('1', { orderId: 'y' }).opened('2', { orderId: 'x' }).account(listed('x', 'y'), ['1', '2']);
  expect(ids()).toEqual(['1 open y', '2 open x']);
});

test('an order that was matched with ours is foreign after ours is rejected', () => {
  builder.pending(BID).account(listed('x'), ['1']).rejected('1').account(listed('x'));
  expect(builder.world.orders()).toEqual([]);
  expect(builder.world.foreignOrders(0)).toMatchObject([{ orderId: 'x' }]);
});

test('an order that was matched with ours is foreign if nothing of ours rests', () => {
  builder
    .pending(BID)
    .account(listed('x'), ['1'])
    .opened('1', { taken: [[59_000, 1]], resting: 0 })
    .account(listed('x'));
  expect(builder.world.orders()).toEqual([]);
  expect(builder.world.foreignOrders(0)).toMatchObject([{ orderId: 'x' }]);
});

test('an order that rested before ours was sent is not ours', () => {
  builder.account(listed('x')).pending(BID).account(listed('x'), ['1']);
  expect(ids()).toEqual(['1 pending undefined']);
  builder.account(listed('x', 'y'), ['1']);
  expect(ids()).toEqual(['1 open y']);
});

test.each([
  ['market', { market: 1 }],
  ['side', { side: 'ask' as const }],
  ['price', { price: ticks(590_001) }],
  ['size', { originalSize: lots(9_999) }],
])('another %s is another order', (_, other) => {
  builder.pending(BID).account({ others: [{ ...TERMS, orderId: 'x', ...other }] }, ['1']);
  expect(ids()).toEqual(['1 pending undefined']);
});

test('an account that lists client order ids is different: there an order without an id is foreign, whatever its terms', () => {
  builder.pending(BID).openedBare('1').pending(ANOTHER).openedBare('2').account(listed('theirs'), ['1']);
  expect(ids()).toEqual(['1 open undefined', '2 open exchange-2']);
  expect(builder.world.foreignOrders(0)).toMatchObject([{ orderId: 'theirs' }]);
});
