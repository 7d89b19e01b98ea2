// Self-contained HTML pages, which allow no request: one with the chart library, our script and style, and the data of the charts; and one without scripts.
import type { Millis } from '../../../base/clock.ts';
import type { Chart } from '../charts/charts.ts';
import { jsonText, Markup, markup, type Part, scriptText } from './markup.ts';
import { assetText, hashSource, pageFrame } from './page-frame.ts';

export interface Document {
  readonly title: string;
  readonly body: Part;
  /** The charts that the body has frames for, and the time at which all begin. */
  readonly data: { readonly from: Millis; readonly to: Millis; readonly charts: readonly Chart[] };
}

/** Returns the text of the file. Its content security policy allows the embedded script and style, by hash, and no request. */
export function documentHtml({ title, body, data }: Document): string {
  const [script, style] = [scriptText(assetText('script')), assetText('style')];
  const scripts = markup`<script type="application/json" id="data">${new Markup(jsonText(data))}</script>
<script type="module">${new Markup(script)}</script>
`;
  return pageFrame({ title, body, style, policy: policy(script, style), generator: 'tickwright report', scripts });
}

function policy(script: string, style: string): string {
  return `default-src 'none'; script-src ${hashSource(script)}; style-src ${hashSource(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
}

export const section = (title: string, body: Part, note?: string): Markup =>
  markup`<section><h2>${title}</h2>${note === undefined ? undefined : markup`<p class="note">${note}</p>`}${body}</section>`;

/** The frames of charts, which the script fills. */
export const chartFrames = (charts: readonly Chart[]): Markup =>
  markup`<section class="charts">${charts.map(
    ({ title, note }, index) => markup`<figure><figcaption><b>${title}</b> ${note}</figcaption><div data-chart="${index}"></div></figure>`,
  )}</section>`;

export const notices = (notes: readonly string[]): Markup | undefined =>
  notes.length === 0 ? undefined : markup`<ul class="notice">${notes.map((note) => markup`<li>${note}</li>`)}</ul>`;

/** A page without scripts: a title, tables, and the styles of the report embedded. */
interface PlainPage {
  readonly title: string;
  readonly body: Part;
  /** Styles added to those of the report. */
  readonly style?: string;
}

/** Returns the text of the file. Its content security policy allows the embedded style, by hash, and nothing else. */
export function plainPage({ title, body, style: more = '' }: PlainPage): string {
  const style = `${assetText('style')}${more}`;
  const policy = `default-src 'none'; style-src ${hashSource(style)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return pageFrame({ title, body, style, policy });
}

/** A table with a heading row. `numbers`: the columns that hold numbers, from 0. */
export function plainTable(heads: readonly string[], rows: readonly (readonly Part[])[], numbers: readonly number[] = []): Markup {
  const isNumber = new Set(numbers);
  const head = heads.map((text, column) => (isNumber.has(column) ? markup`<th class="number">${text}</th>` : markup`<th>${text}</th>`));
  const cell = (part: Part, column: number): Markup =>
    isNumber.has(column) ? markup`<td class="number">${part}</td>` : markup`<td>${part}</td>`;
  const body = rows.map((row) => markup`<tr>${row.map(cell)}</tr>`);
  return markup`<div class="box"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
