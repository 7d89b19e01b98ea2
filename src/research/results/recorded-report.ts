// Makes the report and the tables of a run from the recorded turns in its state directory.
import type { Account } from '../../domain/account.ts';
import { Market } from '../../domain/market.ts';
import type { Micros } from '../../domain/numbers.ts';
import type { Turn } from '../../domain/turn.ts';
import { Ledger } from '../../report/accounting/ledger.ts';
import { type Summary, summaryOf } from '../../report/accounting/summary.ts';
import { TurnCauses } from '../../report/accounting/turn-causes.ts';
import { ReportCollector } from '../../report/figures/report-collector.ts';
import { type Report, reportOf } from '../../report/report.ts';
import { runTables } from '../../report/tables/run-tables.ts';
import type { Table } from '../../report/tables/table.ts';
import { TurnRows } from '../../report/tables/turn-rows.ts';
import { RULE_NAMES } from '../../risk/rules.ts';
import { Fingerprint } from '../../run/core/fingerprint.ts';
import type { RunFacts } from '../../run/state/facts.ts';
import { profitOf } from '../../world/position/accounting.ts';
import { Profit } from '../../world/position/profit.ts';
import { openRecordedRun, type RecordedRun, turnsOf } from '../parity/recorded-run.ts';

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
  const collector = new ReportCollector({ markets });
  const rows = new TurnRows(markets);
  const books = new RecordedBooks(markets, profitOf(recorded.processes[0]!.header.history.accounting).total);
  for await (const turn of allTurns(recorded)) {
    collector.see(turn, { orders: () => [] });
    rows.see(turn);
    books.see(turn);
  }
  const series = collector.collected();
  const report = reportOf(
    {
      title: `${facts.run}: ${facts.strategy} on ${markets.map(({ symbol }) => symbol).join(', ')}`,
      summary: books.summary(facts, (series.to - series.from) / 1_000),
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

/** Accounts for the recorded turns, as the run's ledger did. */
class RecordedBooks {
  readonly #markets: readonly Market[];
  readonly #ledger: Ledger;
  readonly #fingerprint = new Fingerprint();
  readonly #causes = new TurnCauses();
  #account: Account | undefined;
  #profit: Micros;
  /** For the profit of single markets; the total is the run's own. */
  readonly #profits: Profit;

  /** `profit`: before the first turn. */
  constructor(markets: readonly Market[], profit: Micros) {
    this.#markets = markets;
    this.#profit = profit;
    this.#profits = new Profit(markets);
    this.#ledger = new Ledger({ markets, guards: RULE_NAMES });
    this.#ledger.follow(this.#profits.funding);
  }

  see(turn: Turn): void {
    this.#causes.add(turn);
    this.#profit = turn.profit?.total ?? this.#profit;
    this.#ledger.add(turn);
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
      totals: this.#ledger.totals(),
      profit: this.#profit,
      profits: this.#profits.byMarket(),
      orders: [],
      account: this.#account,
      markets: this.#markets,
      fingerprint: this.#fingerprint.hex(),
    });
  }
}
