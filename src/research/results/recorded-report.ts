// Makes the report and the tables of a run from the recorded turns in its state directory.

import { RunCounts } from '../../bot/accounting/run-counts.ts';
import { type Summary, summaryOf } from '../../bot/accounting/summary.ts';
import { TurnCauses } from '../../bot/accounting/turn-causes.ts';
import type { Account } from '../../bot/domain/account.ts';
import type { RunTotals } from '../../bot/domain/accounting/run-totals.ts';
import { Market } from '../../bot/domain/market.ts';
import type { Turn } from '../../bot/domain/turn.ts';
import { RULE_NAMES } from '../../bot/risk/rules.ts';
import { Fingerprint } from '../../bot/run/core/fingerprint.ts';
import { totalsOf } from '../../bot/world/position/accounting.ts';
import { Profit } from '../../bot/world/position/profit.ts';
import type { RunFacts } from '../../venues/kind/facts.ts';
import { openRecordedRun, type RecordedRun, turnsOf } from '../parity/recorded-run.ts';
import { ReportCollector } from '../report/figures/report-collector.ts';
import { type Report, reportOf } from '../report/report.ts';
import { runTables } from '../report/tables/run-tables.ts';
import type { Table } from '../report/tables/table.ts';
import { TurnTable } from '../report/tables/turn-rows.ts';

export interface RunResults {
  readonly report: Report;
  readonly tables: readonly Table[];
}

/**
 * Reads all recorded processes of the run. Figures cover the recorded time; a note names missing parts. Throws a UserError `recording` if nothing can
 * be read.
 */
export async function resultsOfRun(directory: string, facts: RunFacts): Promise<RunResults> {
  const recorded = await openRecordedRun(directory);
  const { header } = recorded.processes.at(-1)!;
  const markets = header.markets.map((spec) => new Market(spec));
  const { history } = recorded.processes[0]!.header;
  const before = totalsOf(history, markets);
  const collector = new ReportCollector({ markets, before });
  const rows = new TurnTable(markets);
  const summary = new RecordedSummary(markets, before);
  for await (const turn of allTurns(recorded)) {
    collector.see(turn, { orders: () => [] });
    rows.see(turn);
    summary.see(turn);
  }
  const series = collector.collected();
  const report = reportOf(
    {
      title: `${facts.run}: ${facts.strategy} on ${markets.map(({ symbol }) => symbol).join(', ')}`,
      summary: summary.summary(facts, (series.to - series.from) / 1_000),
      params: header.params as Report['params'],
      limits: header.limits as Report['limits'],
      tapes: [],
      assumptions: { data: `the turns that the run recorded; ${recorded.processes.length} processes` },
      notes: recorded.damage,
    },
    series,
  );
  return { report, tables: runTables(report, series, rows.tables()) };
}

async function* allTurns(recorded: RecordedRun): AsyncIterable<Turn> {
  for (const process of recorded.processes) yield* turnsOf(process, recorded);
}

/** Collects the summary from the recorded turns. The totals are those that the run recorded. */
class RecordedSummary {
  readonly #markets: readonly Market[];
  readonly #counts = new RunCounts(RULE_NAMES);
  readonly #fingerprint = new Fingerprint();
  readonly #causes = new TurnCauses();
  #account: Account | undefined;
  #totals: RunTotals;
  /** Counts the profit of each market. */
  readonly #profits: Profit;

  /** `totals`: before the first turn. */
  constructor(markets: readonly Market[], totals: RunTotals) {
    this.#markets = markets;
    this.#totals = totals;
    this.#profits = new Profit(markets);
  }

  see(turn: Turn): void {
    this.#causes.add(turn);
    this.#totals = turn.totals ?? this.#totals;
    this.#counts.add(turn);
    this.#profits.filled(turn);
    for (const correction of turn.corrections ?? []) this.#profits.corrected(correction);
    this.#fingerprint.add(turn.actions);
    for (const event of turn.events) {
      if (event.kind === 'accountSeen') {
        this.#account = event.account;
        this.#profits.accountSeen(event);
      }
      if (event.kind === 'infoSeen') this.#profits.infoSeen(event);
    }
  }

  summary({ run, strategy, exchange }: RunFacts, seconds: number): Summary {
    return summaryOf({
      run,
      strategy,
      exchange: exchange.kind,
      seconds,
      turns: this.#causes.counts(),
      counts: this.#counts.counts(),
      totals: this.#totals,
      byMarket: this.#profits.byMarket(),
      orders: [],
      account: this.#account,
      markets: this.#markets,
      fingerprint: this.#fingerprint.hex(),
    });
  }
}
