// Compares several runs or backtests: settings that differ, remarks on how comparable they are, and their returns in one chart.
import type { Millis } from '../../base/clock.ts';
import { type Chart, type ChartLine, chartOf, line } from './charts/charts.ts';
import { flattened } from './html/tables.ts';
import type { SavedReport } from './report.ts';
import type { Table } from './tables/table.ts';

export interface Compared {
  /** Unique. */
  readonly name: string;
  readonly report: SavedReport;
  /** The table `equity`; undefined if it was not saved. */
  readonly equity: Table | undefined;
}

/** A setting whose value is not the same in all runs. */
export interface SettingDifference {
  readonly name: string;
  /** One for each run; undefined if the run does not have the setting. */
  readonly values: readonly (string | undefined)[];
}

/** Returns the parameters, limits, assumptions and tapes that differ. */
export function differencesOf(runs: readonly Compared[]): readonly SettingDifference[] {
  const settings = runs.map(({ report: { params, limits, assumptions, tapes, summary } }) => {
    const { strategy, exchange } = summary;
    const tape = tapes.map(({ market, hash }) => `${market} ${hash.slice(0, 12)}`).join(', ');
    return new Map(flattened({ strategy, exchange, tape, params, limits, assumptions }, ''));
  });
  const names = [...new Set(settings.flatMap((values) => [...values.keys()]))];
  return names
    .map((name) => ({ name, values: settings.map((values) => values.get(name)) }))
    .filter(({ values }) => values.some((value) => value !== values[0]));
}

/** Returns remarks on why the figures may not be comparable. */
export function remarksOn(runs: readonly Compared[]): readonly string[] {
  const differs = (of: (run: Compared) => string): boolean => new Set(runs.map(of)).size > 1;
  const spans = runs.map(({ report: { from, to } }) => [from, to] as const);
  const shortest = Math.min(...spans.map(([from, to]) => to - from));
  const differ = (index: 0 | 1): boolean =>
    Math.max(...spans.map((span) => span[index])) - Math.min(...spans.map((span) => span[index])) > shortest / 100;
  return [
    ...(differ(0) || differ(1)
      ? ['They cover different times: compare figures that grow with time, such as profit and fills, with care.']
      : []),
    ...(differs(({ report }) => report.tapes.map(({ hash }) => hash).join()) ? ['They do not have the same data.'] : []),
    ...(differs(({ report }) => report.summary.fingerprint) ? [] : ['All their actions are equal.']),
    ...(runs.some(({ report: { figures } }) => 'missing' in figures.annualGrowth)
      ? ['At least one is shorter than 30 days: differences between them may be chance.']
      : []),
  ];
}

const HUES = ['blue', 'orange', 'green', 'purple', 'grey'] as const;

/** Returns one chart with the returns over time of the runs with saved equity, at most one run per colour; none if there is nothing to draw. */
export function comparisonCharts(runs: readonly Compared[], { from, to }: { from: Millis; to: Millis }): readonly Chart[] {
  const drawable = runs
    .flatMap(({ name, equity }) => (equity === undefined || equity.count === 0 ? [] : [{ name, equity }]))
    .slice(0, HUES.length);
  if (drawable.length === 0) return [];
  const curves = drawable.map(({ name, equity }) => ({ name, times: numbersIn(equity, 'time'), values: numbersIn(equity, 'equity') }));
  const times = Float64Array.from(new Set(curves.flatMap(({ times: own }) => [...own]))).sort();
  const lines = curves.map(
    ({ name, ...curve }, index): ChartLine<Float64Array> => line(name, HUES[index] ?? 'grey', percentAt(curve, times)),
  );
  return [
    chartOf({ title: 'Return', note: 'Equity / equity at the start − 1.', height: 'tall', unit: '%', decimals: 4, times, lines }, to),
  ].filter(() => to > from);
}

const numbersIn = ({ columns }: Table, name: string): Float64Array =>
  Float64Array.from(columns.find((column) => column.name === name)?.values ?? [], Number);

/** Returns the return of a curve in percent at each time; NaN before its first value and after its last. */
function percentAt({ times, values }: { times: Float64Array; values: Float64Array }, at: Float64Array): Float64Array {
  let row = -1;
  const last = times.at(-1) ?? -Infinity;
  return at.map((time) => {
    while (row + 1 < times.length && times[row + 1]! <= time) row++;
    return row < 0 || time > last ? NaN : 100 * (values[row]! / values[0]! - 1);
  });
}
