// All figures of a run, from its summary and its collected data. `reportJson` writes them; the page shows the most important ones.
// equity/   figures of the equity curve: returns, drawdowns, months, the benchmark
// trades/   figures of fills, round trips and resting times of orders
// report-collector.ts, columns.ts   collect the data during a run

import type { Millis } from '../../../base/clock.ts';
import type { Summary } from '../../../bot/accounting/summary.ts';
import { MICROS_PER_UNIT } from '../../../bot/domain/numbers.ts';
import { type BenchmarkFigures, benchmarkFigures, holdCurve } from './equity/benchmark.ts';
import { type Curve, type Measure, type Missing, type Returns, returnsOf, stepsPerScale } from './equity/curve.ts';
import { type Drawdown, largestDrawdowns, maxDrawdown, timeUnderWater } from './equity/drawdowns.ts';
import { type MonthReturn, monthReturns } from './equity/months.ts';
import * as performance from './equity/performance.ts';
import { type ReturnFigures, returnFigures } from './equity/return-figures.ts';
import { type ExposureFigures, exposureFigures, type MarginFigures, marginFigures } from './exposure.ts';
import { activeMarkets, type ReportSeries } from './report-collector.ts';
import type { QualityTotal } from './trades/fill-quality.ts';
import type { FillRow, Trades } from './trades/fill-rows.ts';
import { type TripFigures, tripFigures } from './trades/round-trips.ts';
import { type TradeFigures, tradeFigures } from './trades/trade-figures.ts';

/** The figures of the returns, with the number and length of the steps. */
export type ReturnSummary = ReturnFigures & { readonly count: number; readonly intervalMs: Millis; readonly scale: 'year' | 'day' };

/** Money is in quote tokens. Figures from the `Summary` cover the whole history of the run's state directory; the others cover this process. */
export interface Figures {
  /** `trading − fees + funding`, from the summary. */
  readonly pnl: number;
  /** Profit from prices, before fees and funding. */
  readonly trading: number;
  readonly fees: number;
  readonly funding: number;
  readonly attribution: ProfitAttribution;
  readonly equity: { readonly start: number; readonly end: number } | undefined;
  readonly equityChange: Measure;
  readonly totalReturn: Measure;
  readonly annualGrowth: Measure;
  readonly maxDrawdown: Drawdown | Missing;
  /** The five largest, the largest first. */
  readonly drawdowns: readonly Drawdown[];
  /** Fraction of the time in which the equity was below its highest value so far. */
  readonly timeUnderWater: Measure;
  readonly calmar: Measure;
  readonly recoveryFactor: Measure;
  readonly returns: ReturnSummary | Missing;
  readonly months: readonly MonthReturn[];
  readonly benchmark: BenchmarkFigures;
  readonly volume: number;
  readonly turnover: Measure;
  /** `turnover / days`. */
  readonly turnoverPerDay: Measure;
  /** Fees in basis points of the volume. */
  readonly feeRate: Measure;
  /** Profit before fees in basis points of the volume: the fee rate at which the profit is 0. */
  readonly breakEvenRate: Measure;
  readonly fills: number;
  /** `volume / fills`. */
  readonly averageFill: Measure;
  /** `Σ notional of the fills as maker / volume`. */
  readonly makerShare: Measure;
  /** Figures of the fills that reduced a position, each counted as a trade. */
  readonly closing: TradeFigures;
  /** Figures of the closed round trips; `open` is the number of open ones. */
  readonly trips: Readonly<Record<'all' | 'long' | 'short', TripFigures>> & { readonly open: number };
  readonly exposure: ExposureFigures;
  readonly margins: MarginFigures;
}

interface FigureInputs {
  readonly series: ReportSeries;
  readonly trades: Trades;
  readonly quality: QualityTotal;
}

/** Number of the largest drawdowns in the report. */
const LISTED_DRAWDOWNS = 5;

/** Computes all figures of a run. */
export function figuresOf(summary: Summary, { series, trades, quality }: FigureInputs): Figures {
  const { account, to } = series;
  const equity = equityOf(series);
  const { values } = equity;
  const returns = returnsOf(equity);
  const [pnl, fees, funding] = [Number(summary.pnl), Number(summary.fees), Number(summary.funding)];
  return {
    pnl,
    trading: rounded(pnl + fees - funding),
    fees,
    funding,
    attribution: attributionOf(summary, quality),
    equity: values.length === 0 ? undefined : { start: values[0]!, end: values.at(-1)! },
    equityChange: performance.equityChange(equity),
    totalReturn: performance.totalReturn(equity),
    annualGrowth: performance.annualGrowth(equity),
    maxDrawdown: maxDrawdown(equity),
    drawdowns: largestDrawdowns(equity, LISTED_DRAWDOWNS),
    timeUnderWater: timeUnderWater(equity),
    calmar: performance.calmar(equity),
    recoveryFactor: performance.recoveryFactor(equity),
    returns: 'missing' in returns ? returns : returnSummary(returns),
    months: monthReturns(equity),
    benchmark: benchmarkFigures(holdCurve(activeMarkets(series), equity), returns),
    ...fillFigures(trades.rows, equity, pnl + fees),
    trips: {
      all: tripFigures(trades.trips),
      long: tripFigures(trades.trips.filter(({ direction }) => direction === 'long')),
      short: tripFigures(trades.trips.filter(({ direction }) => direction === 'short')),
      open: trades.openTrips,
    },
    exposure: exposureFigures(account, to),
    margins: marginFigures(account, to),
  };
}

function returnSummary(returns: Returns): ReturnSummary {
  const { values, intervalMs, scale } = returns;
  return { count: values.length, intervalMs, scale, ...returnFigures(values, stepsPerScale(returns)) };
}

/** Returns the equity of the account: `mf`, in quote money. */
export const equityOf = ({ account, to }: ReportSeries): Curve => ({
  times: account.times,
  values: account.column('mf').map((mf) => mf / MICROS_PER_UNIT),
  end: to,
});

function fillFigures(fills: readonly FillRow[], equity: Curve, beforeFees: number) {
  const volume = total(fills.map(({ notional }) => notional));
  const made = total(fills.filter(({ role }) => role === 'maker').map(({ notional }) => notional));
  const charged = fills.reduce((sum, { fee }) => sum + Number(fee ?? 0), 0);
  const earned = fills.flatMap(({ realised }) => (realised === undefined ? [] : [realised]));
  const perFill = (value: number): Measure => (fills.length === 0 ? { missing: 'nothing was filled' } : { value });
  const turnover = performance.turnover(volume, equity);
  return {
    volume,
    turnover,
    turnoverPerDay: performance.perDay(turnover, equity),
    feeRate: perFill((charged / volume) * 1e4),
    breakEvenRate: perFill((beforeFees / volume) * 1e4),
    fills: fills.length,
    averageFill: perFill(volume / fills.length),
    makerShare: perFill(made / volume),
    closing: tradeFigures(earned),
  };
}

/** Sums whole millionths, so that the sum is exact. */
const total = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + Math.round(value * MICROS_PER_UNIT), 0) / MICROS_PER_UNIT;

/** The profit of a run by its causes, in quote money. `spread + price − fees + funding` is the whole. */
interface ProfitAttribution {
  /** Spread captured: by how much the fills were better than the mid price at their time. Positive for a maker, negative for a taker. */
  readonly spread: number;
  /** Earned by positions through price moves; includes fills whose mid price is not known. */
  readonly price: number;
  readonly fees: number;
  readonly funding: number;
}

function attributionOf({ pnl, fees, funding }: Summary, { spread }: QualityTotal): ProfitAttribution {
  const [charged, earned] = [Number(fees), Number(funding)];
  return { spread: spread.money, price: rounded(Number(pnl) + charged - earned - spread.money), fees: charged, funding: earned };
}

/** Rounds to the millionth, the unit of money. */
const rounded = (money: number): number => Math.round(money * MICROS_PER_UNIT) / MICROS_PER_UNIT;
