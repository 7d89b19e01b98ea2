// The report of a run as plain data, for the HTML page, for JSON and for the CSV of the fills.
//   accounting/   the lines of a run, the ledger (counts, volume, fees, funding, PnL) and the summary
//   figures/      what a run collects for its report, and the figures from it: returns, drawdown, exposure, fill quality
//   charts/       what the charts show, as plain data
//   html/         the page; page.js draws the charts in the browser
import type { Millis } from '../base/clock.ts';
import { MICROS_PER_UNIT } from '../domain/numbers.ts';
import { hitRate, profitFactor } from './accounting/average-cost.ts';
import type { Summary } from './accounting/summary.ts';
import { type Chart, chartsOf } from './charts/charts.ts';
import { type ExposureFigures, exposureFigures, type MarginFigures, marginFigures } from './figures/exposure.ts';
import { type QualityTotal, qualityTotal } from './figures/fill-quality.ts';
import { csvOf, type FillRow, fillRows } from './figures/fill-rows.ts';
import * as performance from './figures/performance.ts';
import type { GuardRecord, ReportSeries } from './figures/report-collector.ts';

export interface TapeFacts {
  readonly file: string;
  readonly hash: string;
  readonly market: string;
  readonly source: string;
  readonly rows: number;
  /** RFC 3339. */
  readonly first: string;
  readonly last: string;
  /** True if the tape was made from candles: prices within a candle are assumed. */
  readonly candles: boolean;
}

/** What the caller knows about the run. */
export interface ReportFacts {
  readonly title: string;
  readonly summary: Summary;
  readonly params: Readonly<Record<string, unknown>>;
  readonly limits: Readonly<Record<string, unknown>>;
  readonly tapes: readonly TapeFacts[];
  /** The assumptions of the run, by name. */
  readonly assumptions: Readonly<Record<string, string>>;
  /** Remarks shown before the figures. */
  readonly notes: readonly string[];
}

/** Money is in quote tokens. Figures from the `Summary` cover the whole history of the run's state directory; the others cover this process. */
export interface Figures {
  /** `trading − fees + funding`, from the summary. */
  readonly pnl: number;
  /** Profit from prices, before fees and funding. */
  readonly trading: number;
  readonly fees: number;
  readonly funding: number;
  readonly equity: { readonly start: number; readonly end: number } | undefined;
  readonly equityChange: performance.Measure;
  readonly totalReturn: performance.Measure;
  readonly maxDrawdown: performance.Drawdown | performance.Missing;
  /** The returns that `sharpe` and `sortino` are computed from. */
  readonly returns: { readonly count: number; readonly intervalMs: Millis } | performance.Missing;
  readonly sharpe: performance.Measure;
  readonly sortino: performance.Measure;
  readonly calmar: performance.Measure;
  readonly volume: number;
  readonly turnover: performance.Measure;
  readonly fills: number;
  /** `volume / fills`. */
  readonly averageFill: performance.Measure;
  /** `Σ notional of the fills as maker / volume`. */
  readonly makerShare: performance.Measure;
  /** Fills that reduced a position. */
  readonly closing: {
    readonly count: number;
    readonly realised: number;
    readonly hitRate: performance.Measure;
    readonly profitFactor: performance.Measure;
  };
  readonly exposure: ExposureFigures;
  readonly margins: MarginFigures;
}

export interface Report extends ReportFacts {
  readonly kind: 'report';
  /** Times of the first and the last event that this process saw. */
  readonly from: Millis;
  readonly to: Millis;
  readonly figures: Figures;
  readonly quality: Readonly<Record<'all' | 'maker' | 'taker', QualityTotal>>;
  readonly guards: Readonly<Record<string, GuardRecord>>;
  readonly fills: readonly FillRow[];
  readonly charts: readonly Chart[];
}

export function reportOf(facts: ReportFacts, series: ReportSeries): Report {
  const fills = fillRows(series);
  const qualities = (role?: FillRow['role']) =>
    fills.filter((row) => role === undefined || row.role === role).map(({ quality }) => quality);
  const figures = figuresOf(facts.summary, { series, fills });
  return {
    kind: 'report',
    ...facts,
    notes: [...facts.notes, ...ownNotes(facts.summary, { figures, fills })],
    from: series.from,
    to: series.to,
    figures,
    quality: { all: qualityTotal(qualities()), maker: qualityTotal(qualities('maker')), taker: qualityTotal(qualities('taker')) },
    guards: Object.fromEntries(series.guards),
    fills,
    charts: chartsOf(series),
  };
}

/** Returns the report as JSON, without the charts and without the fills, which `fillsCsv` has. */
export function reportJson({ charts: _charts, fills: _fills, ...rest }: Report): string {
  return `${JSON.stringify(rest, undefined, 2)}\n`;
}

export const fillsCsv = ({ fills }: Report): string => csvOf(fills);

/** Notes about what the figures alone would not show. */
function* ownNotes(summary: Summary, { figures, fills }: { figures: Figures; fills: readonly FillRow[] }): Iterable<string> {
  const free = fills.filter(({ fee }) => fee === undefined).length;
  if (free > 0) yield `The exchange did not report the fee of ${free} fills; it counts as 0.`;
  if (Number(summary.volume) !== figures.volume) {
    yield 'PnL, fees, funding and orders cover the whole run with its earlier processes; the other figures cover this process.';
  }
}

function figuresOf(summary: Summary, { series, fills }: { series: ReportSeries; fills: readonly FillRow[] }): Figures {
  const { account, to } = series;
  const values = account.column('mf').map((mf) => mf / MICROS_PER_UNIT);
  const equity: performance.Curve = { times: account.times, values, end: to };
  const returns = performance.returnsOf(equity);
  const [pnl, fees, funding] = [Number(summary.pnl), Number(summary.fees), Number(summary.funding)];
  return {
    pnl,
    trading: rounded(pnl + fees - funding),
    fees,
    funding,
    equity: values.length === 0 ? undefined : { start: values[0]!, end: values.at(-1)! },
    equityChange: performance.equityChange(equity),
    totalReturn: performance.totalReturn(equity),
    maxDrawdown: performance.maxDrawdown(equity),
    returns: 'missing' in returns ? returns : { count: returns.values.length, intervalMs: returns.intervalMs },
    sharpe: performance.sharpe(returns),
    sortino: performance.sortino(returns),
    calmar: performance.calmar(equity),
    ...fillFigures(fills, equity),
    exposure: exposureFigures(account, to),
    margins: marginFigures(account),
  };
}

function fillFigures(fills: readonly FillRow[], equity: performance.Curve) {
  const volume = total(fills.map(({ notional }) => notional));
  const made = total(fills.filter(({ role }) => role === 'maker').map(({ notional }) => notional));
  const earned = fills.flatMap(({ realised }) => (realised === undefined ? [] : [realised]));
  const perFill = (value: number): performance.Measure => (fills.length === 0 ? { missing: 'nothing was filled' } : { value });
  return {
    volume,
    turnover: performance.turnover(volume, equity),
    fills: fills.length,
    averageFill: perFill(volume / fills.length),
    makerShare: perFill(made / volume),
    closing: { count: earned.length, realised: total(earned), hitRate: hitRate(earned), profitFactor: profitFactor(earned) },
  };
}

/** Rounds to the millionth, the unit of the ledger. `total` sums whole millionths, so the sum is exact. */
const rounded = (money: number): number => Math.round(money * MICROS_PER_UNIT) / MICROS_PER_UNIT;
const total = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + Math.round(value * MICROS_PER_UNIT), 0) / MICROS_PER_UNIT;
