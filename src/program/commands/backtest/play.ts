// Plays one backtest, and collects what its report, its tables and its log need.

import { systemClock } from '../../../base/clock.ts';
import { assert } from '../../../base/errors.ts';
import { maxAgeOf, type Polling } from '../../../bot/exchange/kit/streams/polling.ts';
import type { Trading } from '../../../bot/run/core/trading.ts';
import { type BacktestResult, backtest as play } from '../../../research/backtest/backtest.ts';
import { FRESH_MS } from '../../../research/report/figures/columns.ts';
import { ReportCollector, type ReportSeries } from '../../../research/report/figures/report-collector.ts';
import { type Report, reportOf } from '../../../research/report/report.ts';
import { runTables } from '../../../research/report/tables/run-tables.ts';
import type { Table } from '../../../research/report/tables/table.ts';
import { TurnTable } from '../../../research/report/tables/turn-rows.ts';
import { type Host, say } from '../../host.ts';
import { jsonFormOf } from '../../output/json.ts';
import { withProgress } from '../../output/progress.ts';
import { asWorkersPlay, letYoungGenerationGrow } from '../../process/heap.ts';
import { reportFactsOf } from './facts.ts';
import type { BacktestFlags, BacktestPlan } from './plan.ts';

/** Returns the symbols of the markets with fills. */
function tradedIn({ markets, fills }: ReportSeries): ReadonlySet<string> {
  const ids = new Set(fills.map(({ market }) => market));
  return new Set(markets.flatMap(({ market }) => (ids.has(market.id) ? [market.symbol] : [])));
}

/** A planned backtest. */
export interface BacktestToPlay {
  readonly plan: BacktestPlan;
  readonly flags: BacktestFlags;
  readonly host: Host;
}

/** A backtest that was played. */
export interface PlayedBacktest {
  readonly result: BacktestResult;
  readonly report: Report;
  readonly tables: readonly Table[];
  /** The log of the strategy as JSON lines. */
  readonly log: readonly string[];
  readonly wallMs: number;
}

/** Maximum number of log lines kept in a backtest; later lines are dropped. */
const MAX_LOG_LINES = 100_000;

class BoundedLog {
  readonly #lines: string[] = [];
  #dropped = 0;

  add(line: string): void {
    if (this.#lines.length < MAX_LOG_LINES) this.#lines.push(line);
    else this.#dropped++;
  }

  get lines(): readonly string[] {
    return this.#dropped === 0 ? this.#lines : [...this.#lines, JSON.stringify({ kind: 'dropped', lines: this.#dropped })];
  }
}

/** From so many rows on, the memory of a backtest stays small, although it takes a little longer. */
const MANY_ROWS = 20e6;

/** Runs one backtest. `what` is its name in the progress bar; with `printEvents`, prints its events as JSON lines. */
export async function playWith(
  { plan, flags, host }: BacktestToPlay,
  { what, printEvents }: { what: string; printEvents: boolean },
): Promise<PlayedBacktest> {
  const started = systemClock.now();
  let collector: ReportCollector | undefined;
  let turnRows: TurnTable | undefined;
  const log = new BoundedLog();
  const watch = ({ run, lines, logs }: Trading, { orderBookMs }: Polling): void => {
    const watching = new ReportCollector({ markets: [...run.world.markets.values()], freshMs: maxAgeOf(FRESH_MS, orderBookMs) });
    collector = watching;
    const rows = new TurnTable([...run.world.markets.values()]);
    turnRows = rows;
    run.turns.subscribe((turn) => {
      watching.see(turn, run.world);
      rows.see(turn);
    });
    logs.subscribe((line) => log.add(JSON.stringify(jsonFormOf(line))));
    if (printEvents) lines.subscribe((line) => say(host.stdout, JSON.stringify(jsonFormOf(line))));
  };
  const printStatus = (trading: Trading): void => say(host.stdout, JSON.stringify(trading.status()));
  const onSecond = printEvents ? printStatus : undefined;
  if (plan.tapes.reduce((rows, { facts }) => rows + facts.rows, 0) < MANY_ROWS) letYoungGenerationGrow();
  return withProgress(what, host, async (progress) => {
    const result = await asWorkersPlay(() => play({ ...plan, watch, onSecond, progress }));
    if (result.ending.kind === 'failed') throw result.ending.error;
    assert(collector !== undefined && turnRows !== undefined, 'a backtest that ended has been watched');
    const series = collector.collected();
    const report = reportOf(reportFactsOf(plan, flags, result, tradedIn(series)), series);
    const tables = runTables(report, series, turnRows.tables());
    return { result, report, tables, log: log.lines, wallMs: systemClock.now() - started };
  });
}
