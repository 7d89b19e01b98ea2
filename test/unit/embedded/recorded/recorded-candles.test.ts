// The candles of a tape: when each is available, and where the boundaries are.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../../../src/base/rng.ts';
import type { Candle } from '../../../../src/bot/domain/candle.ts';
import { lots, ticks } from '../../../../src/bot/domain/numbers.ts';
import { RecordedCandles } from '../../../../src/embedded/exchange/recorded/recorded-candles.ts';
import { RowBuilder } from '../../../../src/embedded/rows/row-builder.ts';
import { codeOf, type RowKind, type Rows, STAMPS_PER_MILLI } from '../../../../src/embedded/rows/rows.ts';

const SPAN = 60_000;
const SEEDS = ['one', 'two', 'three', 'four', 'five'];

/** Candles with gaps between them, of different prices. */
function randomCandles(seed: string): readonly Candle[] {
  const rng = rngFrom(seed);
  const candles: Candle[] = [];
  for (let start = SPAN * 28_000_000; candles.length < 40; start += SPAN) {
    if (rng.below(4) === 0) continue;
    const low = 1_000 + rng.below(1_000);
    const price = (): Candle['open'] => ticks(low + rng.below(100));
    candles.push({ start, open: price(), high: ticks(low + 100), low: ticks(low), close: price(), volume: lots(rng.below(1_000)) });
  }
  return candles;
}

function rowsOf(candles: readonly Candle[]): Rows {
  const builder = new RowBuilder();
  for (const { start, open, high, low, close, volume } of candles) {
    const add = (kind: RowKind, price: number, size: number): void =>
      builder.add({ time: start * STAMPS_PER_MILLI, lag: 0, code: codeOf(kind), price, size });
    add('open', open, SPAN);
    add('high', high, 0);
    add('low', low, 0);
    add('close', close, volume ?? 0);
  }
  return builder.take();
}

describe('recorded candles', () => {
  test.each(SEEDS)(
    'are the ones of the tape, at their begin, at their end and when they are taken, whatever the blocks: seed %s',
    (seed) => {
      const candles = randomCandles(seed);
      const rng = rngFrom(seed).fork('blocks');
      const recorded = new RecordedCandles(SPAN);
      const taken: Candle[] = [];
      let loaded = 0;
      for (let at = candles[0]!.start; at <= candles.at(-1)!.start + SPAN; at += SPAN) {
        while (loaded < candles.length && candles[loaded]!.start <= at + SPAN) {
          const block = candles.slice(loaded, loaded + 1 + rng.below(5));
          recorded.push(rowsOf(block));
          loaded += block.length;
        }
        const began = candles.find(({ start }) => start === at);
        const ended = candles.find(({ start }) => start + SPAN === at);
        expect(recorded.startingAt(at)).toEqual(began);
        expect(recorded.endingAt(at)).toEqual(ended);
        expect(recorded.isBoundary(at)).toBe(began !== undefined || ended !== undefined);
        const inside = at + SPAN / 2;
        expect(recorded.isInside(inside)).toBe(began !== undefined);
        const after = candles.slice(0, loaded).flatMap(({ start }) => [start, start + SPAN].filter((time) => time > at));
        expect(recorded.boundaryAfter(at)).toBe(Math.min(...after));
        taken.push(...recorded.take(at));
        expect(recorded.endingAt(at)).toBeUndefined();
        expect(recorded.isBoundary(at)).toBe(began !== undefined || ended !== undefined);
      }
      expect(taken).toEqual(candles);
    },
  );

  test('gives one object for a candle, however often it is asked for', () => {
    const [candle] = randomCandles('one');
    const recorded = new RecordedCandles(SPAN);
    recorded.push(rowsOf([candle!]));
    const begun = recorded.startingAt(candle!.start);
    expect(recorded.endingAt(candle!.start + SPAN)).toBe(begun);
    expect(recorded.take(candle!.start + SPAN)[0]).toBe(begun);
  });
});
