// What a run did, read from its turns: a fill that came before the receipt of its order is that order's.
import { expect, test } from 'vitest';
import { Market } from '../../../src/domain/market.ts';
import { lots, micros, ticks } from '../../../src/domain/numbers.ts';
import type { Fill } from '../../../src/domain/order.ts';
import type { Turn } from '../../../src/domain/turn.ts';
import { LISTED_MARKETS } from '../../../src/embedded/state/listing.ts';
import { OwnReader } from '../../../src/research/parity/own-reader.ts';

const MARKETS = [new Market(LISTED_MARKETS[0]!.spec)];
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
  const reader = new OwnReader(MARKETS);
  reader.read(turn(1_000, { actions: [order] }));
  reader.read(turn(1_020, { fills: [{ ...fill, role }] }));
  reader.read(turn(1_030, { events: [receipt] }));
  const { fills, orders } = reader.collected();
  expect(fills.map(({ clientOrderId }) => clientOrderId)).toEqual(['7']);
  expect(orders.get('7')?.fills).toHaveLength(1);
});

test('a fill of an order that is not the run’s stays without one', () => {
  const reader = new OwnReader(MARKETS);
  reader.read(turn(1_000, { actions: [{ ...order, fillMode: 'LIMIT' }] }));
  reader.read(turn(1_020, { fills: [{ ...fill, actionId: '43' }] }));
  reader.read(turn(1_030, { events: [opened] }));
  expect(reader.collected().fills.map(({ clientOrderId }) => clientOrderId)).toEqual([undefined]);
});
