// The table of figures: each with its name and its formula, with one column per run.
import type { Measure, Missing } from '../figures/equity/curve.ts';
import type { Drawdown } from '../figures/equity/drawdowns.ts';
import type { AgainstMarket } from '../figures/equity/return-figures.ts';
import type { MarginRatio } from '../figures/exposure.ts';
import type { ReturnSummary } from '../figures/figures.ts';
import type { Report } from '../report.ts';
import { bps, count, gain, money, percent, ratio, second, share, span } from './format.ts';
import { type Markup, markup, type Part } from './markup.ts';

/** The part of a report that the table shows. */
export type Figured = Pick<Report, 'figures' | 'summary'>;

interface FigureRow {
  readonly name: string;
  readonly text: (report: Figured) => Part;
  /** The formula, or a description. */
  readonly how: string;
}

const missing = (reason: Missing): Part => markup`<small>${reason.missing}</small>`;
export const measured = (measure: Measure, text: (value: number) => string): Part =>
  'missing' in measure ? missing(measure) : text(measure.value);

const ofDrawdown =
  (text: (drawdown: Drawdown) => Part) =>
  ({ figures: { maxDrawdown } }: Figured): Part =>
    'missing' in maxDrawdown ? missing(maxDrawdown) : text(maxDrawdown);

function drawdownTime({ fraction, peakAt, troughAt, recoveredAt, lastsMs }: Drawdown): Part {
  if (fraction === 0) return '–';
  const ending = recoveredAt === undefined ? 'not recovered' : `recovered ${second(recoveredAt)}`;
  return [span(lastsMs), markup`<br><small>peak ${second(peakAt)}<br>trough ${second(troughAt)}<br>${ending}</small>`];
}

/** The time to which figures of the returns are scaled. */
export const scaleText = ({ scale }: Pick<ReturnSummary, 'scale'>): string => (scale === 'year' ? 'a year' : 'a day; too short for a year');

/** A figure of the returns. If it is `scaled`, the cell says to a year or to a day. */
const ofReturns =
  (value: (returns: ReturnSummary) => number | undefined, text: (value: number) => string, { scaled = false } = {}) =>
  ({ figures: { returns } }: Figured): Part => {
    if ('missing' in returns) return missing(returns);
    const figure = value(returns);
    if (figure === undefined) return missing({ missing: returns.volatility === undefined ? 'the equity did not vary' : 'no step lost' });
    if (!scaled) return text(figure);
    return [text(figure), markup`<br><small>${scaleText(returns)}</small>`];
  };

const ofMarket =
  (value: (against: AgainstMarket) => number | undefined, text: (value: number) => string) =>
  ({ figures: { benchmark } }: Figured): Part => {
    const figure = 'missing' in benchmark.against ? undefined : value(benchmark.against);
    return figure === undefined ? missing('missing' in benchmark.against ? benchmark.against : { missing: 'no difference' }) : text(figure);
  };

const row = (name: string, text: FigureRow['text'], how = ''): FigureRow => ({ name, text, how });
const scaled = { scaled: true };

const RESULT: readonly FigureRow[] = [
  row('Profit', ({ figures }) => gain(figures.pnl), 'spread + price − fees + funding, in quote money'),
  row('From the spread', ({ figures }) => gain(figures.attribution.spread), 'by how much the fills were better than the mid price'),
  row('From moves of the price', ({ figures }) => gain(figures.attribution.price), 'profit − spread + fees − funding'),
  row('Fees charged', ({ figures }) => money(figures.fees)),
  row('Funding earned', ({ figures }) => gain(figures.funding)),
  row(
    'Equity change',
    ({ figures }) => measured(figures.equityChange, gain),
    'mf at the end − at the start: at the index price, transfers included',
  ),
  row('Return', ({ figures }) => measured(figures.totalReturn, percent), 'equity at the end / at the start − 1, not annualised'),
  row('Annual growth', ({ figures }) => measured(figures.annualGrowth, percent), '(1 + return)^(year / span) − 1; a year has 365 days'),
  row('Holding the market', ({ figures }) => measured(figures.benchmark.totalReturn, percent), 'bought once, without fees and funding'),
  row(
    'Beta',
    ofMarket(({ beta }) => beta, money),
    'cov(return, market) / var(market)',
  ),
  row(
    'Correlation²',
    ofMarket(({ rSquared }) => rSquared, ratio),
    'R² of the returns on those of the market',
  ),
];

const RISK: readonly FigureRow[] = [
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
  row('Time under water', ({ figures }) => measured(figures.timeUnderWater, percent), 'share of the time below the highest equity so far'),
  row('Returns', returnsText, 'the longest of a day, an hour and five minutes (UTC) with at least 30; shorter at both ends of the run'),
  row(
    'Volatility',
    ofReturns(({ volatility }) => volatility, percent, scaled),
    'deviation of the returns × √(scale / interval)',
  ),
  row(
    'Sharpe',
    ofReturns(({ sharpe }) => sharpe, ratio, scaled),
    'mean / deviation of the returns × √(scale / interval)',
  ),
  row(
    'Probability of Sharpe > 0',
    ofReturns(({ psr }) => psr, share),
    'PSR of a single trial; a sweep must count all its trials',
  ),
  row(
    'Sortino',
    ofReturns(({ sortino }) => sortino, ratio, scaled),
    'like Sharpe, but only losses count as deviation, over all steps',
  ),
  row(
    'Ulcer index',
    ofReturns(({ ulcer }) => ulcer, percent),
    '√ of the mean squared fall below the peak, over all steps; QuantStats divides by one step fewer',
  ),
  row('Calmar', ({ figures }) => measured(figures.calmar, ratio), 'annual growth / max drawdown'),
  row(
    'Value at risk, 5 %',
    ofReturns(({ valueAtRisk }) => valueAtRisk, percent),
    'one of 20 returns is worse',
  ),
  row(
    'Expected shortfall, 5 %',
    ofReturns(({ expectedShortfall }) => expectedShortfall, percent),
    'mean of the worst 5 % of the returns',
  ),
];

const EXPOSURE: readonly FigureRow[] = [
  row('Time with a position', ({ figures }) => measured(figures.exposure.share, percent)),
  row('Notional held', ({ figures }) => averageAndLargest(figures.exposure, money), 'time average; largest'),
  row('Leverage', ({ figures }) => averageAndLargest(figures.exposure.leverage, money), 'notional held / equity: average; largest'),
  row('Margin in use', ({ figures }) => measured(figures.margins.use, percent), 'imf / omf, time average'),
  row('Lowest omf / imf', ({ figures }) => marginRatioText(figures.margins.opening), 'at 1 nothing may be opened'),
  row('Lowest omf / cmf', ({ figures }) => marginRatioText(figures.margins.orders), 'at 1 orders are cancelled'),
  row('Lowest mf / mmf', ({ figures }) => marginRatioText(figures.margins.positions), 'at 1 positions are liquidated'),
];

const TRADING: readonly FigureRow[] = [
  row(
    'Fills',
    ({ figures, summary: { provisional } }) => `${count(figures.fills)}${provisional === undefined ? '' : `, ${provisional} provisional`}`,
  ),
  row('Volume', ({ figures }) => money(figures.volume), 'notional of the fills'),
  row('Turnover', turnoverText, 'volume / average equity'),
  row('Fees per volume', ({ figures }) => measured(figures.feeRate, (value) => `${ratio(value)} bps`), 'in basis points'),
  row(
    'Profit per volume before fees',
    ({ figures }) => measured(figures.breakEvenRate, rate),
    'in basis points: the fee rate at which the profit is 0',
  ),
  row('Average fill', ({ figures }) => measured(figures.averageFill, money), 'notional'),
  row('Maker share', ({ figures }) => measured(figures.makerShare, percent), 'of the volume'),
  row('Closing fills', ({ figures }) => count(figures.closing.count), 'fills that reduced a position'),
  row('Realised', ({ figures }) => gain(figures.closing.profit), 'against the average cost of the closed part, after fees'),
  row('Hit rate', ({ figures }) => measured(figures.closing.winRate, percent), 'closing fills with a profit / all closing fills'),
  row('Profit factor', ({ figures }) => measured(figures.closing.profitFactor, ratio), 'gains / losses of the closing fills'),
  row('Orders placed', ({ summary }) => count(summary.orders.placed)),
  row('Orders cancelled, rejected', ({ summary }) => `${count(summary.orders.cancelled)}, ${count(summary.orders.rejected)}`),
  row('Orders left open, unknown', ({ summary }) => `${count(summary.orders.openAtExit)}, ${count(summary.orders.unknown)}`),
];

const GROUPS: readonly (readonly [title: string, rows: readonly FigureRow[]])[] = [
  ['Result', RESULT],
  ['Exposure', EXPOSURE],
  ['Risk', RISK],
  ['Trading', TRADING],
];

const rate = (value: number): string => `${bps(value)} bps`;

const averageAndLargest = ({ average, largest }: Record<'average' | 'largest', Measure>, text: (value: number) => string): Part =>
  'missing' in average || 'missing' in largest ? measured(average, text) : `${text(average.value)}; ${text(largest.value)}`;

function turnoverText({ figures: { turnover, turnoverPerDay } }: Figured): Part {
  if ('missing' in turnover || 'missing' in turnoverPerDay) return measured(turnover, ratio);
  return [ratio(turnover.value), markup`<br><small>${ratio(turnoverPerDay.value)} a day</small>`];
}

/** One column per report, under its name. The groups of a single report stand side by side where there is room. */
export function figuresTable(reports: readonly (readonly [name: string, report: Figured])[]): Markup {
  const rowOf = ({ name, text, how }: FigureRow) => {
    const cells = reports.map(([, report]) => markup`<td class="number">${text(report)}</td>`);
    return markup`<tr><th>${name}${how === '' ? undefined : markup`<br><small>${how}</small>`}</th>${cells}</tr>`;
  };
  const bodies = GROUPS.map(([title, rows]) => {
    return markup`<tbody><tr class="group"><th colspan="${reports.length + 1}">${title}</th></tr>${rows.map(rowOf)}</tbody>`;
  });
  if (reports.length === 1)
    return markup`<div class="figures beside">${bodies.map((body) => markup`<div class="box"><table>${body}</table></div>`)}</div>`;
  const head = markup`<thead><tr><th></th>${reports.map(([name]) => markup`<th class="number">${name}</th>`)}</tr></thead>`;
  return markup`<div class="box figures"><table>${head}${bodies}</table></div>`;
}

function returnsText({ figures: { returns } }: Figured): Part {
  return 'missing' in returns ? missing(returns) : `${count(returns.count)} over ${span(returns.intervalMs)} each`;
}

const marginRatioText = (lowest: MarginRatio): Part =>
  'missing' in lowest ? missing(lowest) : [ratio(lowest.value), markup`<br><small>${second(lowest.at)}</small>`];
