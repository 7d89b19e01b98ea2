// The guard `least-value`: an order below the least value of the exchange is refused here, with words, and never sent.
import { expect, test } from 'vitest';
import { calmWorld, marketOf, WorldBuilder } from '../world-builder.ts';
import { guardVerdict, standingOf } from './verdicts.ts';

const SPEC = { minNotional: 10 };
const seen = (spec = {}) => new WorldBuilder([marketOf({ ...SPEC, ...spec })]).book([[59_999, 1]], [[60_001, 1]]).account();

test('refuses a new order that is worth less at its price', () => {
  const { world } = seen();
  expect(guardVerdict('least-value', world, { side: 'bid', price: 59_000, size: 0.0001 })).toBe(
    'refuse: an order of 5.90 is below the least value that the exchange takes, 10',
  );
  expect(guardVerdict('least-value', world, { side: 'bid', price: 50_000, size: 0.0002 })).toBe('pass');
  expect(guardVerdict('least-value', calmWorld({ bid: 59_999, ask: 60_001 }).world, { side: 'bid', price: 59_000, size: 0.0001 })).toBe(
    'pass',
  );
});

test('passes what reduces a perpetual position', () => {
  const builder = seen().account({ position: 0.0001 });
  expect(guardVerdict('least-value', builder.world, { side: 'ask', price: 60_000, size: 0.0001 })).toBe('pass');
});

test('passes an order that rests already: its rest may be worth less', () => {
  const builder = seen().placed({ side: 'bid', price: 59_000, size: 0.0001, id: '1' });
  const standing = standingOf(builder.world, '1');
  expect(guardVerdict('least-value', builder.world, { side: 'bid', price: 59_000, size: 0.0001, standing })).toBe('pass');
});
