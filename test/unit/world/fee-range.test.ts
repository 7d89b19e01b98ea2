// Which fees and prices of fills are believed after the exchange has changed its rates, after a restart, and before any price is known.
import { expect, test } from 'vitest';
import type { Fill } from '../../../src/bot/domain/order.ts';
import { RunMemory } from '../../../src/bot/world/memory.ts';
import { FeeRange } from '../../../src/bot/world/orders/judged-fills.ts';
import { BTC, START, WorldBuilder } from '../world-builder.ts';

test('the range of rates only widens, and a later process continues it', () => {
  const memory = new RunMemory();
  const range = new FeeRange(memory);
  expect(range.widest).toBeUndefined();
  expect(range.listed({ lowest: 0, highest: 0.003 })).toBe(true);
  expect(range.listed({ lowest: 0, highest: 0.001 })).toBe(false);
  expect(range.listed({ lowest: -0.0001, highest: 0.001 })).toBe(true);
  expect(range.widest).toEqual({ lowest: -0.0001, highest: 0.003 });

  const later = new RunMemory();
  later.adopt(memory.takeChanges() ?? {});
  const next = new FeeRange(later);
  next.listed({ lowest: 0, highest: 0.0005 });
  expect(next.widest).toEqual({ lowest: -0.0001, highest: 0.003 });
});

const traded = (price: number): Fill => ({
  tradeId: '1',
  actionId: '500',
  market: BTC.id,
  side: 'bid',
  price: BTC.restAt('bid', price),
  size: BTC.lots(0.004),
  role: 'maker',
  orderId: '70',
  time: START,
});

function provisionalAt(price: number): number {
  const builder = new WorldBuilder().apply((at) => ({ kind: 'fillsSeen', at, asked: at, fills: [traded(price)] }));
  expect(builder.world.judgedFills.provisional).toEqual([]);
  return builder.info({ price: 60_000 }).account().world.judgedFills.provisional.length;
}

test('a fill that was read before any price was known is judged when there is one', () => {
  expect([provisionalAt(30_000), provisionalAt(60_000)]).toEqual([1, 0]);
});

test('a provisional fill of an earlier process keeps its price until a possible one is read, also before any price is known', () => {
  const { world } = new WorldBuilder();
  const read = (price: number): void => world.apply({ kind: 'fillsSeen', at: START, asked: START, fills: [traded(price)] });
  world.judgedFills.adopt([{ ...traded(60_010), provisional: { price: traded(30_000).price, fee: undefined, limit: undefined } }]);
  read(30_001);
  expect(world.judgedFills.provisional).toMatchObject([{ price: traded(60_010).price, provisional: { price: traded(30_001).price } }]);
  read(60_000);
  expect(world.judgedFills.provisional).toEqual([]);
  expect(world.judgedFills.takeCorrections()?.at(-1)?.fill.price).toBe(traded(60_000).price);
});
