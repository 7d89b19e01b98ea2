// The report of a run as plain data, for the HTML page, for JSON and for the CSV of the fills.
//   figures/      collects the data of a run, and computes its figures: returns, drawdown, exposure, fill quality
//   charts/       the charts as plain data
//   tables/       equity, fills, orders, findings and turns as columns, for Parquet and CSV
//   html/         the page; page-script.js draws the charts in the browser
//   band.ts       notes on a band of runs; comparison.ts compares several runs

import type { Millis } from '../../base/clock.ts';
import type { Summary } from '../../bot/accounting/summary.ts';
import type { MarketSpec } from '../../bot/domain/market.ts';
import { type Chart, chartsOf } from './charts/charts.ts';
import type { CandleFigures } from './figures/candle-figures.ts';
import { type Missing, type Returns, returnsOf } from './figures/equity/curve.ts';
import { equityOf, type Figures, figuresOf } from './figures/figures.ts';
import type { GuardRecord, ReportSeries } from './figures/report-collector.ts';
import { type QualityTotal, qualityTotal } from './figures/trades/fill-quality.ts';
import { type FillRow, tradesOf } from './figures/trades/fill-rows.ts';
import type { RoundTrip } from './figures/trades/round-trips.ts';
import { gain } from './html/format.ts';

export interface ReportTape {
  readonly file: string;
  readonly hash: string;
  readonly market: string;
  readonly source: string;
  readonly rows: number;
  /** RFC 3339. */
  readonly first: string;
  readonly last: string;
  /** True if the tape was made from candles. The path of prices within a candle is then assumed. */
  readonly candles: boolean;
}

/** Facts that the caller provides. */
export interface ReportFacts {
  readonly title: string;
  readonly summary: Summary;
  readonly params: Readonly<Record<string, unknown>>;
  readonly limits: Readonly<Record<string, unknown>>;
  readonly tapes: readonly ReportTape[];
  /** The assumptions of the run, by name. */
  readonly assumptions: Readonly<Record<string, string>>;
  /** Remarks shown before the figures. */
  readonly notes: readonly string[];
}

/** Raised when the JSON of a report changes, so that reports of different versions are not compared. */
export const REPORT_VERSION = 2;

export interface Report extends ReportFacts {
  readonly kind: 'report';
  readonly version: typeof REPORT_VERSION;
  /** The markets of the run. */
  readonly markets: readonly MarketSpec[];
  /** Times of the first and the last event that this process saw. */
  readonly from: Millis;
  readonly to: Millis;
  readonly figures: Figures;
  readonly quality: Readonly<Record<'all' | 'maker' | 'taker', QualityTotal>>;
  readonly guards: Readonly<Record<string, GuardRecord>>;
  /** One for each market that follows a tape of candles. */
  readonly candles: readonly CandleFigures[];
  readonly fills: readonly FillRow[];
  readonly trips: readonly RoundTrip[];
  readonly charts: readonly Chart[];
  /** The returns of the equity over equal steps. */
  readonly returns: Returns | Missing;
}

/** Returns the report of a run, from the facts of the caller and the collected data. */
export function reportOf(facts: ReportFacts, series: ReportSeries): Report {
  const trades = tradesOf(series);
  const fills = trades.rows;
  const qualities = (role?: FillRow['role']) =>
    fills.filter((row) => role === undefined || row.role === role).map(({ quality }) => quality);
  const quality = { all: qualityTotal(qualities()), maker: qualityTotal(qualities('maker')), taker: qualityTotal(qualities('taker')) };
  const figures = figuresOf(facts.summary, { series, trades, quality: quality.all });
  return {
    kind: 'report',
    version: REPORT_VERSION,
    ...facts,
    markets: series.markets.map(({ market }) => market.spec),
    notes: [
      ...facts.notes,
      ...ownNotes(facts.summary, { figures, fills }),
      ...series.candles.flatMap((one) => [...guessNotes(one, figures.pnl)]),
    ],
    from: series.from,
    to: series.to,
    figures,
    quality,
    guards: Object.fromEntries(series.guards),
    candles: series.candles,
    fills,
    trips: trades.trips,
    charts: chartsOf(series),
    returns: returnsOf(equityOf(series)),
  };
}

/** The JSON of a report: without the charts and single returns, and without the fills and round trips, which are in the tables. */
export type SavedReport = Omit<Report, 'charts' | 'returns' | 'fills' | 'trips'>;

export function reportJson({ charts: _charts, returns: _returns, fills: _fills, trips: _trips, ...rest }: Report): string {
  return `${JSON.stringify(rest, undefined, 2)}\n`;
}

/** Notes on the fills in candles whose sequence is assumed, with the profit of either sequence. */
function* guessNotes({ market, guessed, exits, fills }: CandleFigures, pnl: number): Iterable<string> {
  if (guessed > 0) {
    yield `${market}: ${guessed} of ${fills} fills were in candles in which orders of both sides were filled. Which came first is assumed. The strategy does not act in between, so the profit is the same in either order, unless the orders are as large as the volume of the candle.`;
  }
  if (exits.guessed > 0) {
    yield `${market}: ${exits.guessed} of ${fills} fills are exits in candles that reached both a stop and a take profit. Which came first is assumed: the profit is ${gain(pnl)} as in this backtest, and ${gain(pnl + exits.otherwise)} if always the other one, at its price. A second tape of the market with shorter candles decides it.`;
  }
  if (exits.trails > 0)
    yield `${market}: in ${exits.trails} candles a trailing stop was reached only if the better extreme came first. It is assumed that it came last, so the stop was not reached.`;
}

/** Notes on fees and on the time that the figures cover. */
function* ownNotes(summary: Summary, { figures, fills }: { figures: Figures; fills: readonly FillRow[] }): Iterable<string> {
  const free = fills.filter(({ fee }) => fee === undefined).length;
  if (free > 0) yield `The exchange did not report the fee of ${free} fills; it counts as 0.`;
  if (Number(summary.volume) !== figures.volume) {
    yield 'Profit, fees, funding and orders cover the whole run with its earlier processes; the other figures cover this process.';
  }
}
