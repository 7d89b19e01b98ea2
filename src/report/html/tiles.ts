// The tiles at the top: the most important figures, each with a related one.
import type { Measure } from '../figures/performance.ts';
import type { Figures, Report } from '../report.ts';
import { count, gain, money, percent, ratio, span } from './format.ts';
import { type Markup, markup } from './markup.ts';

const TILES: readonly (readonly [name: string, value: (figures: Figures) => string, beside: (figures: Figures) => string])[] = [
  ['PnL', ({ pnl }) => gain(pnl), ({ trading }) => `${gain(trading)} from prices`],
  [
    'Return',
    ({ totalReturn }) => short(totalReturn, percent),
    ({ equity }) => (equity === undefined ? NO_ACCOUNT : `equity ${money(equity.end)}`),
  ],
  ['Max drawdown', ({ maxDrawdown }) => ('missing' in maxDrawdown ? '–' : percent(maxDrawdown.fraction)), drawdownBeside],
  ['Sharpe', ({ sharpe }) => short(sharpe, ratio), sharpeBeside],
  ['Fills', ({ fills }) => count(fills), fillsBeside],
  ['Volume', ({ volume }) => money(volume), ({ turnover }) => `turnover ${short(turnover, ratio)}`],
  [
    'Fees charged',
    ({ fees }) => money(fees),
    ({ fees, volume }) => (volume > 0 ? `${ratio((fees / volume) * 1e4)} bps of the volume` : NO_FILL),
  ],
  ['Funding earned', ({ funding }) => gain(funding), () => 'part of the PnL'],
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

function sharpeBeside({ sharpe, sortino, calmar }: Figures): string {
  return 'missing' in sharpe ? sharpe.missing : `Sortino ${short(sortino, ratio)}, Calmar ${short(calmar, ratio)}`;
}

function fillsBeside({ fills, makerShare, closing }: Figures): string {
  return fills === 0 ? NO_FILL : `${short(makerShare, percent)} maker, hit rate ${short(closing.hitRate, percent)}`;
}

const short = (measure: Measure, text: (value: number) => string): string => ('missing' in measure ? '–' : text(measure.value));
