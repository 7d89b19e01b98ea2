// A generated tape of one-minute candles: a random walk, the same each time.
import { rngFrom } from '../../src/base/rng.ts';
import { RowBuilder } from '../../src/embedded/rows/row-builder.ts';
import { codeOf, type RowKind, STAMPS_PER_MILLI } from '../../src/embedded/rows/rows.ts';
import type { Tape } from '../../src/embedded/tape/reader.ts';
import { denseHeader, tapeInMemory } from '../dense-tape.ts';

export interface Ohlcv {
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
}

export const MINUTE = 60_000;
export const START = 1_704_067_200_000;
const FIRST_PRICE = 600_000;

/** Prices in ticks, volumes in lots. */
export function randomCandles(count: number): readonly Ohlcv[] {
  const rng = rngFrom('candles');
  let close = FIRST_PRICE;
  return Array.from({ length: count }, () => {
    const open = close;
    close = open + rng.below(601) - 300;
    const [high, low] = [Math.max(open, close) + rng.below(200), Math.min(open, close) - rng.below(200)];
    return { open, high, low, close, volume: 10_000 + rng.below(500_000) };
  });
}

export function candleTape(candles: readonly Ohlcv[]): Tape {
  const builder = new RowBuilder({ capacity: candles.length * 4 });
  for (const [index, { open, high, low, close, volume }] of candles.entries()) {
    const time = (START + index * MINUTE) * STAMPS_PER_MILLI;
    const add = (kind: RowKind, price: number, size: number): void => builder.add({ time, lag: 0, code: codeOf(kind), price, size });
    add('open', open, MINUTE);
    add('high', high, 0);
    add('low', low, 0);
    add('close', close, volume);
  }
  return { ...tapeInMemory([builder.take()]), header: { ...denseHeader, source: 'a bench', books: 'candles', pollMs: MINUTE } };
}
