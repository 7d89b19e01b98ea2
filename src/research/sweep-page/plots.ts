// The drawings of a sweep's page: a heat map as a table, a parameter against the result, and the return of points over time.

import { groupBy } from '../../base/collections/lists.ts';
import { type Markup, markup, type Part } from '../report/html/markup.ts';
import type { Valued } from '../statistics/plateau.ts';
import type { Axis } from '../sweep/axes.ts';

const LEVELS = 5;
const MAX_CELLS = 40;

/** Returns the two parameters whose values differ most in their mean result, as indices of the axes; fewer if fewer are varied. */
export function strongest(points: readonly Valued[], axes: readonly Axis[]): readonly number[] {
  return axes
    .map((_, axis) => ({ axis, spread: spreadOf(meansBy(points, axis)) }))
    .filter(({ axis }) => (axes[axis]?.values.length ?? 0) > 1)
    .toSorted((a, b) => b.spread - a.spread)
    .slice(0, 2)
    .map(({ axis }) => axis)
    .toSorted((a, b) => a - b);
}

/** Returns the mean over all points with each value of the axis, by the value's index. */
function meansBy(points: readonly Valued[], axis: number): ReadonlyMap<number, number> {
  return meansOf(groupBy(points, ({ at }) => at[axis] ?? 0));
}

const meansOf = <K>(groups: ReadonlyMap<K, readonly Valued[]>): ReadonlyMap<K, number> =>
  new Map([...groups].map(([key, points]) => [key, points.reduce((sum, { value }) => sum + value, 0) / points.length]));

function spreadOf(means: ReadonlyMap<number, number>): number {
  const values = [...means.values()];
  return values.length < 2 ? 0 : Math.max(...values) - Math.min(...values);
}

export interface HeatMap {
  readonly points: readonly Valued[];
  readonly axes: readonly Axis[];
  /** Axes of the rows and of the columns. */
  readonly pair: readonly [number, number];
  /** The cell of this point is marked. */
  readonly answer: readonly number[] | undefined;
}

/**
 * Draws the mean over the points of each cell: blue above 0, orange below, stronger with distance from 0. If there are many values, several share a
 * row or a column.
 */
export function heatMap({ points, axes, pair, answer }: HeatMap): Markup {
  const [rows, columns] = pair.map((axis) => binsOf(axes[axis]?.values ?? []));
  const cellOf = (at: readonly number[]): string =>
    `${Math.floor((at[pair[0]] ?? 0) / (rows?.size ?? 1))},${Math.floor((at[pair[1]] ?? 0) / (columns?.size ?? 1))}`;
  const means = meansOf(groupBy(points, ({ at }) => cellOf(at)));
  const largest = Math.max(...[...means.values()].map(Math.abs), Number.MIN_VALUE);
  const marked = answer === undefined ? '' : cellOf(answer);
  const body = (rows?.names ?? []).map((name, row) => {
    const data = (columns?.names ?? []).map((_, column) => {
      const cell = `${row},${column}`;
      const mean = means.get(cell);
      if (mean === undefined) return markup`<td></td>`;
      const level = Math.ceil((LEVELS * Math.abs(mean)) / largest);
      const shade = level === 0 ? '' : `${mean > 0 ? 'up' : 'down'}${level}`;
      return markup`<td class="${shade}${cell === marked ? ' answer' : ''}">${short(mean)}</td>`;
    });
    return markup`<tr><th>${name}</th>${data}</tr>`;
  });
  const [rowName, columnName] = pair.map((axis) => axes[axis]?.name ?? '');
  const head = (columns?.names ?? []).map((name) => markup`<th>${name}</th>`);
  return markup`<div class="box heat"><table><thead><tr><th>${rowName} \\ ${columnName}</th>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

/** Returns up to 40 bins with equal numbers of values. */
function binsOf(values: readonly string[]): { readonly size: number; readonly names: readonly string[] } {
  const size = Math.ceil(values.length / MAX_CELLS);
  const names = Array.from({ length: Math.ceil(values.length / size) }, (_, bin) => {
    const [first = '', last = ''] = [values[bin * size], values[Math.min(values.length, (bin + 1) * size) - 1]];
    return first === last ? first : `${first}–${last}`;
  });
  return { size, names };
}

const [WIDTH, HEIGHT, MARGIN, TOP] = [340, 180, 26, 6];

export interface ScatterOptions {
  /** Index of the axis. */
  readonly index: number;
  readonly best: Valued | undefined;
  /** The name of a point's value. */
  readonly what: string;
}

/** Draws each point as a dot, the mean of each value as a line, and the best point in another colour. */
export function scatter(points: readonly Valued[], axis: Axis, { index, best, what }: ScatterOptions): Markup {
  const values = points.map(({ value }) => value);
  const [low, high] = rangeOf(values);
  const isBest = ({ at }: Valued): boolean => at.join() === best?.at.join();
  const x = (at: number): string => (MARGIN + ((at + 0.5) / axis.values.length) * (WIDTH - 2 * MARGIN)).toFixed(1);
  const y = (value: number): string => (HEIGHT - MARGIN - ((value - low) / (high - low)) * (HEIGHT - MARGIN - TOP - 12) - 6).toFixed(1);
  const dots = points.map(
    (point) =>
      markup`<circle class="${isBest(point) ? 'best' : 'dot'}" cx="${x(point.at[index] ?? 0)}" cy="${y(point.value)}" r="${isBest(point) ? 5 : 3}"/>`,
  );
  const means = [...meansBy(points, index)].toSorted(([a], [b]) => a - b);
  const line = axis.isNumeric
    ? markup`<polyline class="mean" points="${means.map(([at, mean]) => `${x(at)},${y(mean)}`).join(' ')}"/>`
    : undefined;
  const zero =
    low < 0 && high > 0 ? markup`<line class="zero" x1="${MARGIN}" x2="${WIDTH - MARGIN}" y1="${y(0)}" y2="${y(0)}"/>` : undefined;
  const [first = '', last = ''] = [axis.values[0], axis.values.at(-1)];
  return markup`<figure><figcaption><b>${axis.name}</b> ${what} ${short(low)} to ${short(high)}</figcaption><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">
<rect class="frame" x="${MARGIN}" y="${TOP}" width="${WIDTH - 2 * MARGIN}" height="${HEIGHT - MARGIN - TOP}"/>${zero}${line}${dots}
<text x="${x(0)}" y="${HEIGHT - 8}" text-anchor="middle">${first}</text><text x="${x(axis.values.length - 1)}" y="${HEIGHT - 8}" text-anchor="middle">${last}</text></svg></figure>`;
}

export interface PlottedCurve {
  readonly name: string;
  /** Class of its line. */
  readonly kind: 'curve' | 'other';
  /** Returns of equal steps. */
  readonly returns: readonly number[];
}

/** Draws cumulative returns. `holdout`: where the last window begins, as a share of all steps. No choice used that window. */
export function curves(
  lines: readonly PlottedCurve[],
  holdout: number | undefined,
): { readonly drawing: Markup; readonly low: number; readonly high: number } {
  const sums = lines.map(({ returns }) => sumsOf(returns));
  const [low, high] = rangeOf([0, ...sums.flat()]);
  const y = (value: number): string => (100 - (100 * (value - low)) / (high - low)).toFixed(2);
  const drawn: Part = sums.map((values, index) => {
    const step = Math.max(1, Math.floor(values.length / 600));
    const points = values.flatMap((value, at) =>
      at % step === 0 || at === values.length - 1 ? [`${((1000 * at) / (values.length - 1)).toFixed(1)},${y(value)}`] : [],
    );
    return markup`<polyline class="${lines[index]?.kind}" points="${points.join(' ')}"/>`;
  });
  const band =
    holdout === undefined
      ? undefined
      : markup`<rect class="holdout" x="${1000 * holdout}" y="0" width="${1000 * (1 - holdout)}" height="100"/>`;
  const drawing = markup`<svg class="line" viewBox="0 0 1000 100" preserveAspectRatio="none" role="img">${band}<rect class="frame" width="1000" height="100"/><line class="zero" x1="0" x2="1000" y1="${y(0)}" y2="${y(0)}"/>${drawn}</svg>`;
  return { drawing, low, high };
}

function sumsOf(returns: readonly number[]): readonly number[] {
  let sum = 0;
  return [0, ...returns.map((value) => (sum += value))];
}

/** Returns the range of the values; never empty. */
function rangeOf(values: readonly number[]): readonly [number, number] {
  const low = values.reduce((least, value) => Math.min(least, value), Infinity);
  const high = values.reduce((most, value) => Math.max(most, value), -Infinity);
  return high > low ? [low, high] : [low - 1, low + 1];
}

/** Formats a number with three digits. */
const short = (value: number): string => String(Number(value.toPrecision(3))).replace('-', '−');
