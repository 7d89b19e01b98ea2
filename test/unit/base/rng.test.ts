// Random numbers: a seed always draws the same numbers, and a fork draws its own.
import { describe, expect, test } from 'vitest';
import { type Rng, rngFrom } from '../../../src/base/rng.ts';

const drawn = (rng: Rng, count = 20): number[] => Array.from({ length: count }, () => rng.next());

describe('a seed', () => {
  test('draws the same numbers each time, and another seed others', () => {
    expect(drawn(rngFrom('one'))).toEqual(drawn(rngFrom('one')));
    expect(drawn(rngFrom('one'))).not.toEqual(drawn(rngFrom('two')));
  });

  test('draws the numbers of every earlier version, because recordings depend on them', () => {
    const rng = rngFrom('tickwright');
    expect([rng.next(), rng.below(1000)]).toEqual([0.31498078419826925, 670]);
  });
});

describe('a fork', () => {
  test('does not depend on earlier draws', () => {
    const [fresh, used] = [rngFrom('seed'), rngFrom('seed')];
    drawn(used, 1000);
    expect(drawn(used.fork('orders'))).toEqual(drawn(fresh.fork('orders')));
  });

  test('does not change its parent, nor a fork of another name', () => {
    const [alone, shared] = [rngFrom('seed'), rngFrom('seed')];
    drawn(shared.fork('greedy'), 1000);
    expect(drawn(shared)).toEqual(drawn(alone));
    expect(drawn(shared.fork('orders'))).toEqual(drawn(alone.fork('orders')));
  });

  test('has its own name at every depth', () => {
    const rng = rngFrom('seed');
    const streams = [rng, rng.fork('a'), rng.fork('b'), rng.fork('a').fork('b'), rng.fork('b').fork('a')];
    expect(new Set(streams.map((stream) => drawn(stream).join())).size).toBe(streams.length);
  });
});

const many = (draw: () => number): number[] => Array.from({ length: 20_000 }, draw);

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('draws', () => {
  const rng = rngFrom('many');

  test('next is uniform in [0, 1)', () => {
    const values = many(() => rng.next());
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...values)).toBeLessThan(1);
    expect(mean(values)).toBeCloseTo(0.5, 1);
  });

  test('below returns every integer below the bound, and no other', () => {
    const counts = new Map<number, number>();
    for (const value of many(() => rng.below(5))) counts.set(value, (counts.get(value) ?? 0) + 1);
    expect([...counts.keys()].sort((a, b) => a - b)).toEqual([0, 1, 2, 3, 4]);
    for (const count of counts.values()) expect(Math.abs(count - 4_000)).toBeLessThan(300);
  });

  test('normal has mean 0 and variance 1', () => {
    const values = many(() => rng.normal());
    expect(mean(values)).toBeCloseTo(0, 1);
    expect(mean(values.map((value) => value * value))).toBeCloseTo(1, 1);
  });

  test('exponential has the requested mean, and is never negative', () => {
    const values = many(() => rng.exponential(5));
    expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
    expect(Math.abs(mean(values) - 5)).toBeLessThan(0.2);
  });
});
