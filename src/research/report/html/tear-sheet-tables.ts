// The tables of the tear sheet: drawdowns, and round trips with long and short apart.
import type { CandleFigures } from '../figures/candle-figures.ts';
import type { Drawdown } from '../figures/equity/drawdowns.ts';
import type { TripFigures } from '../figures/trades/round-trips.ts';
import type { Report } from '../report.ts';
import { measured } from './figure-table.ts';
import { count, gain, money, percent, ratio, second, span } from './format.ts';
import { type Markup, markup, type Part } from './markup.ts';
import { type Column, table } from './tables.ts';

export const drawdownsTable = (drawdowns: readonly Drawdown[]): Markup =>
  table<Drawdown>(
    [
      { name: 'Depth', cell: ({ fraction }) => percent(fraction), kind: 'number' },
      { name: 'Money', cell: ({ money: lost }) => money(lost), kind: 'number' },
      { name: 'Left the peak', cell: ({ peakAt }) => second(peakAt), kind: 'number' },
      { name: 'Deepest', cell: ({ troughAt }) => second(troughAt), kind: 'number' },
      { name: 'Recovered', cell: ({ recoveredAt }) => (recoveredAt === undefined ? 'not recovered' : second(recoveredAt)), kind: 'number' },
      { name: 'Lasted', cell: ({ lastsMs }) => span(lastsMs), kind: 'number' },
    ],
    drawdowns,
  );

interface TripRow {
  readonly name: string;
  readonly text: (figures: TripFigures) => Part;
  readonly how: string;
}

const TRIP_ROWS: readonly TripRow[] = [
  { name: 'Closed', text: (all) => count(all.count), how: 'from flat to flat, or to the other side' },
  { name: 'Profit', text: (all) => gain(all.profit), how: 'after fees, without funding' },
  { name: 'Expectancy', text: (all) => measured(all.expectancy, gain), how: 'mean profit' },
  { name: 'Win rate', text: (all) => measured(all.winRate, percent), how: 'share with a profit' },
  { name: 'Profit factor', text: (all) => measured(all.profitFactor, ratio), how: 'gains / losses' },
  { name: 'Average gain', text: (all) => measured(all.averageGain, gain), how: '' },
  { name: 'Average loss', text: (all) => measured(all.averageLoss, gain), how: '' },
  { name: 'Best', text: (all) => measured(all.best, gain), how: '' },
  { name: 'Worst', text: (all) => measured(all.worst, gain), how: '' },
  { name: 'Longest losing run', text: (all) => count(all.longestLosingRun), how: 'trips one after another' },
  { name: 'Average time', text: (all) => measured(all.averageMs, span), how: '' },
  { name: 'Average MAE', text: (all) => measured(all.averageMae, gain), how: 'lowest value on the way, after fees' },
  { name: 'Worst MAE', text: (all) => measured(all.worstMae, gain), how: '' },
  { name: 'Average MFE', text: (all) => measured(all.averageMfe, gain), how: 'highest value on the way' },
  { name: 'Kept of the MFE', text: (all) => measured(all.kept, percent), how: 'profit / sum of the MFE' },
];

export function tripFiguresTable({ figures: { trips } }: Report): Markup {
  const columns = (['all', 'long', 'short'] as const).map((direction): Column<TripRow> => {
    return { name: { all: 'All', long: 'Long', short: 'Short' }[direction], cell: ({ text }) => text(trips[direction]), kind: 'number' };
  });
  const name = ({ name: label, how }: TripRow): Part => [label, how === '' ? '' : markup`<br><small>${how}</small>`];
  return table<TripRow>([{ name: '', cell: name }, ...columns], TRIP_ROWS);
}

export const candlesTable = (candles: readonly CandleFigures[]): Markup =>
  table<CandleFigures>(
    [
      { name: 'Market', cell: ({ market }) => market },
      { name: 'Candles', cell: (all) => `${count(all.candles)} of ${span(all.lengthMs)}`, kind: 'number' },
      { name: 'First', cell: ({ first }) => second(first) },
      { name: 'Last', cell: ({ last }) => second(last) },
      { name: 'Gaps', cell: ({ gaps }) => count(gaps), kind: 'number' },
      { name: 'Fills', cell: ({ fills }) => count(fills), kind: 'number' },
      {
        name: 'Order assumed',
        cell: ({ guessed, fills }) => [count(guessed), fills > 0 ? `, ${percent(guessed / fills)}` : ''],
        kind: 'number',
      },
      {
        name: 'Stop or take profit',
        cell: ({ exits: { guessed, otherwise } }) => [count(guessed), guessed > 0 ? `, ${gain(otherwise)} if the other came first` : ''],
        kind: 'number',
      },
      { name: 'Largest share of a volume', cell: ({ largestShare }) => percent(largestShare), kind: 'number' },
      { name: 'Better than any price', cell: ({ beyond }) => count(beyond), kind: 'number' },
    ],
    candles,
  );
