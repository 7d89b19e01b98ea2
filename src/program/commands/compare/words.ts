// Formats a comparison: as lines for a terminal, and as one JSON object.
import { timeText } from '../../../base/text/duration.ts';
import { type Compared, differencesOf, remarksOn, type SettingDifference } from '../../../research/report/comparison.ts';
import type { Measure } from '../../../research/report/figures/equity/curve.ts';
import { count, gain, money, percent, ratio, second, span } from '../../../research/report/html/format.ts';
import { safeText, tableLines } from '../../output/table.ts';

type Cells = readonly [name: string, values: readonly (string | undefined)[]];

const measured = (measure: Measure, text: (value: number) => string): string => ('missing' in measure ? '–' : text(measure.value));

type Figures = Compared['report']['figures'];
const drawdownText = ({ maxDrawdown: fall }: Figures): string => ('missing' in fall ? '–' : percent(fall.fraction));
const sharpeText = ({ returns }: Figures): string =>
  'missing' in returns || returns.sharpe === undefined ? '–' : `${ratio(returns.sharpe)} a ${returns.scale}`;

const ROWS: readonly (readonly [name: string, text: (run: Compared) => string])[] = [
  ['from', ({ report }) => second(report.from)],
  ['time', ({ report }) => span(report.to - report.from)],
  ['profit', ({ report: { figures } }) => gain(figures.pnl)],
  ['  spread', ({ report: { figures } }) => gain(figures.attribution.spread)],
  ['  price', ({ report: { figures } }) => gain(figures.attribution.price)],
  ['  fees', ({ report: { figures } }) => gain(-figures.fees)],
  ['  funding', ({ report: { figures } }) => gain(figures.funding)],
  ['return', ({ report: { figures } }) => measured(figures.totalReturn, percent)],
  ['drawdown', ({ report: { figures } }) => drawdownText(figures)],
  ['under water', ({ report: { figures } }) => measured(figures.timeUnderWater, percent)],
  ['sharpe', ({ report: { figures } }) => sharpeText(figures)],
  ['fills', ({ report: { figures } }) => count(figures.fills)],
  ['volume', ({ report: { figures } }) => money(figures.volume)],
  ['maker share', ({ report: { figures } }) => measured(figures.makerShare, percent)],
  ['round trips', ({ report: { figures } }) => count(figures.trips.all.count)],
  ['win rate', ({ report: { figures } }) => measured(figures.trips.all.winRate, percent)],
  ['profit factor', ({ report: { figures } }) => measured(figures.trips.all.profitFactor, ratio)],
  ['market', ({ report: { figures } }) => measured(figures.benchmark.totalReturn, percent)],
  ['hash', ({ report: { summary } }) => summary.fingerprint.slice(0, 12)],
];

/** Returns a table with one column per run, then differences and remarks. */
export function comparisonWords(runs: readonly Compared[]): readonly string[] {
  const differences = differencesOf(runs).map(({ name, values }): Cells => [name, values.map((value) => value && shortened(value))]);
  const rows: readonly Cells[] = [
    ['', runs.map(({ name }) => name)],
    ...ROWS.map(([name, text]): Cells => [name, runs.map((run) => text(run))]),
  ];
  return [
    ...aligned(rows),
    ...(differences.length === 0 ? ['no parameter, limit, assumption or tape differs'] : ['what differs:', ...aligned(differences)]),
    ...remarksOn(runs).map((remark) => `note: ${remark}`),
  ];
}

const MAX_CHARACTERS = 40;
const shortened = (text: string): string => (text.length > MAX_CHARACTERS ? `${text.slice(0, MAX_CHARACTERS - 1)}…` : text);

/** Returns rows with columns of equal width; numbers are right-aligned. */
function aligned(rows: readonly Cells[]): readonly string[] {
  const first = Math.max(...rows.map(([name]) => name.length));
  const cells = rows.map(([, values]) => values.map((value) => safeText(value ?? '–')));
  return tableLines(cells, 'right', '   ').map((line, row) => `  ${safeText(rows[row]?.[0] ?? '').padEnd(first)}  ${line}`);
}

/** Amounts of money are decimal text; ratios and fractions are numbers, absent where they are not defined. */
export function comparedLine(
  runs: readonly Compared[],
  { differences, remarks }: { differences: readonly SettingDifference[]; remarks: readonly string[] },
): object {
  return { kind: 'compare', runs: runs.map(runLine), differences, notes: remarks };
}

const valueOf = (measure: Measure): number | undefined => ('missing' in measure ? undefined : measure.value);

function runLine({ name, report: { title, from, to, summary, figures, markets } }: Compared): object {
  const { strategy, exchange, orders, fills, volume, fees, funding, pnl, fingerprint } = summary;
  const { returns, maxDrawdown, trips } = figures;
  return {
    name,
    title,
    strategy,
    exchange,
    markets: markets.map(({ symbol }) => symbol),
    from: timeText(from),
    to: timeText(to),
    pnl,
    fees,
    funding,
    volume,
    fills,
    orders,
    totalReturn: valueOf(figures.totalReturn),
    maxDrawdown: 'missing' in maxDrawdown ? undefined : maxDrawdown.fraction,
    timeUnderWater: valueOf(figures.timeUnderWater),
    sharpe: 'missing' in returns ? undefined : returns.sharpe,
    sharpeScale: 'missing' in returns ? undefined : returns.scale,
    roundTrips: trips.all.count,
    winRate: valueOf(trips.all.winRate),
    profitFactor: valueOf(trips.all.profitFactor),
    fingerprint,
  };
}
