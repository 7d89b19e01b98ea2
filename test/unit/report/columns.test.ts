// Columns with one row per change, and the age of their values.
import { describe, expect, test } from 'vitest';
import { FRESH_MS, GrowingColumn, Steps } from '../../../src/research/report/figures/columns.ts';

test('a column holds all pushed values', () => {
  const column = new GrowingColumn();
  for (let i = 0; i < 1_000; i++) column.push(i / 2);
  column.set(999, -1);
  expect(column.count).toBe(1_000);
  expect([column.values()[0], column.values()[998], column.values()[999]]).toEqual([0, 499, -1]);
});

describe('steps', () => {
  test('have one row per change, with the last time it was observed', () => {
    const steps = new Steps(['bid', 'ask']);
    steps.see(0, { bid: 1, ask: 2 });
    steps.see(100, { bid: 1, ask: 2 });
    steps.see(200, { bid: 1, ask: 3 });
    steps.see(300, { bid: NaN, ask: 3 });
    steps.see(400, { bid: NaN, ask: 3 });
    expect([...steps.times]).toEqual([0, 200, 300]);
    expect([...steps.untils]).toEqual([100, 200, 400]);
    expect([...steps.column('ask')]).toEqual([2, 3, 3]);
    expect([...steps.column('bid')]).toEqual([1, 1, NaN]);
  });

  test('begin a row after a time without observations', () => {
    const steps = new Steps(['mid']);
    for (const time of [0, FRESH_MS, 2 * FRESH_MS + 1]) steps.see(time, { mid: 5 });
    expect([...steps.times]).toEqual([0, 2 * FRESH_MS + 1]);
  });

  test('keep a value for longer with a longer freshMs', () => {
    const steps = new Steps(['mid'], 60_000);
    for (const time of [0, 60_000, 120_001]) steps.see(time, { mid: 5 });
    expect([...steps.times]).toEqual([0, 120_001]);
  });

  test('find the newest row at a time, unless it is too old', () => {
    const steps = new Steps(['mid']);
    for (const [time, mid] of [
      [100, 1],
      [200, 1],
      [500, 2],
    ] as const) {
      steps.see(time, { mid });
    }
    expect(steps.rowAt(99, 1_000)).toBeUndefined();
    expect(steps.rowAt(100, 0)).toBe(0);
    expect(steps.rowAt(150, 0)).toBe(0); // it was still so at 200
    expect(steps.rowAt(300, 100)).toBe(0);
    expect(steps.rowAt(301, 100)).toBeUndefined();
    expect(steps.rowAt(500, 100)).toBe(1);
    expect(steps.rowAt(9_000, Infinity)).toBe(1);
  });
});
