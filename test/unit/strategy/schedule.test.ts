// When a strategy is called: history and every.
import { describe, expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import type { Candle } from '../../../src/bot/domain/candle.ts';
import { resolutionText, spanOf } from '../../../src/bot/domain/candle.ts';
import type { MarketId } from '../../../src/bot/domain/ids.ts';
import { ticks } from '../../../src/bot/domain/numbers.ts';
import { deciderOf } from '../../../src/bot/strategy/decide.ts';
import { missingText } from '../../../src/bot/strategy/schedule.ts';
import { defineStrategy, type History, type Resolution } from '../../../src/index.ts';
import { BTC, WorldBuilder } from '../world-builder.ts';

const OPEN: ReadonlySet<MarketId> = new Set([0]);
const CLOSED: ReadonlySet<MarketId> = new Set();
const MINUTE = 60_000;

const candle = (minute: number): Candle => ({ start: minute * MINUTE, open: ticks(1), high: ticks(1), low: ticks(1), close: ticks(1) });

/** The finished minutes from `from` to `to`. */
function minutes(world: WorldBuilder, from: number, to: number): void {
  const candles = Array.from({ length: to - from }, (_, index) => candle(from + index));
  world.apply((at) => ({ kind: 'candlesSeen', at, asked: at, market: 0, candles }));
}

function scheduled({ every, history, markets = [BTC] }: { every?: Resolution; history?: History; markets?: [typeof BTC] }) {
  const calls: number[] = [];
  const strategy = defineStrategy({
    name: 'counter',
    defaults: { size: 1 },
    ...(every !== undefined && { every: () => every }),
    ...(history !== undefined && { history }),
    create:
      ({ size }) =>
      (view) => {
        calls.push(view.markets[0]!.candles('5m').length);
        return [view.markets[0]!.target({ position: size * calls.length, limit: 1_000 })];
      },
  });
  const world = new WorldBuilder(markets).account();
  const decide = deciderOf(strategy, strategy.defaults, { rng: rngFrom('test'), markets });
  return { calls, world, decide, turn: (open = OPEN) => decide(world.world, open) };
}

describe('every', () => {
  test('calls only when a candle has finished; in between the last intents apply', () => {
    const { calls, world, turn } = scheduled({ every: '5m' });
    expect(turn()).toEqual([]);
    minutes(world, 0, 4);
    expect(turn()).toEqual([]);
    minutes(world, 4, 5);
    const [first] = turn();
    expect(first).toMatchObject({ position: 10_000 });
    minutes(world, 5, 9);
    expect(turn()[0]).toBe(first);
    minutes(world, 9, 10);
    expect(turn()).toMatchObject([{ position: 20_000 }]);
    expect(turn()).toMatchObject([{ position: 20_000 }]);
    expect(calls).toEqual([1, 2]);
  });

  test('calls at once if a candle has already finished, as after a restart', () => {
    const { calls, world, turn } = scheduled({ every: '5m' });
    minutes(world, 0, 12);
    turn();
    turn();
    expect(calls).toEqual([2]);
  });

  test('waits for markets that a gate holds, but at most a minute', () => {
    const { calls, world, turn } = scheduled({ every: '5m' });
    minutes(world, 0, 5);
    turn(CLOSED);
    expect(calls).toEqual([]);
    turn();
    expect(calls).toEqual([1]);
    minutes(world, 5, 10);
    turn(CLOSED);
    world.after(59_000).account();
    turn(CLOSED);
    expect(calls).toEqual([1]);
    world.after(1_000).account();
    turn(CLOSED);
    expect(calls).toEqual([1, 2]);
  });

  test('refuses an unknown resolution, with its text', () => {
    // @ts-expect-error the types refuse it too
    expect(() => scheduled({ every: '7m' })).toThrow(/every of the strategy \w+: "7m" is not a length of candles/);
  });

  test('knows every whole number of minutes that divides a day', () => {
    for (let minutes = 1; minutes <= 1_440; minutes++) {
      if (1_440 % minutes === 0) expect(spanOf(`${minutes}m`)).toBe(minutes * 60_000);
      else expect(() => spanOf(`${minutes}m`)).toThrow('is not a length of candles');
      if (1_440 % (minutes * 60) === 0) expect(spanOf(`${minutes}h`)).toBe(minutes * 3_600_000);
    }
    expect([60_000, 3_600_000, 86_400_000, 5_400_000].map(resolutionText)).toEqual(['1m', '1h', '1d', '90m']);
  });
});

describe('history', () => {
  test('delays the first call until every candle is there, and reports what is missing', () => {
    const { calls, world, turn, decide } = scheduled({ history: { candles: { '1m': 12, '5m': 2 } } });
    expect(turn()).toEqual([]);
    minutes(world, 0, 11);
    expect(turn()).toEqual([]);
    expect(decide.warmUp?.missing(world.world).map(missingText)).toEqual(['BTCUSDC has 11 of 12 candles of 1m']);
    expect(decide.warmUp?.completeAt).toBeUndefined();
    minutes(world, 11, 12);
    expect(turn()).toHaveLength(1);
    expect(decide.warmUp?.completeAt).toBe(world.world.now);
    expect(calls).toEqual([2]);
  });

  test('keeps as many candles as requested', () => {
    const { world, turn } = scheduled({ history: { candles: { '1m': 900 } } });
    turn();
    minutes(world, 0, 1_000);
    expect(turn()).toHaveLength(1);
    expect(world.view().market('BTCUSDC').candles()).toHaveLength(900);
  });

  test.each([0, 1.5, 6_000, Number.NaN])('of %s candles is refused', (count) => {
    expect(() => scheduled({ history: { candles: { '1h': count } } })).toThrow('a whole number from 1 to 5000 is expected');
  });
});
