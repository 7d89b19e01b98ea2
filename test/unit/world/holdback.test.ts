// An order that the exchange refused is not sent again at once; the pause grows with each refusal.

import { beforeEach, expect, test } from 'vitest';
import type { Side } from '../../../src/bot/domain/book.ts';
import type { World } from '../../../src/bot/world/world.ts';
import { calmWorld, type WorldBuilder } from '../world-builder.ts';

const heldBack = ({ holdback, now }: World, market: number, side: Side): string | undefined => holdback.reason({ market, side, now });

let builder: WorldBuilder;
let orders: number;
beforeEach(() => {
  builder = calmWorld({ bid: 59_999, ask: 60_001 });
  orders = 0;
});

function refused(side: 'bid' | 'ask' = 'bid'): WorldBuilder {
  orders += 1;
  return builder.pending({ side, price: 60_000, size: 1, id: `r${orders}` }).rejected(`r${orders}`, 'INSUFFICIENT_FUNDS');
}

/** Milliseconds that the side is held back from now. */
function pause(side: 'bid' | 'ask' = 'bid'): number {
  let waited = 0;
  for (; heldBack(builder.world, 0, side) !== undefined; waited += 100) builder.after(99).apply((at) => ({ kind: 'timerFired', at }));
  return waited;
}

test('holds the side back, with the reason, but not the other side', () => {
  refused();
  expect(heldBack(builder.world, 0, 'bid')).toBe('INSUFFICIENT_FUNDS');
  expect(heldBack(builder.world, 0, 'ask')).toBeUndefined();
  expect(heldBack(builder.world, 1, 'bid')).toBeUndefined();
});

test('lasts half a second, doubles each time, and is at most half a minute', () => {
  const pauses = Array.from({ length: 8 }, () => {
    refused();
    return pause();
  });
  expect(pauses).toEqual([500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
});

test('a batch that is refused together is one refusal', () => {
  refused();
  refused();
  refused();
  expect(pause()).toBe(500);
  refused();
  expect(pause()).toBe(1_000);
});

test('an order that is accepted after the pause ends the doubling', () => {
  refused();
  pause();
  refused();
  pause();
  builder.placed({ side: 'bid', price: 59_000, size: 1 });
  refused();
  expect(pause()).toBe(500);
});

test('one of the same batch that is accepted does not end it', () => {
  refused();
  builder.placed({ side: 'bid', price: 59_000, size: 1 });
  expect(heldBack(builder.world, 0, 'bid')).toBe('INSUFFICIENT_FUNDS');
});
