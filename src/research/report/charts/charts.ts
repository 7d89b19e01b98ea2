// The charts of the page as plain data: a bounded number of points, all charts over the same time; `html/page-script.js` draws them.
import type { Millis } from '../../../base/clock.ts';
import { lots, MICROS_PER_UNIT, ticks } from '../../../bot/domain/numbers.ts';
import type { Fill } from '../../../bot/domain/order.ts';
import { atRiskOf, holdCurve } from '../figures/equity/benchmark.ts';
import { type Curve, returnsOf, rollingSharpe } from '../figures/equity/curve.ts';
import { belowPeak } from '../figures/equity/drawdowns.ts';
import { marginUse } from '../figures/exposure.ts';
import { equityOf } from '../figures/figures.ts';
import { type AccountColumn, activeMarkets, type MarketSeries, type ReportSeries } from '../figures/report-collector.ts';
import { type RestingSpan, restingSpans } from './resting-spans.ts';

/** Approximate maximum number of points of a drawn line. */
const DRAWN_POINTS = 2_000;

/**
 * Returns the rows to draw, ascending; never used for figures. If there are more than `points`, time is divided into equal intervals, and of each the first
 * row and the rows with the lowest and highest value of each column are kept. The first and the last row are always kept. NaN counts as neither low nor high.
 */
export function thin(times: Float64Array, columns: readonly Float64Array[], points: number = DRAWN_POINTS): readonly number[] {
  const count = times.length;
  if (count <= points) return Array.from({ length: count }, (_, row) => row);
  const buckets = Math.max(1, Math.floor(points / (1 + 2 * columns.length)));
  const width = (times[count - 1]! - times[0]!) / buckets || 1;
  const bucketOf = (row: number): number => Math.min(buckets - 1, Math.floor((times[row]! - times[0]!) / width));
  const chosen: number[] = [];
  for (let start = 0; start < count; ) {
    let end = start + 1;
    while (end < count && bucketOf(end) === bucketOf(start)) end++;
    const extremes = columns.flatMap((column) => extremesOf(column, start, end));
    chosen.push(...[...new Set([start, ...extremes])].sort((a, b) => a - b));
    start = end;
  }
  if (chosen.at(-1) !== count - 1) chosen.push(count - 1);
  return chosen;
}

function extremesOf(column: Float64Array, start: number, end: number): number[] {
  let [lowest, highest] = [-1, -1];
  for (let row = start; row < end; row++) {
    const value = column[row]!;
    if (Number.isNaN(value)) continue;
    if (lowest === -1 || value < column[lowest]!) lowest = row;
    if (highest === -1 || value > column[highest]!) highest = row;
  }
  return lowest === -1 ? [] : [lowest, highest];
}

export interface ChartLine<Values> {
  readonly label: string;
  readonly hue: 'blue' | 'orange' | 'green' | 'purple' | 'grey';
  readonly look: 'line' | 'area' | 'dashes';
  readonly values: Values;
}

export interface FillMark {
  readonly at: Millis;
  readonly price: number;
  readonly side: Fill['side'];
  readonly role: Fill['role'];
}

interface Look {
  readonly title: string;
  /** Explanation shown beside the title. */
  readonly note: string;
  readonly height: 'tall' | 'middle' | 'low';
  readonly scale: 'linear' | 'logarithmic';
  readonly unit: '%' | '';
  /** Number of decimals. */
  readonly decimals: number;
}

export interface Chart extends Look {
  readonly times: readonly Millis[];
  /** Each value holds until the next time; null is no value. */
  readonly lines: readonly ChartLine<readonly (number | null)[]>[];
  readonly fills: readonly FillMark[];
  readonly resting: readonly RestingSpan[];
}

/** A chart before its points are thinned. */
export interface FullChart extends Partial<Look> {
  readonly title: string;
  readonly times: Float64Array;
  readonly lines: readonly ChartLine<Float64Array>[];
  readonly fills?: readonly FillMark[];
  readonly resting?: readonly RestingSpan[];
}

/** Returns the charts in the order in which they are shown. A chart with nothing but zeros is left out. */
export function chartsOf(series: ReportSeries): readonly Chart[] {
  const { account, to } = series;
  const equity = equityOf(series);
  const { times } = equity;
  const money = (name: AccountColumn): Float64Array => account.column(name).map((value) => value / MICROS_PER_UNIT);
  const fallen = belowPeak(equity).map((fraction) => -100 * fraction);
  const charts: FullChart[] = [
    { title: 'Equity', note: 'mf of the account, in quote money.', times, lines: [line('Equity', 'blue', equity.values)] },
    { title: 'Drawdown', height: 'low', unit: '%', decimals: 4, times, lines: [area('Below the peak', 'orange', fallen)] },
    ...comparisons(series, equity),
    ...activeMarkets(series).flatMap((market) => marketCharts(market, series)),
    marginChart(series),
    {
      ...MARGIN_USE,
      times,
      lines: [
        area(
          'In use',
          'purple',
          marginUse(account).map((share) => 100 * share),
        ),
      ],
    },
    { title: 'Exposure', note: EXPOSURE_NOTE, height: 'low', times, lines: [area('Notional held', 'purple', money('held'))] },
    {
      title: 'Fees and funding',
      note: 'Since the start, in quote money.',
      height: 'low',
      decimals: 4,
      times,
      lines: [line('Fees charged', 'orange', money('fees')), line('Funding earned', 'green', money('funding'))],
    },
  ];
  return charts.filter(({ lines }) => lines.some(({ values }) => values.some(Boolean))).map((sketch) => chartOf(sketch, to));
}

const percentOf = ({ values }: Curve): Float64Array => values.map((value) => 100 * (value / values[0]! - 1));

/** Returns the chart of the run against holding its markets, and of the rolling Sharpe ratio if the run is long enough. */
function comparisons(series: ReportSeries, equity: Curve): readonly FullChart[] {
  const { times } = equity;
  const hold = holdCurve(activeMarkets(series), equity);
  const scaled = hold && atRiskOf(equity, hold);
  const rolling = rollingSharpe(returnsOf(equity));
  return [
    ...(hold === undefined
      ? []
      : [{ ...AGAINST, times, lines: [line('Run', 'blue', percentOf(equity)), dashes('Market', 'grey', percentOf(hold))] }]),
    ...(scaled === undefined
      ? []
      : [{ ...AT_RISK, times, lines: [line('Run', 'blue', percentOf(equity)), dashes('Market', 'grey', percentOf(scaled))] }]),
    ...('missing' in rolling ? [] : [{ ...ROLLING, times: rolling.times, lines: [line('Sharpe', 'green', rolling.values)] }]),
  ];
}

const AGAINST = {
  title: 'Return, and of holding the market',
  note: 'The market: bought once at the first mid price, in equal parts, without fees and funding.',
  height: 'low',
  unit: '%',
} as const;
const AT_RISK = {
  title: 'Return, and of holding the market at the risk of the run',
  note: 'The market with each of its moves times the deviation of the returns of the run over that of the market.',
  height: 'low',
  unit: '%',
} as const;
const ROLLING = { title: 'Rolling Sharpe', note: 'Of the last 30 daily returns, per year.', height: 'low' } as const;
const MARGIN_USE = { title: 'Margin in use', note: 'imf / omf: at 100 % nothing may be opened.', height: 'low', unit: '%' } as const;
const EXPOSURE_NOTE = 'Of all positions, perpetual and spot, in quote money.';
const MARGIN_NOTE =
  'omf, imf and cmf over the notional of positions and orders; mf and mmf over that of positions. Opening needs omf above imf, orders are cancelled when omf falls to cmf, positions are liquidated when mf falls below mmf.';

export const line = (label: string, hue: ChartLine<Float64Array>['hue'], values: Float64Array): ChartLine<Float64Array> => ({
  label,
  hue,
  look: 'line',
  values,
});
const area = (...parts: Parameters<typeof line>): ChartLine<Float64Array> => ({ ...line(...parts), look: 'area' });
const dashes = (...parts: Parameters<typeof line>): ChartLine<Float64Array> => ({ ...line(...parts), look: 'dashes' });

function marketCharts({ market, tops, positions, restingTimes }: MarketSeries, series: ReportSeries): readonly FullChart[] {
  const { priceDecimals, sizeDecimals } = market.spec;
  const asks = tops.column('ask');
  const mids = tops.column('bid').map((bid, row) => market.price(ticks(bid + asks[row]!)) / 2);
  const fills = thinFills(series.fills.filter((fill) => fill.market === market.id));
  return [
    {
      title: `${market.symbol} price`,
      note: 'Mid price of the books that the bot received. ▲ bought, ▼ sold, hollow as taker; thin lines are its resting orders.',
      height: 'tall',
      decimals: priceDecimals,
      times: tops.times,
      lines: [line('Mid', 'grey', mids)],
      fills: fills.map(({ time, price, side, role }) => ({ at: time, price: market.price(price), side, role })),
      resting: restingSpans(restingTimes, { market, from: series.from, to: series.to }),
    },
    {
      title: `${market.symbol} position`,
      height: 'low',
      decimals: sizeDecimals,
      times: positions.times,
      lines: [
        area(
          'Position',
          'blue',
          positions.column('size').map((size) => market.size(lots(size))),
        ),
      ],
    },
  ];
}

function marginChart({ account }: ReportSeries): FullChart {
  const percent = (name: AccountColumn, of: 'pon' | 'pn'): Float64Array => {
    const notional = account.column(of);
    return account.column(name).map((value, row) => (notional[row]! > 0 && value > 0 ? (100 * value) / notional[row]! : NaN));
  };
  return {
    title: 'Margin fractions',
    note: MARGIN_NOTE,
    height: 'middle',
    scale: 'logarithmic',
    unit: '%',
    times: account.times,
    lines: [
      line('omf', 'blue', percent('omf', 'pon')),
      line('mf', 'green', percent('mf', 'pn')),
      dashes('imf', 'orange', percent('imf', 'pon')),
      dashes('cmf', 'purple', percent('cmf', 'pon')),
      dashes('mmf', 'grey', percent('mmf', 'pn')),
    ],
  };
}

/** If there are many fills, keeps those at the lowest and highest price of each interval, for each side. */
function thinFills(fills: readonly Fill[]): readonly Fill[] {
  return (['bid', 'ask'] as const).flatMap((side) => {
    const ours = fills.filter((fill) => fill.side === side);
    const rows = thin(
      Float64Array.from(ours, ({ time }) => time),
      [Float64Array.from(ours, ({ price }) => price)],
      DRAWN_POINTS / 2,
    );
    return rows.map((row) => ours[row]!);
  });
}

/** Rounds to 10 significant digits, more than a picture shows; null for NaN. */
const shown = (value: number): number | null => (Number.isNaN(value) ? null : Number(value.toPrecision(10)));

const PLAIN = { note: '', height: 'middle', scale: 'linear', unit: '', decimals: 2 } as const;

/** Returns the chart with thinned points and the last values extended to the end. */
export function chartOf({ times, lines, fills = [], resting = [], ...look }: FullChart, to: Millis): Chart {
  const rows = thin(
    times,
    lines.map(({ values }) => values),
  );
  const rowsToEnd = [...rows, ...rows.slice(-1)];
  return {
    ...PLAIN,
    ...look,
    times: [...rows.map((row) => times[row]!), ...(rows.length > 0 ? [to] : [])],
    lines: lines.map((line) => ({ ...line, values: rowsToEnd.map((row) => shown(line.values[row]!)) })),
    fills,
    resting,
  };
}
