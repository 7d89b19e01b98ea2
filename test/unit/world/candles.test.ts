// Minutes of the mark price: of what was polled, and what the exchange says instead.
import { beforeEach, expect, test } from 'vitest';
import type { Candle } from '../../../src/domain/candle.ts';
import { ticks } from '../../../src/domain/numbers.ts';
import { Candles } from '../../../src/world/market/candles.ts';

const MINUTE = 60_000;
let candles: Candles;
beforeEach(() => {
  candles = new Candles();
});

function marks(...seen: readonly (readonly [second: number, mark: number])[]): void {
  for (const [second, mark] of seen) {
    const at = second * 1_000;
    candles.apply({ kind: 'infoSeen', at, asked: at, infos: [{ market: 0, frozen: false, mark: ticks(mark) }] });
  }
}

const told = (...list: readonly Candle[]): void => candles.apply({ kind: 'candlesSeen', at: 0, asked: 0, market: 0, candles: list });

const candle = (minute: number, price: number): Candle => {
  const at = ticks(price);
  return { start: minute * MINUTE, open: at, high: at, low: at, close: at };
};

test('a minute is over with the first mark of a later one', () => {
  marks([1, 100], [20, 103], [40, 98], [59, 99]);
  expect(candles.of(0)).toEqual([]);
  marks([61, 120]);
  expect(candles.of(0)).toEqual([{ start: 0, open: 100, high: 103, low: 98, close: 99 }]);
  expect(candles.of(1)).toEqual([]);
});

test('a minute without a mark has none, and an info without a mark says nothing', () => {
  marks([1, 100], [190, 101], [250, 102]);
  candles.apply({ kind: 'infoSeen', at: 400_000, asked: 400_000, infos: [{ market: 0, frozen: false }] });
  expect(candles.of(0).map(({ start }) => start / MINUTE)).toEqual([0, 3]);
});

test("the exchange's own stand instead of ours, whichever came first", () => {
  marks([1, 100], [61, 101]);
  told(candle(-1, 90), candle(0, 91), candle(1, 92));
  marks([121, 103]);
  expect(candles.of(0)).toEqual([candle(-1, 90), candle(0, 91), candle(1, 92)]);
});

test('four hours are kept', () => {
  for (let minute = 0; minute < 300; minute++) marks([minute * 60, 100 + minute]);
  expect(candles.of(0)).toHaveLength(240);
  expect(candles.of(0).at(-1)?.open).toBe(398);
});
