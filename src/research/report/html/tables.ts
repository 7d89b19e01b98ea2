// The tables under the charts: fill quality, guards, trades, tapes, assumptions and parameters.

import type { FindingSeen, GuardRecord } from '../figures/report-collector.ts';
import { type EdgeTotal, HORIZONS_MS } from '../figures/trades/fill-quality.ts';
import type { FillRow } from '../figures/trades/fill-rows.ts';
import type { Report, ReportTape } from '../report.ts';
import { bps, count, gain, instant, second, span } from './format.ts';
import { type Markup, markup, type Part } from './markup.ts';

/** Maximum number of trades in the table; the CSV has all. */
export const SHOWN_TRADES = 2_000;

export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => Part;
  /** Numbers are right-aligned; sentences get a minimum width. */
  readonly kind?: 'number' | 'sentence';
}

/** Returns a table in a box that scrolls if it is wider than the page. */
export function table<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): Markup {
  const head = columns.map((column) => markup`<th class="${column.kind}">${column.name}</th>`);
  const body = rows.map((row) => markup`<tr>${columns.map((column) => markup`<td class="${column.kind}">${column.cell(row)}</td>`)}</tr>`);
  return markup`<div class="box"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

const HORIZON_NAMES = HORIZONS_MS.map((horizon) => span(horizon));

const edge = (total: EdgeTotal): Part => [
  total.bps === undefined ? '–' : markup`${bps(total.bps)} bps<br>${gain(total.money)}`,
  total.notCounted === 0 ? '' : markup`<br><small>${count(total.notCounted)} not counted</small>`,
];

export function qualityTable({ quality }: Report): Markup {
  const rows = Object.entries(quality).filter(
    ([role, { fills }]) => fills > 0 && (role !== 'all' || fills > Math.max(quality.maker.fills, quality.taker.fills)),
  );
  return table(
    [
      { name: 'Fills as', cell: ([name]) => name },
      { name: 'Fills', cell: ([, { fills }]) => count(fills), kind: 'number' },
      { name: 'Spread captured', cell: ([, { spread }]) => edge(spread), kind: 'number' },
      ...HORIZON_NAMES.map((name, i): Column<(typeof rows)[number]> => {
        return { name: `Mid after ${name}`, cell: ([, { markouts }]) => edge(markouts[i]!), kind: 'number' };
      }),
    ],
    rows,
  );
}

type GuardRow = readonly [name: string, record: GuardRecord];
const GUARD_COLUMNS: readonly Column<GuardRow>[] = [
  { name: 'Guard', cell: ([name]) => name },
  ...(['refuse', 'shrink', 'hold'] as const).map((verdict): Column<GuardRow> => {
    return { name: verdict, cell: ([, { verdicts }]) => count(verdicts[verdict]), kind: 'number' };
  }),
  { name: 'First', cell: ([, { first }]) => findingCell(first), kind: 'sentence' },
  { name: 'Last', cell: ([, { last }]) => findingCell(last), kind: 'sentence' },
];
const findingCell = ({ at, market, finding }: FindingSeen): Part =>
  markup`<small>${second(at)} ${market} ${finding.side}</small><br>${finding.reason}`;

/** The guards with findings, and the names of those without. */
export function guardsTable({ guards, summary }: Report): Markup {
  const active = Object.entries(guards);
  const silent = Object.keys(summary.findings).filter((name) => guards[name] === undefined);
  return markup`${active.length > 0 ? table(GUARD_COLUMNS, active) : undefined}${
    silent.length > 0 ? markup`<p class="note">Without findings: ${silent.join(', ')}.</p>` : undefined
  }`;
}

export function tradesTable(fills: readonly FillRow[]): Markup {
  const shown = fills.slice(0, SHOWN_TRADES);
  const cut = markup`<p class="note">The first ${count(shown.length)} of ${count(fills.length)} fills; the CSV has all.</p>`;
  const columns: readonly Column<FillRow>[] = [
    { name: 'Time (UTC)', cell: ({ at }) => instant(at) },
    { name: 'Market', cell: ({ market }) => market },
    { name: 'Side', cell: ({ side }) => markup`<span class="${side}">${side}</span>` },
    { name: 'Price', cell: ({ price }) => price, kind: 'number' },
    { name: 'Size', cell: ({ size }) => size, kind: 'number' },
    { name: 'Role', cell: ({ role, provisional }) => (provisional === true ? `${role}, provisional` : role) },
    { name: 'Fee', cell: ({ fee }) => fee, kind: 'number' },
    { name: 'Spread, bps', cell: ({ quality }) => quality.spread && bps(quality.spread.bps), kind: 'number' },
    ...HORIZON_NAMES.map((name, i): Column<FillRow> => {
      return { name: `${name}, bps`, cell: ({ quality }) => quality.markouts[i] && bps(quality.markouts[i].bps), kind: 'number' };
    }),
    { name: 'Realised', cell: ({ realised }) => (realised === undefined ? '' : gain(realised)), kind: 'number' },
    { name: 'Trade', cell: ({ tradeId }) => tradeId },
  ];
  return markup`${shown.length < fills.length ? cut : undefined}<div class="long">${table(columns, shown)}</div>`;
}

export const tapesTable = (tapes: readonly ReportTape[]): Markup =>
  table(
    [
      { name: 'File', cell: ({ file }) => file },
      { name: 'Market', cell: ({ market }) => market },
      { name: 'Source', cell: ({ source, candles }) => (candles ? `${source}, candles` : source) },
      { name: 'Rows', cell: ({ rows }) => count(rows), kind: 'number' },
      { name: 'First', cell: ({ first }) => first },
      { name: 'Last', cell: ({ last }) => last },
      { name: 'SHA-256', cell: ({ hash }) => markup`<code>${hash}</code>` },
    ],
    tapes,
  );

/** One column per report. */
export function assumptionsTable(reports: readonly (readonly [name: string, report: Report])[]): Markup {
  const names = new Set(reports.flatMap(([, { assumptions }]) => Object.keys(assumptions)));
  return table(
    [
      { name: '', cell: (name) => name },
      ...reports.map(
        ([column, { assumptions }]): Column<string> => ({ name: column, cell: (name) => assumptions[name], kind: 'sentence' }),
      ),
    ],
    [...names],
  );
}

/** Returns a table of names and values; nested values have their path as name. */
export function valuesTable(values: Readonly<Record<string, unknown>>): Markup {
  const rows = flattened(values, '').map(([name, value]) => markup`<tr><th>${name}</th><td>${value}</td></tr>`);
  return markup`<div class="box"><table class="values"><tbody>${rows}</tbody></table></div>`;
}

/** Returns nested values as pairs of path and text. */
export function flattened(value: unknown, path: string): readonly (readonly [name: string, text: string])[] {
  if (typeof value === 'string') return [[path, value]];
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return [[path, JSON.stringify(value) ?? '–']];
  return Object.entries(value).flatMap(([key, inner]) => flattened(inner, path === '' ? key : `${path}.${key}`));
}

/** Explains, from the guards and the orders, why there are no fills. */
export function whyNoFills({ guards, summary }: Report): Markup {
  const { placed, cancelled, rejected } = summary.orders;
  const orders = `${count(placed)} orders were placed, ${count(cancelled)} cancelled, ${count(rejected)} rejected.`;
  const held = Object.entries(guards).map(([name, { last }]) => markup`<li><b>${name}</b>: ${last.finding.reason}</li>`);
  const silence =
    placed === 0 ? ' No guard acted: the strategy returned no intents.' : ' No guard acted: the market did not reach the orders.';
  const reason = held.length === 0 ? silence : markup` The last finding of each guard:<ul>${held}</ul>`;
  return markup`<div class="notice"><h2>Nothing was filled</h2>${orders}${reason}</div>`;
}
