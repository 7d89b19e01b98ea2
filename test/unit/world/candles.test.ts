// Finished candles of any length, from polled prices and from candles of the exchange or a tape.
import { beforeEach, expect, test } from 'vitest';
import type { Candle } from '../../../src/bot/domain/candle.ts';
import { lots, ticks } from '../../../src/bot/domain/numbers.ts';
import { Candles } from '../../../src/bot/world/market/candles.ts';

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

const reported = (...list: readonly Candle[]): void => candles.apply({ kind: 'candlesSeen', at: 0, asked: 0, market: 0, candles: list });

const candle = (minute: number, price: number): Candle => {
  const at = ticks(price);
  return { start: minute * MINUTE, open: at, high: at, low: at, close: at };
};

test('a minute ends with the first mark of a later minute', () => {
  marks([1, 100], [20, 103], [40, 98], [59, 99]);
  expect(candles.of(0)).toEqual([]);
  marks([61, 120]);
  expect(candles.of(0)).toEqual([{ start: 0, open: 100, high: 103, low: 98, close: 99 }]);
  expect(candles.of(1)).toEqual([]);
});

test('a minute without a mark has no candle, and an info without a mark changes nothing', () => {
  marks([1, 100], [190, 101], [250, 102]);
  candles.apply({ kind: 'infoSeen', at: 400_000, asked: 400_000, infos: [{ market: 0, frozen: false }] });
  expect(candles.of(0).map(({ start }) => start / MINUTE)).toEqual([0, 3]);
});

test('candles of the exchange replace ours, whichever came first', () => {
  marks([1, 100], [61, 101]);
  reported(candle(-1, 90), candle(0, 91), candle(1, 92));
  marks([121, 103]);
  expect(candles.of(0)).toEqual([candle(-1, 90), candle(0, 91), candle(1, 92)]);
});

test('the newest 500 of each length are shown, or more if requested', () => {
  candles.keep(0, MINUTE, 550);
  for (let minute = 0; minute < 1_300; minute++) marks([minute * 60, 100 + minute]);
  expect(candles.of(0)).toHaveLength(550);
  expect(candles.of(0).at(-1)?.open).toBe(1_398);
  expect(candles.of(0, 2 * MINUTE)).toHaveLength(500);
});

test("a minute from prices waits for the exchange's candle if the exchange sends candles, and is shown if none comes", () => {
  reported(candle(0, 90));
  marks([70, 100], [121, 103]);
  expect(candles.of(0)).toEqual([candle(0, 90)]);
  reported(candle(1, 101));
  marks([181, 104], [239, 104], [241, 104]);
  expect(candles.of(0)).toEqual([candle(0, 90), candle(1, 101)]);
  marks([301, 105]);
  expect(candles.of(0)).toMatchObject([candle(0, 90), candle(1, 101), candle(2, 103)]);
});

const seen = (minutes: number, list: readonly Candle[], complete = false): void =>
  candles.apply({ kind: 'candlesSeen', at: 0, asked: 0, market: 0, candles: list, span: minutes * MINUTE, complete });

const minuteOf = (minute: number): Candle => ({
  start: minute * MINUTE,
  open: ticks(100 + minute),
  high: ticks(110 + minute),
  low: ticks(90 - minute),
  close: ticks(101 + minute),
  volume: lots(minute),
});
const minutesFrom = (from: number, to: number): readonly Candle[] =>
  Array.from({ length: to - from }, (_, index) => minuteOf(from + index));

test('longer candles are built from shorter ones, and shown only after they have ended', () => {
  seen(1, minutesFrom(0, 14));
  expect(candles.of(0, 5 * MINUTE)).toEqual([
    { start: 0, open: 100, high: 114, low: 86, close: 105, volume: 10 },
    { start: 5 * MINUTE, open: 105, high: 119, low: 81, close: 110, volume: 35 },
  ]);
  seen(1, minutesFrom(14, 15));
  expect(candles.of(0, 5 * MINUTE)).toHaveLength(3);
  expect(candles.of(0, 15 * MINUTE)).toEqual([{ start: 0, open: 100, high: 124, low: 76, close: 115, volume: 105 }]);
});

test('a window is left out if its beginning was not seen; a gap within it is allowed', () => {
  seen(1, minutesFrom(2, 7));
  seen(1, minutesFrom(8, 12));
  expect(candles.of(0, 5 * MINUTE)).toMatchObject([{ start: 5 * MINUTE, open: 105, close: 110, volume: 5 + 6 + 8 + 9 }]);
});

test('a window whose last minute is missing is shown with the first minute of a later window', () => {
  seen(1, minutesFrom(0, 4));
  expect(candles.of(0, 5 * MINUTE)).toEqual([]);
  seen(1, minutesFrom(6, 7));
  expect(candles.of(0, 5 * MINUTE)).toMatchObject([{ start: 0, close: 104 }]);
});

test('hours from the history continue with minutes, and minutes that they cover are not counted twice', () => {
  const hour = { ...minuteOf(0), high: ticks(500), volume: lots(7_000) };
  seen(60, [hour]);
  seen(1, minutesFrom(30, 120));
  expect(candles.of(0, 60 * MINUTE)).toMatchObject([
    { start: 0, high: 500, volume: 7_000 },
    { start: 60 * MINUTE, open: 160, close: 220 },
  ]);
  expect(candles.of(0, 120 * MINUTE)).toMatchObject([{ start: 0, open: 100, high: 500, close: 220 }]);
});

test('a minute that the exchange corrects changes the longer candle that contains it', () => {
  marks([0, 100], [60, 101], [120, 102], [180, 103], [240, 104], [300, 105]);
  expect(candles.of(0, 5 * MINUTE)).toMatchObject([{ open: 100, close: 104, high: 104 }]);
  reported(candle(0, 90), candle(1, 200));
  expect(candles.of(0, 5 * MINUTE)).toMatchObject([{ open: 90, close: 104, high: 200 }]);
});

test('no candles are built from prices if a source sends every candle', () => {
  seen(60, [], true);
  marks([0, 100], [60, 101], [120, 102]);
  expect(candles.of(0)).toEqual([]);
  expect(candles.completeLengths(0)).toEqual([60 * MINUTE]);
  expect(candles.completeLengths(1)).toBeUndefined();
});

test('the volume of a minute is what was traded in it, once trades are polled', () => {
  const trade = (at: number, size: number): void =>
    candles.apply({
      kind: 'tradesSeen',
      at,
      market: 0,
      trades: [{ tradeId: `${at}`, market: 0, takerSide: 'bid', price: ticks(1), size: lots(size), time: at } as never],
    });
  marks([0, 100]);
  candles.apply({ kind: 'healthSeen', at: 1_000, stream: 'trades', market: 0, healthy: true, reason: 'seen' });
  trade(2_000, 5);
  marks([60, 100]);
  trade(70_000, 2);
  trade(80_000, 3);
  trade(120_100, 4);
  marks([121, 100], [181, 100], [241, 100]);
  candles.apply({ kind: 'healthSeen', at: 250_000, stream: 'trades', market: 0, healthy: false, reason: 'silent' });
  marks([301, 100]);
  expect(candles.of(0).map(({ volume }) => volume)).toEqual([undefined, 5, 4, 0, undefined]);
});

test('minutes of the past do not make current minutes wait', () => {
  candles.apply({ kind: 'candlesSeen', at: 0, asked: 0, market: 0, candles: [candle(0, 100)], past: true });
  marks([61, 101], [121, 102]);
  expect(candles.of(0).map(({ close }) => close)).toEqual([100, 101]);
});
