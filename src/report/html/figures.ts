// The table of figures: each with its name and its formula, with one column per run.
import type { MarginRatio } from '../figures/exposure.ts';
import type { Drawdown, Measure, Missing } from '../figures/performance.ts';
import type { Report } from '../report.ts';
import { count, gain, money, percent, ratio, second, span } from './format.ts';
import { type Markup, markup, type Part } from './markup.ts';

interface FigureRow {
  readonly name: string;
  readonly text: (report: Report) => Part;
  /** The formula, or a description. */
  readonly how: string;
}

const missing = (reason: Missing): Part => markup`<small>${reason.missing}</small>`;
const measured = (measure: Measure, text: (value: number) => string): Part =>
  'missing' in measure ? missing(measure) : text(measure.value);

const ofDrawdown =
  (text: (drawdown: Drawdown) => Part) =>
  ({ figures: { maxDrawdown } }: Report): Part =>
    'missing' in maxDrawdown ? missing(maxDrawdown) : text(maxDrawdown);

function drawdownTime({ fraction, peakAt, troughAt, recoveredAt, lastsMs }: Drawdown): Part {
  if (fraction === 0) return '–';
  const ending = recoveredAt === undefined ? 'not recovered' : `recovered ${second(recoveredAt)}`;
  return [span(lastsMs), markup`<br><small>peak ${second(peakAt)}<br>trough ${second(troughAt)}<br>${ending}</small>`];
}

const row = (name: string, text: FigureRow['text'], how = ''): FigureRow => ({ name, text, how });

const GROUPS: readonly (readonly [title: string, rows: readonly FigureRow[]])[] = [
  [
    'Result',
    [
      row('PnL', ({ figures }) => gain(figures.pnl), 'from prices − fees + funding, in quote money'),
      row('From prices', ({ figures }) => gain(figures.trading), 'cash from the fills, and the resulting position at the mark price'),
      row('Fees charged', ({ figures }) => money(figures.fees)),
      row('Funding earned', ({ figures }) => gain(figures.funding)),
      row(
        'Equity change',
        ({ figures }) => measured(figures.equityChange, gain),
        'mf at the end − at the start: at the index price, transfers included',
      ),
      row('Return', ({ figures }) => measured(figures.totalReturn, percent), 'equity at the end / at the start − 1, not annualised'),
    ],
  ],
  [
    'Risk',
    [
      row(
        'Max drawdown',
        ofDrawdown(({ fraction }) => percent(fraction)),
        '(peak − trough) / peak of the equity',
      ),
      row(
        'Max drawdown, money',
        ofDrawdown(({ money: lost }) => money(lost)),
        'peak − trough',
      ),
      row('Max drawdown, time', ofDrawdown(drawdownTime), 'from the peak to the recovery, or the end'),
      row('Sharpe', ({ figures }) => measured(figures.sharpe, ratio), 'mean / deviation of the returns × √(year / interval)'),
      row('Sortino', ({ figures }) => measured(figures.sortino, ratio), 'like Sharpe, but only losses count as deviation'),
      row('Returns', returnsText, 'a year has 365 × 24 hours'),
      row('Calmar', ({ figures }) => measured(figures.calmar, ratio), 'return × (year / span) / max drawdown'),
      row('Time with a position', ({ figures }) => measured(figures.exposure.share, percent)),
      row('Notional held, average', ({ figures }) => measured(figures.exposure.average, money), 'over all of the time'),
      row('Notional held, largest', ({ figures }) => measured(figures.exposure.largest, money)),
      row('Lowest omf / imf', ({ figures }) => marginRatioText(figures.margins.opening), 'at 1 nothing may be opened'),
      row('Lowest omf / cmf', ({ figures }) => marginRatioText(figures.margins.orders), 'at 1 orders are cancelled'),
      row('Lowest mf / mmf', ({ figures }) => marginRatioText(figures.margins.positions), 'at 1 positions are liquidated'),
    ],
  ],
  [
    'Trading',
    [
      row('Fills', ({ figures }) => count(figures.fills)),
      row('Volume', ({ figures }) => money(figures.volume), 'notional of the fills'),
      row('Turnover', ({ figures }) => measured(figures.turnover, ratio), 'volume / average equity'),
      row('Average fill', ({ figures }) => measured(figures.averageFill, money), 'notional'),
      row('Maker share', ({ figures }) => measured(figures.makerShare, percent), 'of the volume'),
      row('Closing fills', ({ figures }) => count(figures.closing.count), 'fills that reduced a position'),
      row('Realised', ({ figures }) => gain(figures.closing.realised), 'against the average cost of what was closed, fees paid'),
      row('Hit rate', ({ figures }) => measured(figures.closing.hitRate, percent), 'closing fills with a profit / all closing fills'),
      row('Profit factor', ({ figures }) => measured(figures.closing.profitFactor, ratio), 'gains / losses of the closing fills'),
      row('Orders placed', ({ summary }) => count(summary.orders.placed)),
      row('Orders cancelled, rejected', ({ summary }) => `${count(summary.orders.cancelled)}, ${count(summary.orders.rejected)}`),
      row('Orders left open, unknown', ({ summary }) => `${count(summary.orders.openAtExit)}, ${count(summary.orders.unknown)}`),
    ],
  ],
];

/** One column per report, under its name. */
export function figuresTable(reports: readonly (readonly [name: string, report: Report])[]): Markup {
  const head = markup`<thead><tr><th></th>${reports.map(([name]) => markup`<th class="number">${name}</th>`)}</tr></thead>`;
  const rowOf = ({ name, text, how }: FigureRow) => {
    const cells = reports.map(([, report]) => markup`<td class="number">${text(report)}</td>`);
    return markup`<tr><th>${name}${how === '' ? undefined : markup`<br><small>${how}</small>`}</th>${cells}</tr>`;
  };
  const bodies = GROUPS.map(([title, rows]) => {
    return markup`<tbody><tr class="group"><th colspan="${reports.length + 1}">${title}</th></tr>${rows.map(rowOf)}</tbody>`;
  });
  return markup`<div class="box figures"><table>${head}${bodies}</table></div>`;
}

function returnsText({ figures: { returns } }: Report): Part {
  return 'missing' in returns ? missing(returns) : `${count(returns.count)} over ${span(returns.intervalMs)} each`;
}

const marginRatioText = (lowest: MarginRatio): Part =>
  'missing' in lowest ? missing(lowest) : [ratio(lowest.value), markup`<br><small>${second(lowest.at)}</small>`];
