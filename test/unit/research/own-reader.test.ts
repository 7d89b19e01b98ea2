// The record of a run from its turns: a fill before the receipt of its order is assigned to that order, and trades at a worse price correct the arrival
// of an order and its cancel.
import { expect, test } from 'vitest';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Fill } from '../../../src/bot/domain/order.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import { OwnReader } from '../../../src/research/parity/own-reader.ts';

const EMPTY = { events: [], fills: [], findings: [], actions: [], intents: [], changes: [], alarms: [] };
const turn = (at: number, more: object): Turn => ({ ...EMPTY, at, ...more });

const order = { kind: 'place', market: 0, side: 'bid', price: ticks(600_000), size: lots(10), clientOrderId: '7' };
const fill: Fill = {
  tradeId: '1',
  actionId: '42',
  orderId: '900',
  market: 0,
  side: 'bid',
  price: ticks(600_000),
  size: lots(10),
  role: 'taker',
  fee: micros(5),
  time: 1_010,
};
const opened = { kind: 'orderOpened', at: 1_030, clientOrderId: '7', actionId: '42', taken: [], resting: lots(0) };

test.each([
  { role: 'taker', receipt: opened },
  { role: 'maker', receipt: { ...opened, actionId: '40', orderId: '900', resting: lots(10) } },
] as const)('a $role fill before the receipt belongs to the order', ({ role, receipt }) => {
  const reader = new OwnReader();
  reader.read(turn(1_000, { actions: [order] }));
  reader.read(turn(1_020, { fills: [{ ...fill, role }] }));
  reader.read(turn(1_030, { events: [receipt] }));
  const { fills, orders } = reader.collected();
  expect(fills.map(({ clientOrderId }) => clientOrderId)).toEqual(['7']);
  expect(orders.get('7')?.fills).toHaveLength(1);
});

test('a fill of a foreign order stays without an order', () => {
  const reader = new OwnReader();
  reader.read(turn(1_000, { actions: [{ ...order, fillMode: 'LIMIT' }] }));
  reader.read(turn(1_020, { fills: [{ ...fill, actionId: '43' }] }));
  reader.read(turn(1_030, { events: [opened] }));
  expect(reader.collected().fills.map(({ clientOrderId }) => clientOrderId)).toEqual([undefined]);
});

const print = (tradeId: string, time: number, price: number) => ({
  tradeId,
  market: 0,
  takerSide: 'ask' as const,
  price: ticks(price),
  size: lots(5),
  time,
});

/** A bid that was sent at 1,000 and accepted at 1,040, cancelled at 2,000 and gone by 2,040, with these trades of others. */
function restingBid(...trades: readonly ReturnType<typeof print>[]) {
  const reader = new OwnReader();
  const ask = { kind: 'bookSeen', book: { market: 0, updateId: '1', bids: [], asks: [] } };
  reader.read(turn(900, { events: [{ ...ask, asked: 860, at: 900 }] })); // a round trip takes 40 ms
  reader.read(turn(1_000, { actions: [{ ...order, fillMode: 'POST_ONLY' }] }));
  reader.read(turn(1_040, { events: [{ ...opened, at: 1_040, actionId: '40', orderId: '900', resting: lots(10) }] }));
  reader.read(turn(2_000, { actions: [{ kind: 'cancel', market: 0, orderId: '900', clientOrderId: '7' }] }));
  reader.read(turn(2_040, { events: [{ kind: 'cancelAnswered', at: 2_040, clientOrderId: '7', outcome: 'cancelled' }] }));
  reader.read(turn(2_500, { events: [{ kind: 'tradesSeen', market: 0, asked: 2_460, at: 2_500, trades }] }));
  const { arrival, cancels, gone } = reader.collected().orders.get('7')!;
  return { arrival, cancelled: cancels[0]?.arrival, gone };
}

test('without such trades an order and its cancel arrive half a round trip before their answers', () => {
  expect(restingBid()).toEqual({ arrival: 1_020, cancelled: 2_020, gone: 2_020 });
  expect(restingBid(print('1', 1_030, 600_000), print('2', 2_010, 600_000))).toEqual(restingBid()); // others may have been ahead at that price
  expect(restingBid(print('1', 1_010, 599_999), print('2', 2_030, 599_999))).toEqual(restingBid()); // before it arrived, and after it had gone
});

test('a trade at a worse price that did not fill the order came before it arrived, or after its cancel', () => {
  expect(restingBid(print('1', 1_030, 599_999)).arrival).toBeGreaterThan(1_030);
  expect(restingBid(print('1', 1_030, 599_999)).arrival).toBeLessThanOrEqual(1_040);
  const { cancelled, gone } = restingBid(print('1', 2_010, 599_999));
  expect(cancelled).toBeLessThan(2_010);
  expect([cancelled! >= 2_000, gone]).toEqual([true, cancelled]);
});
