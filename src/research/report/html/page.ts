// A report as one self-contained HTML file: figures, charts and tables, with the chart library and the data embedded.
import type { Report } from '../report.ts';
import { chartFrames, documentHtml, notices, section } from './document.ts';
import { monthsMap, returnsHistogram } from './drawings.ts';
import { figuresTable } from './figure-table.ts';
import { second, span } from './format.ts';
import { type Markup, markup } from './markup.ts';
import { assumptionsTable, guardsTable, qualityTable, tapesTable, tradesTable, valuesTable, whyNoFills } from './tables.ts';
import { candlesTable, drawdownsTable, tripFiguresTable } from './tear-sheet-tables.ts';
import { tiles } from './tiles.ts';

export interface PageOptions {
  /** The same run under pessimistic and optimistic assumptions: their figures are shown beside the report's. */
  readonly band?: { readonly pessimistic: Report; readonly optimistic: Report } | undefined;
}

/** Returns the text of the file. */
export function reportHtml(report: Report, { band }: PageOptions = {}): string {
  const { title, from, to, charts } = report;
  return documentHtml({ title, body: [...sections(report, band)], data: { from, to, charts } });
}

function* sections(report: Report, band: PageOptions['band']): Iterable<Markup> {
  const { figures, quality, tapes } = report;
  yield heading(report);
  const remarks = notices(report.notes);
  if (remarks !== undefined) yield remarks;
  yield tiles(report);
  if (figures.fills === 0) yield whyNoFills(report);
  yield chartFrames(report.charts);
  yield section('Figures', figuresTable(columnsOf(report, band)), band && 'The charts and the other tables are those of the expected run.');
  yield* tearSheet(report);
  if (report.candles.length > 0) yield section('Candles', candlesTable(report.candles), CANDLES_NOTE);
  if (quality.all.fills > 0) yield section('Fill quality', qualityTable(report), QUALITY_NOTE);
  yield section('Guards', guardsTable(report), 'Intents that each guard refused, shrank or held. A reason that persists counts once.');
  if (figures.fills > 0) yield section('Trades', tradesTable(report.fills));
  if (tapes.length > 0) yield section('Tapes', tapesTable(tapes));
  yield section('Assumptions', assumptionsTable(columnsOf(report, band)));
  yield section('Parameters', valuesTable(report.params));
  yield markup`<details><summary>Limits</summary>${valuesTable(report.limits)}</details>`;
  yield markup`<p class="note">Fingerprint of all actions: <code>${report.summary.fingerprint}</code></p>`;
}

function* tearSheet(report: Report): Iterable<Markup> {
  const { drawdowns, months, trips, annualGrowth, fills } = report.figures;
  if (drawdowns.length > 0) yield section('Largest drawdowns', drawdownsTable(drawdowns), 'Of the equity, in UTC.');
  if ('missing' in annualGrowth) yield section('Months', markup`<p class="note">${annualGrowth.missing}.</p>`);
  else yield section('Months', monthsMap(months), 'Return of each calendar month in UTC. * the run began or ended in it.');
  const { returns } = report;
  if (!('missing' in returns)) yield section('Returns', returnsHistogram(returns.values, returns.intervalMs), RETURNS_NOTE);
  if (fills === 0) return;
  const open = trips.open === 0 ? '' : ` ${trips.open} not closed: not counted.`;
  yield section('Round trips', tripFiguresTable(report), `${TRIPS_NOTE}${open}`);
}

const RETURNS_NOTE = 'How many returns of the equity, over equal steps, are of each size.';
const TRIPS_NOTE = 'MAE and MFE: the worst and best value of a trip before it was closed, at the mid prices that the bot saw.';
const CANDLES_NOTE =
  'Candles have no order book, so fills of resting orders are assumed. The strategy decides at the boundaries of candles; its orders are executed at the price there, with the spread of the assumptions below. If a resting bid and a resting ask were filled in one candle, which came first is assumed; the profit is the same in either order. If one candle contains both a take profit and its stop, the stop is assumed to come first; the table shows the change of the profit if the other exit came first. There should be no fills at a better price than any price of the candle.';
const QUALITY_NOTE =
  'Spread captured: by how much the price was better than the mid price of the book. Mid after: the move of the mid price since the fill. Both are positive in our favour, so a negative move is adverse selection. Mid prices are those of the polled books; a fill without a recent book is not counted.';

function columnsOf(report: Report, band: PageOptions['band']): readonly (readonly [string, Report])[] {
  if (band === undefined) return [['Value', report]];
  return [
    ['Pessimistic', band.pessimistic],
    ['Expected', report],
    ['Optimistic', band.optimistic],
  ];
}

function heading({ title, summary, from, to }: Report): Markup {
  return markup`<header><h1>${title}</h1><p>${summary.strategy} on ${summary.exchange}, ${second(from)} to ${second(to)} UTC, ${span(to - from)}</p></header>`;
}
