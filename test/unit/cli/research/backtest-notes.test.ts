// The note of a backtest that placed nothing.
import { expect, test } from 'vitest';
import { notesOnOrders } from '../../../../src/cli/commands/backtest/facts.ts';
import { defineStrategy } from '../../../../src/index.ts';
import { marketScript, play } from '../../../../src/testing.ts';
import { BTC } from '../../world-builder.ts';

const tape = { header: { market: { ...BTC.spec, sizeDecimals: 0 }, basePrice: 60_000, source: 'a file', books: 'candles' } } as const;

async function notesFor(size: number) {
  const strategy = defineStrategy({
    name: 'one',
    defaults: { market: 'BTCUSDC' },
    create: () => (view) => [view.market('BTCUSDC').target({ position: size })],
  });
  const { summary } = await play(strategy, { market: marketScript().price('0s', 60_000).until('5s') });
  return notesOnOrders({ summary }, [tape]);
}

test('a backtest without an order names the smallest size', async () => {
  expect(await notesFor(0.000001)).toEqual([
    'no order was placed. The smallest size is 1 in BTCUSDC; a target or an order below it is left out.',
  ]);
  expect(await notesFor(1)).toEqual([]);
});
