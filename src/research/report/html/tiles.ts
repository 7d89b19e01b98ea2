// The tiles at the top: the most important figures, each with a related one.
import type { Measure } from '../figures/equity/curve.ts';
import type { Figures } from '../figures/figures.ts';
import type { Report } from '../report.ts';
import { scaleText } from './figure-table.ts';
import { count, gain, money, percent, ratio, span } from './format.ts';
import { type Markup, markup } from './markup.ts';

const TILES: readonly (readonly [name: string, value: (figures: Figures) => string, beside: (figures: Figures) => string])[] = [
  ['Profit', ({ pnl }) => gain(pnl), ({ trading }) => `${gain(trading)} from prices`],
  [
    'Return',
    ({ totalReturn }) => short(totalReturn, percent),
    ({ equity }) => (equity === undefined ? NO_ACCOUNT : `equity ${money(equity.end)}`),
  ],
  ['Max drawdown', ({ maxDrawdown }) => ('missing' in maxDrawdown ? '–' : percent(maxDrawdown.fraction)), drawdownBeside],
  ['Sharpe', ({ returns }) => ('missing' in returns || returns.sharpe === undefined ? '–' : ratio(returns.sharpe)), sharpeBeside],
  ['Fills', ({ fills }) => count(fills), fillsBeside],
  ['Volume', ({ volume }) => money(volume), ({ turnover }) => `turnover ${short(turnover, ratio)}`],
  [
    'Fees charged',
    ({ fees }) => money(fees),
    ({ fees, volume }) => (volume > 0 ? `${ratio((fees / volume) * 1e4)} bps of the volume` : NO_FILL),
  ],
  ['Funding earned', ({ funding }) => gain(funding), () => 'part of the profit'],
];
const NO_ACCOUNT = 'no account was seen';
const NO_FILL = 'nothing was filled';

export function tiles({ figures }: Report): Markup {
  const tile = ([name, value, beside]: (typeof TILES)[number]) =>
    markup`<div><dt>${name}</dt><dd>${value(figures)}</dd><dd class="beside">${beside(figures)}</dd></div>`;
  return markup`<dl class="tiles">${TILES.map(tile)}</dl>`;
}

function drawdownBeside({ maxDrawdown: drawdown }: Figures): string {
  return 'missing' in drawdown ? drawdown.missing : `${money(drawdown.money)}, for ${span(drawdown.lastsMs)}`;
}

function sharpeBeside({ returns, timeUnderWater }: Figures): string {
  if ('missing' in returns) return returns.missing;
  return `${scaleText(returns)}, ${short(timeUnderWater, percent)} under water`;
}

function fillsBeside({ fills, makerShare, closing }: Figures): string {
  return fills === 0 ? NO_FILL : `${short(makerShare, percent)} maker, hit rate ${short(closing.winRate, percent)}`;
}

const short = (measure: Measure, text: (value: number) => string): string => ('missing' in measure ? '–' : text(measure.value));
