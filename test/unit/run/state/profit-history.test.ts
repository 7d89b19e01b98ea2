// The profit of a run by day and its round trips, over a restart too.
import { appendFileSync, mkdtempSync, readdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DAY, HOUR } from '../../../../src/base/clock.ts';
import { type MarketResult, ProfitHistory } from '../../../../src/bot/accounting/profit-history.ts';
import { NO_TOTALS } from '../../../../src/bot/domain/accounting/run-totals.ts';
import { micros } from '../../../../src/bot/domain/numbers.ts';
import { keepHistory, readHistory } from '../../../../src/bot/run/core/history-file.ts';
import { FakeRun } from '../../cli/run/fake-run.ts';

const START = Date.parse('2026-01-30T12:00:00Z');
const UNIT = 1_000_000;

/** Adds turns of one market: hours after the start, position, realised profit in units, number of fills. */
function add(history: ProfitHistory, turns: readonly (readonly [number, number, number | undefined, number])[]): void {
  for (const [hours, position, realised, fills] of turns) {
    const market: MarketResult = { symbol: 'BTCUSDC', position, realised: realised === undefined ? undefined : realised * UNIT, fills };
    const totals = { ...NO_TOTALS, profit: micros((realised ?? 0) * UNIT), fills };
    history.add({ at: START + hours * HOUR, totals, equity: micros(1_000 * UNIT), markets: [market] });
  }
}

const newest = (history: ProfitHistory) => history.carry().days.at(-1);

describe('round trips', () => {
  test('one lasts from flat to flat, with the fees of its opening; a later part of the position does not begin another', () => {
    const history = new ProfitHistory(NO_TOTALS);
    add(history, [
      [0, 0, 0, 0],
      [1, 5, -1, 1],
      [2, 8, -2, 2],
      [4, 3, 3, 3],
      [5, 0, 4, 4],
    ]);
    expect(newest(history)).toMatchObject({ trips: 1, won: 1, heldMs: 4 * HOUR, pnl: 4 * UNIT });
    add(history, [
      [6, -5, 4, 5],
      [7, 0, 3.5, 6],
    ]);
    expect(newest(history)).toMatchObject({ trips: 2, won: 1, heldMs: 5 * HOUR });
  });

  test('a fill that reverses the position closes one and opens the next', () => {
    const history = new ProfitHistory(NO_TOTALS);
    add(history, [
      [0, 0, 0, 0],
      [1, 5, 0, 1],
      [3, -5, 2, 2],
    ]);
    expect(newest(history)).toMatchObject({ trips: 1, won: 1, heldMs: 2 * HOUR });
    add(history, [[4, 0, 1, 3]]);
    expect(newest(history)).toMatchObject({ trips: 2, won: 1, heldMs: 3 * HOUR });
  });

  test('one within a turn counts with no duration; a position whose entry is not known counts for nothing', () => {
    const history = new ProfitHistory(NO_TOTALS);
    add(history, [
      [0, 0, 0, 0],
      [1, 0, 1, 2],
    ]);
    expect(newest(history)).toMatchObject({ trips: 1, won: 1, heldMs: 0 });
    add(history, [
      [2, 5, undefined, 3],
      [3, 0, 9, 4],
    ]);
    expect(newest(history)).toMatchObject({ trips: 1 });
  });

  test('an open one is continued by a later process, unless its position is gone', () => {
    const before = new ProfitHistory(NO_TOTALS);
    add(before, [
      [0, 0, 0, 0],
      [1, 5, -1, 1],
    ]);
    const same = new ProfitHistory(NO_TOTALS, before.carry());
    add(same, [
      [8, 5, -1, 1],
      [9, 0, 1, 2],
    ]);
    expect(newest(same)).toMatchObject({ trips: 1, won: 1, heldMs: 8 * HOUR });
    const other = new ProfitHistory(NO_TOTALS, before.carry());
    add(other, [
      [8, 0, -1, 1],
      [9, 5, -1, 2],
      [10, 0, 0, 3],
    ]);
    expect(newest(other)).toMatchObject({ trips: 1, heldMs: HOUR });
  });
});

test('each UTC day keeps the totals at its end', () => {
  const history = new ProfitHistory({ profit: micros(2 * UNIT), fills: 7 });
  add(history, [
    [0, 0, 3, 8],
    [11, 0, 4, 9],
    [13, 0, 6, 10],
    [61, 0, 5, 11],
  ]);
  const { start, days } = history.carry();
  expect(start).toMatchObject({ pnl: 2 * UNIT, fills: 7 });
  expect(days.map(({ day, pnl, fills }) => [new Date(day * DAY).toISOString().slice(0, 10), pnl / UNIT, fills])).toEqual([
    ['2026-01-30', 4, 9],
    ['2026-01-31', 6, 10],
    ['2026-02-02', 5, 11],
  ]);
});

describe('the file', () => {
  test('is written at the end, and continued; a damaged one is begun again', () => {
    const directory = mkdtempSync(join(tmpdir(), 'history-'));
    const play = (): void => {
      const run = new FakeRun();
      keepHistory(run.trading, directory);
      run.becomeFresh();
      run.turn();
      run.end({ kind: 'settled' });
    };
    play();
    expect(readdirSync(directory)).toEqual(['history.json']);
    const first = readHistory(directory);
    expect(first?.points.length).toBe(1);
    play();
    expect(readHistory(directory)?.days.length).toBe(first?.days.length);
    appendFileSync(join(directory, 'history.json'), '{');
    expect(readHistory(directory)).toBeUndefined();
    play();
    expect(readHistory(directory)?.points.length).toBe(1);
  });

  test('a directory where it cannot be written does not end the run', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'history-')), 'no-directory');
    writeFileSync(file, '');
    const run = new FakeRun();
    keepHistory(run.trading, file);
    expect(() => run.turn()).not.toThrow();
  });
});
