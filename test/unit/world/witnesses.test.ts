// Which orders the exchange is asked for before their absence counts as proved.
import { expect, test } from 'vitest';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { type Order, orderWith } from '../../../src/bot/domain/order.ts';
import { Witnesses } from '../../../src/bot/world/orders/witnesses.ts';
import { BTC, calmWorld, START, WorldBuilder } from '../world-builder.ts';

const asked = (): WorldBuilder => new WorldBuilder([BTC], { needsWitness: true }).info({ price: 100 }).account();

test('an order whose id a receipt has named is asked for', () => {
  const { world } = asked().placed({ side: 'bid', price: 99, size: 1, id: '50' }).after(2_000).lookedTwice({}, ['50']);
  expect(world.orders()).toMatchObject([{ clientOrderId: '50', ask: true }]);
});

test('an order whose id an account has shown with our client order id is asked for', () => {
  const builder = asked().pending({ side: 'bid', price: 99, size: 1, id: '50' }).unknown('50', 1_000).account();
  const { world } = builder.after(2_000).lookedTwice({}, ['50']);
  expect(world.orders()).toMatchObject([{ clientOrderId: '50', ask: true }]);
});

test('an order that only its terms attribute to us is never asked for: it is proved absent as before', () => {
  const builder = asked().pending({ side: 'bid', price: 99, size: 1, id: '50' }).unknown('50', 1_000).account({ nameless: true });
  expect(builder.world.orders()).toMatchObject([{ orderId: 'exchange-50', uncertainId: true }]);
  const { world } = builder.after(2_000).lookedTwice({}, ['50']);
  expect(world.orders()).toEqual([]);
});

test('a receipt that names the id of such an order makes it its own', () => {
  const builder = asked().pending({ side: 'bid', price: 99, size: 1, id: '50' }).unknown('50', 1_000).account({ nameless: true });
  const { world } = builder.opened('50').after(2_000).lookedTwice({}, ['50']);
  expect(world.orders()).toMatchObject([{ clientOrderId: '50', ask: true }]);
});

test('an order without an id is proved absent as before', () => {
  const builder = asked().pending({ side: 'bid', price: 99, size: 1, id: '50' }).unknown('50', 1_000);
  const { world } = builder.after(70_000).time(1_001).after(2_000).lookedTwice({}, ['50']);
  expect(world.orders()).toEqual([]);
});

test('an order without an id waits for the answer about another that the same accounts lack', () => {
  const builder = asked()
    .pending({ side: 'bid', price: 99, size: 1, id: '50' })
    .unknown('50', 1_000)
    .placed({ side: 'bid', price: 98, size: 1, id: '60' });
  builder.after(70_000).time(1_001).after(2_000).lookedTwice({}, ['50', '60']);
  expect(builder.world.orders()).toMatchObject([{ clientOrderId: '50' }, { clientOrderId: '60', ask: true }]);
  builder.apply((at) => ({ kind: 'cancelAnswered', at, clientOrderId: '60', outcome: 'notFound' }));
  builder.after(2_000).lookedTwice({}, ['50', '60']).after(2_000).lookedTwice({}, ['50', '60']);
  expect(builder.world.orders()).toEqual([]);
});

test('an order of an earlier process is asked for, unless only its terms gave it its id', () => {
  const [order] = calmWorld({ bid: 99, ask: 101 }).placed({ side: 'bid', price: 99, size: 1, id: '50' }).world.orders();
  const adopted = (changes: Partial<Order>): readonly Order[] => {
    const builder = asked();
    builder.world.adopt({ orders: [orderWith(order!, { touchedAt: START, ...changes })], fills: [] });
    return builder.after(2_000).account({}, ['50']).after(2_000).lookedTwice({}, ['50']).world.orders();
  };
  expect(adopted({})).toMatchObject([{ ask: true }]);
  expect(adopted({ uncertainId: true })).toEqual([]);
});

test('at most eight questions are in flight, and each order is asked for once in five seconds', () => {
  const ids = Array.from({ length: 20 }, (_, rank) => String(100 + rank));
  const builder = ids.reduce((world, id) => world.placed({ side: 'bid', price: 90, size: 1, id }), asked());
  const { world } = builder.after(2_000).lookedTwice({}, ids);
  const due = (): readonly string[] => world.orders().flatMap(({ ask, clientOrderId }) => (ask === true ? [clientOrderId] : []));
  const send = (): void => due().forEach((id) => void builder.cancelling(id));
  expect(due()).toEqual(ids.slice(0, 8));
  send();
  expect(
    builder
      .after(100)
      .round()
      .world.orders()
      .filter(({ ask }) => ask === true),
  ).toEqual([]);
  for (const id of ids.slice(0, 8)) builder.cancelAnswered(id, 'unknown');
  builder.round();
  expect(due()).toEqual(ids.slice(8, 16));
  send();
  for (const id of ids.slice(8, 16)) builder.cancelAnswered(id, 'unknown');
  builder.round();
  expect(due()).toEqual(ids.slice(16));
  builder.after(5_000).round();
  expect(due()).toHaveLength(8);
});

test('nothing is remembered of orders that are gone', () => {
  const witnesses = new Witnesses(true);
  const order = { clientOrderId: '1', orderId: 'x1' } as Order;
  const live = { get: () => order };
  expect(witnesses.confirmOrAsk(order, false)).toBe(false);
  witnesses.asked(order, START);
  witnesses.shownOpen(order);
  witnesses.forget('1');
  expect(witnesses.isShownOpen(order)).toBe(false);
  expect(witnesses.due({ live, cancels: { isInFlight: () => false }, now: START })).toEqual([]);
});

test('a receipt that names the id of another order is called that, and the other order is not asked for', () => {
  const builder = new WorldBuilder([BTC], { needsWitness: true, idForCopy: () => '99' }).info({ price: 100 }).account();
  builder.placed({ side: 'bid', price: 99, size: 1, id: '50' }).pending({ side: 'bid', price: 98, size: 1, id: '51' });
  builder.opened('51', { orderId: 'exchange-50' });
  const [resting] = [{ market: 0, side: 'bid', price: ticks(980), size: lots(10_000), originalSize: lots(10_000) } as const];
  const others = [
    { ...resting, price: ticks(990), orderId: 'exchange-50', clientOrderId: '50' },
    { ...resting, orderId: 'x', clientOrderId: '51' },
  ];
  const { world } = builder.after(2_000).account({ others }, ['50', '51']);
  expect(world.takeAlarms()).toMatchObject([
    { name: 'ghost', reason: expect.stringMatching(/order x is client order 51, whose receipt named order exchange-50, which is another/) },
  ]);
  builder.after(2_000).account({ others }, ['50', '51']).after(2_000).account({ others }, ['50', '51']).round();
  expect(world.orders().filter(({ ask }) => ask === true)).toEqual([]);
});
