import { marketScript, play } from 'tickwright/testing';
import { expect, test } from 'vitest';
import maker from './maker.ts';

test('it rests two basis points below and above the price', async () => {
  const market = marketScript().price('0s', 60_000).until('5s');
  const { orders } = await play(maker, { market });
  const open = orders.filter(({ status }) => status === 'open');
  expect(open.map(({ side, size, price }) => `${side} ${size} at ${price}`).sort()).toEqual([
    'ask 0.0083 at 60012.0',
    'bid 0.0083 at 59988.0',
  ]);
});
