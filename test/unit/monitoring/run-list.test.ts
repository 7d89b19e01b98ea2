// The list of runs: its sums, the curve of all runs together, its filters and orders.
import { expect, test } from 'vitest';
import type { RunHistory } from '../../../src/bot/run/core/history-file.ts';
import { periodsOf, totalOf } from '../../../src/program/monitoring/page/browser/periods.ts';
import { shownRuns } from '../../../src/program/monitoring/page/browser/shown-runs.ts';
import { runListShape } from '../../../src/program/monitoring/page/contract.ts';
import { curveOf, runListOf } from '../../../src/program/monitoring/page/run-list.ts';
import { LISTED_AT, listedRun, TOTALS } from './listed-run.ts';

const history = (...points: RunHistory['points'][number][]): RunHistory => ({ points, start: TOTALS, days: [] });

test('sums practice and real money apart, today only of today, orders and alarms only of living runs', () => {
  const runs = [
    listedRun('a', { pnl: '10.50', equity: '100.00', openOrders: 3, alarms: 1 }, { today: '2.00' }),
    listedRun('b', { pnl: '-4.00', equity: '200.00', openOrders: 2, outcome: 'failed', process: 'ended' }, { today: '1.00' }),
    listedRun('c', { pnl: '1.00', process: 'ended', outcome: 'done', at: '2026-01-01T23:59:59.000Z' }, { today: '50.00' }),
    listedRun('d', { money: 'real', pnl: '7.00' }),
  ];
  const list = runListShape.parse(runListOf(runs, LISTED_AT));
  expect(list.sums).toMatchObject([
    { money: 'real', runs: 1, alive: 1, failed: 0, pnl: '7.00' },
    { money: 'practice', runs: 3, alive: 1, failed: 1, pnl: '7.50', today: '3.00', equity: '100.00', openOrders: 3, alarms: 1 },
  ]);
  expect(list.runs.map(({ today }) => today)).toEqual(['2.00', '1.00', '0.00', '0.00']);
});

test('two runs on one account of an exchange have its equity once; embedded and paper runs have an account each', () => {
  const hosted = { url: 'https://host.test', exchange: 'hosted', account: 7, equity: '100.00' };
  const [live, paper] = [{ ...hosted, money: 'real' } as const, { ...hosted, paper: true } as const];
  const own = { account: 7, equity: '1.00' };
  const runs = [
    listedRun('a', live),
    listedRun('b', live),
    listedRun('c', own),
    listedRun('d', own),
    listedRun('e', paper),
    listedRun('f', paper),
  ];
  const list = runListOf(runs, LISTED_AT);
  expect(list.sums.map(({ equity }) => equity)).toEqual(['100.00', '202.00']);
  expect(list.runs.at(-1)?.exchange).toBe('hosted (paper)');
});

test('the curve sums the newest profit of each run at each time: 0 before its first, and its last after its end', () => {
  const curve = curveOf([
    [
      [0, '0', '1.00'],
      [2_000, '0', '2.00'],
    ],
    [],
    [
      [1_000, '0', '-5.00'],
      [4_000, '0', '10.00'],
    ],
  ]);
  expect(curve).toEqual([
    [0, '1.00'],
    [1_000, '-4.00'],
    [2_000, '-3.00'],
    [3_000, '-3.00'],
    [4_000, '12.00'],
  ]);
  expect(curveOf([])).toEqual([]);
  const [sums] = runListOf([listedRun('a', {}, { history: history([5, '0', '3.00']) })], LISTED_AT).sums;
  expect(sums?.curve.at(-1)).toEqual([5, '3.00']);
});

test('runs are filtered by state and words, and ordered', () => {
  const { runs } = runListOf(
    [
      listedRun('old', { process: 'ended', outcome: 'done', pnl: '9.00', started: '2026-01-01T00:00:00.000Z' }),
      listedRun('broken', { process: 'ended', outcome: 'failed', reason: 'the disk is full' }),
      listedRun('living', { pnl: '-1.00', account: 12, started: '2026-01-02T11:00:00.000Z' }, { today: '4.00' }),
    ],
    LISTED_AT,
  );
  const names = (choice: Partial<Parameters<typeof shownRuns>[1]>): string[] =>
    shownRuns(runs, { state: 'all', order: 'state', text: '', ...choice }).map(({ run }) => run);
  expect(names({})).toEqual(['living', 'broken', 'old']);
  expect(names({ state: 'running' })).toEqual(['living']);
  expect(names({ state: 'failed' })).toEqual(['broken']);
  expect(names({ state: 'ended' })).toEqual(['broken', 'old']);
  expect(names({ text: ' Disk ' })).toEqual(['broken']);
  expect(names({ text: 'account 12' })).toEqual(['living']);
  expect(names({ order: 'profit' })).toEqual(['old', 'broken', 'living']);
  expect(names({ order: 'today' })[0]).toBe('living');
  expect(names({ order: 'started' })).toEqual(['living', 'broken', 'old']);
  expect(names({ order: 'name' })).toEqual(['broken', 'living', 'old']);
});

const totals = (day: string, pnl: string, trips = 0, won = 0) => ({ day, pnl, fills: trips * 2, trips, won, heldMs: trips * 1_000 });

test('the profit of days, weeks and months is the difference of the totals at their ends', () => {
  const days = [totals('2026-01-30', '4.00', 1, 1), totals('2026-01-31', '6.00', 2, 1), totals('2026-02-02', '5.00', 4, 2)];
  const start = { ...TOTALS, pnl: '1.00' };
  const profits = (period: 'day' | 'week' | 'month') => periodsOf({ start, days }, period).map(({ period: name, pnl }) => [name, pnl]);
  expect(profits('day')).toEqual([
    ['2026-02-02', -1],
    ['2026-01-31', 2],
    ['2026-01-30', 3],
  ]);
  expect(profits('week')).toEqual([
    ['2026-02-02', -1],
    ['2026-01-26', 5],
  ]);
  expect(profits('month')).toEqual([
    ['2026-02', -1],
    ['2026-01', 5],
  ]);
  expect(periodsOf({ start, days }, 'month')[0]).toMatchObject({ fills: 4, trips: 2, won: 1, heldMs: 2_000 });
  expect(totalOf({ start, days })).toMatchObject({ pnl: 4, trips: 4, won: 2 });
});
