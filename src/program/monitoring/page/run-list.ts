// The list of runs: a row for each, and for practice and real money the sums of all runs and the curve of their profit together.
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DAY, type Millis } from '../../../base/clock.ts';
import { HISTORY_FILE, type RunHistory, readHistory } from '../../../bot/run/core/history-file.ts';
import { exchangeWords, identityWords } from '../identity.ts';
import type { ListedRun } from '../listed-run.ts';
import type { RunList, RunRow, RunSums } from './contract.ts';

/** Returns the rows in the order of the runs, and the sums of those with real money before those without. */
export const runListOf = (runs: readonly ListedRun[], now: Millis): Pick<RunList, 'runs' | 'sums'> => ({
  runs: runs.map((run) => rowOf(run, now)),
  sums: (['real', 'practice'] as const).flatMap((money) => {
    const ofMoney = runs.filter(({ line }) => line.money === money);
    return ofMoney.length === 0 ? [] : [sumsOf(money, ofMoney, now)];
  }),
});

function rowOf(run: ListedRun, now: Millis): RunRow {
  const { line, id } = run;
  const { at, markets, state } = line;
  return {
    ...line,
    id,
    exchange: exchangeWords(line),
    markets: [...markets],
    state: resolve(state),
    identity: identityWords(line),
    today: at === undefined ? undefined : todayOf(run, now).toFixed(2),
    ageMs: at === undefined ? undefined : Math.max(0, now - Date.parse(at)),
  };
}

/** Returns the profit since 00:00 UTC; 0 for a run without a turn today. */
function todayOf({ line: { at }, today = '0' }: ListedRun, now: Millis): number {
  return at !== undefined && Math.floor(Date.parse(at) / DAY) === Math.floor(now / DAY) ? Number(today) : 0;
}

function sumsOf(money: RunSums['money'], runs: readonly ListedRun[], now: Millis): RunSums {
  const sum = (of: (run: ListedRun) => number): number => runs.reduce((total, run) => total + of(run), 0);
  const alive = runs.filter(({ line }) => line.process !== 'ended');
  return {
    money,
    runs: runs.length,
    alive: alive.length,
    failed: runs.filter(({ line }) => line.outcome === 'failed').length,
    pnl: sum(({ line }) => Number(line.pnl ?? 0)).toFixed(2),
    today: sum((run) => todayOf(run, now)).toFixed(2),
    equity: equityOf(alive),
    openOrders: alive.reduce((total, { line }) => total + (line.openOrders ?? 0), 0),
    alarms: alive.reduce((total, { line }) => total + (line.alarms ?? 0), 0),
    curve: curveOf(runs.flatMap(({ history }) => (history === undefined ? [] : [history.points]))),
  };
}

/** Returns the sum over the accounts: two runs on one account of an exchange count once. Each practice run has its own. Undefined if no account is known. */
function equityOf(runs: readonly ListedRun[]): string | undefined {
  const accounts = new Map<string, number>();
  for (const { line } of runs) {
    const { money, exchange, url, account, state, equity } = line;
    const key = money === 'practice' || account === undefined ? state : JSON.stringify([exchange, url, account]);
    if (equity !== undefined) accounts.set(key, Number(equity));
  }
  return accounts.size === 0 ? undefined : [...accounts.values()].reduce((sum, equity) => sum + equity, 0).toFixed(2);
}

/** Number of steps of the curve. */
const STEPS = 240;

/** Returns the profit of all runs together, at equal steps of time. A run counts with its newest profit, with 0 before its first. */
export function curveOf(histories: readonly RunHistory['points'][]): RunSums['curve'] {
  const withPoints = histories.filter(({ length }) => length > 0);
  if (withPoints.length === 0) return [];
  const from = Math.min(...withPoints.map(([first]) => first![0]));
  const to = Math.max(...withPoints.map((points) => points.at(-1)![0]));
  const count = Math.max(1, Math.min(STEPS, Math.ceil((to - from) / 1_000)));
  const sums = Array.from({ length: count + 1 }, () => 0);
  for (const points of withPoints) {
    let next = 0;
    for (let step = 0; step <= count; step++) {
      const at = from + ((to - from) * step) / count;
      while (next < points.length && points[next]![0] <= at) next++;
      sums[step]! += next === 0 ? 0 : Number(points[next - 1]![2]);
    }
  }
  return sums.map((sum, step) => [Math.round(from + ((to - from) * step) / count), sum.toFixed(2)]);
}

/** Returns a reader of the histories of state directories that reads a file again only after it has changed. */
export function historyReader(): (directory: string) => RunHistory | undefined {
  const read = new Map<string, { readonly changed: number; readonly history: RunHistory | undefined }>();
  return (directory) => {
    const changed = statSync(join(directory, HISTORY_FILE), { throwIfNoEntry: false })?.mtimeMs;
    if (changed === undefined) return undefined;
    const kept = read.get(directory);
    if (kept?.changed === changed) return kept.history;
    const history = readHistory(directory);
    read.set(directory, { changed, history });
    return history;
  };
}
