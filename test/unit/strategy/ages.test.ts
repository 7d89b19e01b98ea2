// How long a position and an order have been there, and candles of several markets of the same times.
import { expect, test } from 'vitest';
import type { CandlesSeen } from '../../../src/bot/domain/event.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { BTC, ETH, WorldBuilder } from '../world-builder.ts';

const since = (world: WorldBuilder) => world.view().market('BTCUSDC').heldSince;

test('a position is as old as its sign', () => {
  const world = new WorldBuilder().account();
  expect(since(world)).toBeUndefined();
  const opened = world.account({ position: 1, entry: 60_000 }).view().now;
  expect(since(world)).toBe(opened);
  expect(since(world.account({ position: 2, entry: 60_000 }))).toBe(opened);
  const turned = world.after(5_000).account({ position: -1, entry: 60_000 }).view().now;
  expect([since(world), turned > opened]).toEqual([turned, true]);
  expect(since(world.account({ position: 0 }))).toBeUndefined();
});

test('a restart keeps the age, unless the position has gone meanwhile', () => {
  const before = new WorldBuilder().account({ position: 1, entry: 60_000 });
  const opened = since(before);
  const memory = before.world.memory.takeChanges();
  const restarted = () => {
    const builder = new WorldBuilder();
    builder.world.memory.adopt(memory!);
    return builder.after(60_000);
  };
  expect(since(restarted().account({ position: 1, entry: 60_000 }))).toBe(opened);
  expect(since(restarted().account({ position: 0 }))).toBeUndefined();
  expect(since(restarted().account({ position: -1, entry: 60_000 }))).toBeGreaterThan(opened!);
});

test('an order has the time at which it was sent', () => {
  const world = new WorldBuilder().account().pending({ side: 'bid', price: 59_000, size: 1, id: '7' });
  const sent = world.view().now;
  const [order] = world.after(9_000).opened('7').view().market('BTCUSDC').orders;
  expect(order?.placedAt).toBe(sent);
});

const candles = (market: number, starts: readonly number[]): CandlesSeen['candles'] =>
  starts.map((minute) => {
    const price = ticks(600_000 + market * 1_000 + minute);
    return { start: minute * 60_000, open: price, high: price, low: price, close: price, volume: lots(1) };
  });

test('candles of several markets are aligned by their times', () => {
  const builder = new WorldBuilder([BTC, ETH]).account();
  for (const [market, starts] of [
    [0, [0, 1, 2, 4, 5, 7]],
    [1, [1, 2, 3, 4, 7]],
  ] as const)
    builder.apply((at) => ({ kind: 'candlesSeen', at, asked: at, market, candles: candles(market, starts) }));
  const view = builder.view();
  const rows = view.candles(['ETHUSDC', 'BTCUSDC']);
  expect(rows.map(([eth, btc]) => [eth.start / 60_000, btc.start / 60_000])).toEqual([1, 2, 4, 7].map((minute) => [minute, minute]));
  expect(rows[0]![1].close).toBe(BTC.price(ticks(600_001)));
  expect(view.candles(['BTCUSDC'])).toHaveLength(6);
  expect(() => view.candles(['BTCUSDC', 'DOGE'])).toThrow('there is no market "DOGE"');
});
