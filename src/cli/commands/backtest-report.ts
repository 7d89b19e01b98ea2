// The files of a report: a page, and beside it the same figures as JSON and the fills as CSV.
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { messageOf, UserError } from '../../base/errors.ts';
import { reportHtml } from '../../report/html/page.ts';
import { fillsCsv, type Report, reportJson } from '../../report/report.ts';

export interface Reports {
  readonly report: Report;
  readonly band?: { readonly pessimistic: Report; readonly optimistic: Report };
}

/** The name of the page. UserError where the files cannot be written. */
export function writeReport(file: string, { report, band }: Reports): string {
  const page = /\.html?$/.test(file) ? file : `${file}.html`;
  const stem = page.replace(/\.html?$/, '');
  try {
    mkdirSync(dirname(page), { recursive: true });
    writeFileSync(page, reportHtml(report, { band }));
    writeFileSync(`${stem}.json`, reportJson(report));
    for (const [name, other] of Object.entries(band ?? {})) writeFileSync(`${stem}.${name}.json`, reportJson(other));
    writeFileSync(`${stem}.fills.csv`, fillsCsv(report));
    return page;
  } catch (error) {
    throw new UserError({
      code: 'report',
      message: `the report ${page} cannot be written: ${messageOf(error)}`,
      hint: 'choose another --report',
    });
  }
}
