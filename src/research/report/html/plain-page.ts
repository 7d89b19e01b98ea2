// A page without scripts: a title, tables, and the styles of the report embedded.
import { assetText } from './assets.ts';
import { Markup, markup, type Part } from './markup.ts';
import { hashSource, pageFrame } from './page-frame.ts';

export interface PlainPage {
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
