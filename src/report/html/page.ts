// A report as one self-contained HTML file: figures, charts and tables, with the chart library and the data embedded.
import { createHash } from 'node:crypto';
import type { Chart } from '../charts/charts.ts';
import type { Report } from '../report.ts';
import { assetText } from './assets.ts';
import { figuresTable } from './figures.ts';
import { second, span } from './format.ts';
import { jsonText, Markup, markup, type Part, scriptText } from './markup.ts';
import { drawdownsTable, monthsTable, tripsTable } from './sheet-tables.ts';
import { assumptionsTable, guardsTable, qualityTable, tapesTable, tradesTable, valuesTable, whyNoFills } from './tables.ts';
import { tiles } from './tiles.ts';

export interface PageOptions {
  /** The same run under pessimistic and optimistic assumptions: their figures are shown beside the report's. */
  readonly band?: { readonly pessimistic: Report; readonly optimistic: Report } | undefined;
}

/** Returns the text of the file. Its content security policy allows the embedded script and style, by hash, and no request. */
export function reportHtml(report: Report, { band }: PageOptions = {}): string {
  const [script, style] = [scriptText(assetText('script')), assetText('style')];
  const { from, to, charts } = report;
  const page = markup`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy(script, style)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${report.title}</title>
<link rel="icon" href="data:,">
<style>${new Markup(style)}</style>
</head>
<body>
<main>
${[...sections(report, band)]}
</main>
<script type="application/json" id="data">${new Markup(jsonText({ from, to, charts }))}</script>
<script type="module">${new Markup(script)}</script>
</body>
</html>
`;
  return page.toString();
}

const hash = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

function policy(script: string, style: string): string {
  return `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
}

function* sections(report: Report, band: PageOptions['band']): Iterable<Markup> {
  const { figures, quality, tapes } = report;
  yield heading(report);
  if (report.notes.length > 0) yield markup`<ul class="notice">${report.notes.map((note) => markup`<li>${note}</li>`)}</ul>`;
  yield tiles(report);
  if (figures.fills === 0) yield whyNoFills(report);
  yield markup`<section class="charts">${report.charts.map(chartFrame)}</section>`;
  yield section('Figures', figuresTable(columnsOf(report, band)), band && 'The charts and the other tables are those of the expected run.');
  yield* tearSheet(report);
  if (quality.all.fills > 0) yield section('Fill quality', qualityTable(report), QUALITY_NOTE);
  yield section('Guards', guardsTable(report), 'What each guard refused, shrank or held. A reason that persists counts once.');
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
  else yield section('Months', monthsTable(months), 'Return of each calendar month in UTC. * the run began or ended in it.');
  if (fills === 0) return;
  const open = trips.open === 0 ? '' : ` ${trips.open} not closed: not counted.`;
  yield section('Round trips', tripsTable(report), `${TRIPS_NOTE}${open}`);
}

const TRIPS_NOTE = 'MAE and MFE: the worst and best value of a trip before it was closed, at the mid prices that the bot saw.';
const QUALITY_NOTE =
  'Spread captured: how much better than the mid of the book the price was. Mid after: how far the mid had moved since the fill. Both are positive in our favour, so a negative move is adverse selection. Mids are those of the books that the bot polled; a fill without one near enough is not counted.';

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

const section = (title: string, body: Part, note?: string): Markup =>
  markup`<section><h2>${title}</h2>${note === undefined ? undefined : markup`<p class="note">${note}</p>`}${body}</section>`;

const chartFrame = ({ title, note }: Chart, index: number): Markup =>
  markup`<figure><figcaption><b>${title}</b> ${note}</figcaption><div data-chart="${index}"></div></figure>`;
