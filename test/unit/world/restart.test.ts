// Another process of the same run adopts the orders of the last one, and trusts nothing about them without proof.
import { describe, expect, test } from 'vitest';
import { NO_ACTION } from '../../../src/bot/domain/ids.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import type { Fill, Order } from '../../../src/bot/domain/order.ts';
import { World } from '../../../src/bot/world/world.ts';
import { BTC, START, WorldBuilder } from '../world-builder.ts';
import { maker, taker } from './trades.ts';
import { changes, exposed, reported } from './world-lines.ts';

const EARLIER = START - 600_000;
const NOW = START / 1000;
const order = (part: Partial<Order>): Order => ({
  clientOrderId: '1',
  market: 0,
  side: 'bid',
  price: BTC.restAt('bid', 59_000),
  size: lots(10_000),
  remaining: lots(10_000),
  fillMode: 'POST_ONLY',
  status: 'open',
  orderId: 'x',
  sentAt: EARLIER,
  touchedAt: EARLIER,
  ...part,
});
const listed = { orderId: 'x', market: 0, side: 'bid', price: ticks(590_000), size: lots(10_000), originalSize: lots(10_000) } as const;

function adopting(orders: readonly Order[], fills: readonly Fill[] = []): WorldBuilder {
  const builder = new WorldBuilder();
  builder.world.adopt({ orders, fills });
  return builder;
}

describe('an open order of an earlier process', () => {
  test('counts before any data about it arrives', () => {
    const { world } = adopting([order({})]);
    expect(reported(world)).toEqual(['1 open 1.0000']);
    expect(exposed(world.exposure(0))).toBe('0.0..0.0 bids 1.0 asks 0.0');
    expect(world.settled).toBe(false);
  });

  test('has the size that its fills left', () => {
    const fill: Fill = { ...maker({ orderId: 'x', size: 0.4 }), clientOrderId: '1', time: EARLIER };
    const { world } = adopting([order({})], [fill]);
    expect(reported(world)).toEqual(['1 open 0.6000']);
  });

  test('is ours if the account lists it, and not foreign', () => {
    const is = adopting([order({})]).account({ others: [listed] }, ['1']);
    expect(reported(is.world)).toEqual(['1 open 1.0000']);
    expect(is.world.foreignOrders(0)).toEqual([]);
  });

  test('is matched by its terms if its order id was never learned', () => {
    const is = adopting([order({ orderId: undefined })]).account({ others: [listed] }, ['1']);
    expect(is.world.orders()).toMatchObject([{ orderId: 'x' }]);
  });

  test('is filled by the fills of both processes together', () => {
    const before: Fill = { ...maker({ orderId: 'x', size: 0.4 }), clientOrderId: '1', time: EARLIER };
    const is = adopting([order({})], [before]).account({ position: 1 }, ['1']);
    expect(reported(is.world)).toEqual(['1 open 0.6000']);
    is.round([maker({ orderId: 'x', size: 0.6 })]);
    expect(is.world.fills()).toMatchObject([{ clientOrderId: '1' }]);
    expect(changes(is.world)).toEqual(['1 filled 0.0000']);
  });

  test('may have been cancelled meanwhile', () => {
    const is = adopting([order({})]).lookedTwice({}, ['1']);
    expect(changes(is.world)).toEqual(['1 cancelled 1.0000: gone from the book without our cancel']);
  });
});

test('that the earlier process just saw may be missing in an older account', () => {
  const is = adopting([order({ touchedAt: START - 500 })]).account({}, ['1']);
  expect(reported(is.world)).toEqual(['1 open 1.0000']);
  is.after(2_000).lookedTwice({}, ['1']);
  expect(reported(is.world)).toEqual([]);
});

describe('an order that the earlier process sent without an answer', () => {
  const unanswered = order({ status: 'unknown', orderId: undefined });

  test('may be filled and may rest', () => {
    const { world } = adopting([unanswered]);
    expect(exposed(world.exposure(0))).toBe('0.0..1.0 bids 0.0 asks 0.0');
  });

  test('is absent only after every request that could have been signed until now has expired', () => {
    const is = adopting([unanswered]).time(NOW).account({}, ['1']);
    expect(is.world.orders()).toMatchObject([{ status: 'unknown', deadAfter: NOW + 63 }]);
    is.time(NOW + 63).account({}, ['1']);
    expect(reported(is.world)).toEqual(['1 unknown 1.0000']);
    is.outlived(NOW + 64).lookedTwice({}, ['1']);
    expect(reported(is.world)).toEqual([]);
  });

  test('can be accepted as long as the rules of the exchange allow', () => {
    const world = new World([BTC], { orderLife: 75 });
    world.adopt({ orders: [unanswered], fills: [] });
    world.apply({ kind: 'timeSeen', at: START, asked: START, engineSeconds: NOW });
    expect(world.orders()).toMatchObject([{ deadAfter: NOW + 75 }]);
  });

  test('expires by the first time that the exchange reports, not by a later one', () => {
    const is = adopting([unanswered])
      .time(NOW)
      .time(NOW + 30);
    expect(is.world.orders()).toMatchObject([{ deadAfter: NOW + 63 }]);
  });

  test('was filled by a trade that the earlier process could not attribute', () => {
    const taken: Fill = { ...taker({ actionId: NO_ACTION, size: 1 }), time: EARLIER };
    const is = adopting([order({ status: 'unknown', orderId: undefined, fillMode: 'LIMIT', deadAfter: NOW - 500 })], [taken])
      .time(NOW)
      .outlived(NOW + 64);
    is.lookedTwice({ position: 1 }, ['1']);
    expect(changes(is.world)).toEqual(['1 filled 0.0000']);
  });

  test('was filled by one of several such trades, if the journal does not say which belong together', () => {
    const taken = [1, 0.3].map((size): Fill => ({ ...taker({ actionId: NO_ACTION, size }), time: EARLIER }));
    const is = adopting([order({ status: 'unknown', orderId: undefined, fillMode: 'LIMIT', deadAfter: NOW - 500 })], taken)
      .time(NOW)
      .outlived(NOW + 64);
    is.lookedTwice({ position: 1.3 }, ['1']);
    expect(changes(is.world)).toEqual(['1 filled 0.0000']);
  });

  test('was filled by the trades of one action together', () => {
    const taken = [0.7, 0.3].map((size): Fill => ({ ...taker({ actionId: '9', size }), time: EARLIER }));
    const is = adopting([order({ status: 'unknown', orderId: undefined, fillMode: 'LIMIT', deadAfter: NOW - 500 })], taken)
      .time(NOW)
      .outlived(NOW + 64);
    is.lookedTwice({ position: 1 }, ['1']);
    expect(changes(is.world)).toEqual(['1 filled 0.0000']);
  });

  test('keeps the end that the earlier process knew, but the time of that process proves nothing', () => {
    const is = adopting([order({ status: 'unknown', orderId: undefined, deadAfter: NOW - 500, life: 18_000 })]).time(NOW);
    is.lookedTwice({}, ['1']);
    expect(reported(is.world)).toEqual(['1 unknown 1.0000']);
    is.after(16_000).lookedTwice({}, ['1']);
    expect(reported(is.world)).toEqual([]);
  });

  test('is open if the account lists it', () => {
    const is = adopting([unanswered]).account({ others: [{ ...listed, clientOrderId: '1' }] }, ['1']);
    expect(is.world.orders()).toMatchObject([{ status: 'open', orderId: 'x' }]);
  });
});

test('a position that an earlier process knew counts beside the first accounts, which may be older', () => {
  const is = new WorldBuilder();
  is.world.adopt({ orders: [], fills: [], baselines: [[0, lots(-8_000)]] });
  is.account({ position: -0.4 });
  expect(exposed(is.world.exposure(0))).toBe('-0.8..-0.4 bids 0.0 asks 0.0');
  is.after(1_900).account({ position: -0.4 });
  expect(exposed(is.world.exposure(0))).toBe('-0.8..-0.4 bids 0.0 asks 0.0');
  is.after(2_000).account({ position: -0.4 }); // no cache lags for so long: others traded it
  expect(exposed(is.world.exposure(0))).toBe('-0.4..-0.4 bids 0.0 asks 0.0');
});
