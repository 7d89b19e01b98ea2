// The guard `quota`: the last requests that an exchange allows an account are for cancels, and for orders that reduce.
import { expect, test } from 'vitest';
import { calmWorld } from '../world-builder.ts';
import { guardVerdict, standingOf } from './verdicts.ts';

const builder = (used: number, position = 0) =>
  calmWorld({ bid: 59_999, ask: 60_001 }).account({ position, requests: { used, allowed: 10_000 } });
const bid = { side: 'bid', price: 59_000, size: 0.01 } as const;

test('passes below the fraction, and where the exchange states no limit', () => {
  expect(guardVerdict('quota', builder(8_999).world, bid)).toBe('pass');
  expect(guardVerdict('quota', calmWorld({ bid: 59_999, ask: 60_001 }).world, bid)).toBe('pass');
});

test('refuses a new order from there on, with both numbers', () => {
  expect(guardVerdict('quota', builder(9_000).world, bid)).toBe(
    'refuse: the account has used 9000 of the 10000 requests that the exchange allows it; the limit is 90 %, and trading adds to what is allowed',
  );
});

test('passes what only reduces the position', () => {
  expect(guardVerdict('quota', builder(9_990, 0.02).world, { ...bid, side: 'ask' })).toBe('pass');
  expect(guardVerdict('quota', builder(9_990, -0.02).world, { ...bid, side: 'ask' })).toContain('refuse');
});

test('leaves an order that rests', () => {
  const resting = builder(9_990).placed({ ...bid, id: '1' });
  expect(guardVerdict('quota', resting.world, { ...bid, standing: standingOf(resting.world, '1') })).toBe('pass');
});
