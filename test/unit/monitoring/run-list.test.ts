// The list of runs: its sums, the curve of all runs together, its filters and orders.
import { expect, test } from 'vitest';
import type { RunHistory } from '../../../src/bot/run/core/history-file.ts';
import { shownRuns } from '../../../src/program/monitoring/page/browser/shown-runs.ts';
import { runListShape } from '../../../src/program/monitoring/page/contract.ts';
import { curveOf, type ListedRun, runListOf } from '../../../src/program/monitoring/page/run-list.ts';
import type { RunLine } from '../../../src/program/run-line.ts';

const NOW = Date.parse('2026-01-02T12:00:00Z');
const TOTALS = { pnl: '0.00', fills: 0, trips: 0, won: 0, heldMs: 0 };

const history = (...points: RunHistory['points'][number][]): RunHistory => ({ points, start: TOTALS, days: [] });

function listed(run: string, line: Partial<RunLine> = {}, more: Partial<ListedRun> = {}): ListedRun {
  const made: RunLine = {
    kind: 'run',
    run,
    state: `/runs/${run}`,
    money: 'practice',
    strategy: 'grid',
    exchange: 'embedded',
    markets: ['BTCUSDC'],
    started: '2026-01-02T10:00:00.000Z',
    process: 'alive',
    outcome: 'running',
    mode: 'active',
    at: '2026-01-02T11:59:59.000Z',
    pnl: '0.00',
    ...line,
  };
  return { line: made, id: run, history: undefined, ...more };
}

test('sums practice and real money apart, today only of today, orders and alarms only of living runs', () => {
  const runs = [
    listed('a', { pnl: '10.50', equity: '100.00', openOrders: 3, alarms: 1 }, { today: '2.00' }),
    listed('b', { pnl: '-4.00', equity: '200.00', openOrders: 2, outcome: 'failed', process: 'ended' }, { today: '1.00' }),
    listed('c', { pnl: '1.00', process: 'ended', outcome: 'done', at: '2026-01-01T23:59:59.000Z' }, { today: '50.00' }),
    listed('d', { money: 'real', pnl: '7.00' }),
  ];
  const list = runListShape.parse(runListOf(runs, NOW));
  expect(list.sums).toMatchObject([
    { money: 'real', runs: 1, alive: 1, failed: 0, pnl: '7.00' },
    { money: 'practice', runs: 3, alive: 1, failed: 1, pnl: '7.50', today: '3.00', equity: '100.00', openOrders: 3, alarms: 1 },
  ]);
  expect(list.runs.map(({ today }) => today)).toEqual(['2.00', '1.00', '0.00', '0.00']);
});

test('two runs on one account of an exchange have its equity once; accounts of embedded exchanges are their own', () => {
  const hosted = { url: 'https://host.test', exchange: 'hosted', account: 7, equity: '100.00' };
  const own = { account: 7, equity: '1.00' };
  const [sums] = runListOf([listed('a', hosted), listed('b', hosted), listed('c', own), listed('d', own)], NOW).sums;
  expect(sums?.equity).toBe('102.00');
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
  const [sums] = runListOf([listed('a', {}, { history: history([5, '0', '3.00']) })], NOW).sums;
  expect(sums?.curve.at(-1)).toEqual([5, '3.00']);
});

test('runs are filtered by state and words, and ordered', () => {
  const { runs } = runListOf(
    [
      listed('old', { process: 'ended', outcome: 'done', pnl: '9.00', started: '2026-01-01T00:00:00.000Z' }),
      listed('broken', { process: 'ended', outcome: 'failed', reason: 'the disk is full' }),
      listed('living', { pnl: '-1.00', account: 12, started: '2026-01-02T11:00:00.000Z' }, { today: '4.00' }),
    ],
    NOW,
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
