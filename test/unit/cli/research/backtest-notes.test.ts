// The note of a backtest that placed nothing.
import { expect, test } from 'vitest';
import { defineStrategy } from '../../../../src/index.ts';
import { notesOnOrders } from '../../../../src/program/commands/backtest/facts.ts';
import { marketScript, play } from '../../../../src/testing.ts';
import { BTC } from '../../world-builder.ts';

const tape = { header: { market: { ...BTC.spec, sizeDecimals: 0 }, basePrice: 60_000, source: 'a file', books: 'candles' } } as const;

async function notesFor(size: number | undefined) {
  const strategy = defineStrategy({
    name: 'one',
    defaults: { market: 'BTCUSDC' },
    create: () => (view) => (size === undefined ? [] : [view.market('BTCUSDC').target({ position: size })]),
  });
  const { summary } = await play(strategy, { market: marketScript().price('0s', 60_000).until('5s') });
  return notesOnOrders({ summary }, [tape]);
}

test('a backtest without an order says what came of its turns, and names the smallest size only if a size was below it', async () => {
  expect(await notesFor(0.000001)).toEqual([
    expect.stringMatching(
      /^no order was placed\. \d+ turns: below a lot \d+, held \d+ \(stop \d+\)\. The smallest size is 1 in BTCUSDC; a target or an order below it is left out\.$/,
    ),
  ]);
  expect(await notesFor(undefined)).toEqual([
    expect.stringMatching(/^no order was placed\. \d+ turns: nothing returned \d+, held \d+ \(stop \d+\)\.$/),
  ]);
  expect(await notesFor(1)).toEqual([]);
});
