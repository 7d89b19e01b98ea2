// Drawings of a report that have no time axis, as SVG in the page: the returns of the months as a heat map, and the histogram of the returns.
import { compounded, type MonthReturn } from '../figures/equity/months.ts';
import { percent, span } from './format.ts';
import { type Markup, markup, type Part } from './markup.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;
const CELL = { width: 84, height: 24 } as const;
const LABEL = 40;
/** The opacity of the strongest colour: the text on it must be readable. */
const STRONGEST = 0.55;

/** A column for each year, a row for each month, and the return of the year below. A month in which the run began or ended has a star. */
export function monthsMap(months: readonly MonthReturn[]): Markup {
  const years = [...new Set(months.map(({ year }) => year))];
  const largest = Math.max(...months.map(({ value = 0 }) => Math.abs(value)));
  const [width, height] = [LABEL + years.length * CELL.width, (MONTHS.length + 2) * CELL.height];
  const cells = months.map((month) => {
    const [column, strength] = [years.indexOf(month.year), largest === 0 ? 0 : (STRONGEST * Math.abs(month.value ?? 0)) / largest];
    const text: Part = [month.value === undefined ? '–' : percent(month.value), month.partial ? '*' : ''];
    return cellOf({ column, row: month.month, tone: toneOf(month.value), strength, text });
  });
  const sums = years.map((year, column) => {
    const value = compounded(months.filter((month) => month.year === year));
    return cellOf({ column, row: MONTHS.length + 1, tone: toneOf(value), strength: 0, text: percent(value) });
  });
  const heads = years.map((year, column) => markup`<text x="${right(column)}" y="${base(0)}" text-anchor="end">${year}</text>`);
  const names = [...MONTHS, 'All'].map((name, index) => markup`<text x="0" y="${base(index + 1)}">${name}</text>`);
  return markup`<svg class="shape" viewBox="0 0 ${width} ${height}" width="${width}" role="img" aria-label="return of each month">${heads}${names}${cells}${sums}</svg>`;
}

const toneOf = (value = 0): string => (value < 0 ? 'loss' : 'gain');
const right = (column: number): number => LABEL + (column + 1) * CELL.width - 8;
const base = (row: number): number => row * CELL.height + 16;

interface Cell {
  readonly column: number;
  /** 0 has the years. */
  readonly row: number;
  readonly tone: string;
  /** Opacity of the colour. */
  readonly strength: number;
  readonly text: Part;
}

const cellOf = ({ column, row, tone, strength, text }: Cell): Markup =>
  markup`<rect class="${tone}" x="${LABEL + column * CELL.width}" y="${row * CELL.height}" width="${CELL.width - 2}" height="${CELL.height - 2}" fill-opacity="${strength.toFixed(2)}"/><text x="${right(column)}" y="${base(row)}" text-anchor="end">${text}</text>`;

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

/** Returns bins of equal width, of which one begins at 0, so that no bin has gains and losses. Empty without values. */
export function binsOf(values: readonly number[], most = 30): readonly Bin[] {
  if (values.length === 0) return [];
  const [low, high] = [Math.min(0, ...values), Math.max(0, ...values)];
  const width = (high - low) / (most - 1) || 1;
  const first = Math.floor(low / width);
  const counts = Array.from({ length: Math.floor(high / width) - first + 1 }, () => 0);
  for (const value of values) counts[Math.floor(value / width) - first]! += 1;
  return counts.map((count, index) => ({ from: (first + index) * width, to: (first + index + 1) * width, count }));
}

const PLOT = { width: 620, height: 160, foot: 22 } as const;

/** The histogram of the returns of equal steps. */
export function returnsHistogram(values: readonly number[], intervalMs: number): Markup {
  const bins = binsOf(values);
  const highest = Math.max(1, ...bins.map(({ count }) => count));
  const step = PLOT.width / Math.max(1, bins.length);
  const bars = bins.map(({ from, to, count }, index) => {
    const height = ((PLOT.height - 16) * count) / highest;
    return markup`<rect class="${from < 0 ? 'loss' : 'gain'}" x="${(index * step).toFixed(1)}" y="${(PLOT.height - height).toFixed(1)}" width="${Math.max(1, step - 1).toFixed(1)}" height="${height.toFixed(1)}"><title>${percent(from)} to ${percent(to)}: ${count}</title></rect>`;
  });
  const zero = bins.filter(({ from }) => from < 0).length * step;
  const foot = PLOT.height + PLOT.foot - 6;
  const ends = markup`<text x="0" y="${foot}">${percent(bins[0]?.from ?? 0)}</text><text x="${PLOT.width}" y="${foot}" text-anchor="end">${percent(bins.at(-1)?.to ?? 0)}</text>`;
  const label = `${values.length} returns of ${span(intervalMs)}`;
  return markup`<svg class="shape" viewBox="0 0 ${PLOT.width} ${PLOT.height + PLOT.foot}" width="${PLOT.width}" role="img" aria-label="histogram of ${label}"><text x="0" y="12">${label}, at most ${highest} in a bar</text>${bars}<line x1="${zero.toFixed(1)}" x2="${zero.toFixed(1)}" y1="16" y2="${PLOT.height}"/>${ends}</svg>`;
}
