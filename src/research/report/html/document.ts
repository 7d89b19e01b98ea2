// A self-contained HTML page: the chart library, our script and style, and the data of the charts embedded. No request is allowed.
import type { Millis } from '../../../base/clock.ts';
import type { Chart } from '../charts/charts.ts';
import { assetText } from './assets.ts';
import { jsonText, Markup, markup, type Part, scriptText } from './markup.ts';
import { hashSource, pageFrame } from './page-frame.ts';

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
