import { marketScript, play } from 'tickwright/testing';
import { expect, test } from 'vitest';
import fade from './fade.ts';

test('it sells a jump, at most two basis points below the best bid', async () => {
  const market = marketScript().price('0s', 60_000).price('10s', 60_100).until('15s');
  const { orders, summary } = await play(fade, { market });
  expect(orders[0]).toMatchObject({ status: 'placed', side: 'ask', price: '60087.9', size: '0.0166' });
  expect(summary.positions).toEqual({ BTCUSDC: '-0.0166' });
});
