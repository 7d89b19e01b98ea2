// Writes the files of a report: the HTML page, and beside it the figures as JSON, the fills as CSV, and what the strategy logged.
import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { messageOf, UserError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/files/folder.ts';
import { reportHtml } from '../../../report/html/page.ts';
import { fillsCsv, type Report, reportJson } from '../../../report/report.ts';
import type { BacktestFlags, BacktestPlan } from './plan.ts';

export interface Reports {
  readonly report: Report;
  /** What the strategy logged, as JSON lines; the file `.log.jsonl` is written if there are any. */
  readonly log: readonly string[];
  readonly band?: { readonly pessimistic: Report; readonly optimistic: Report };
}

/**
 * The file of the HTML page. The default name is made of strategy, markets, tape and seed, so that another backtest does not overwrite it. Throws a
 * UserError before the backtest if the file cannot be written.
 */
export function pageOf(plan: BacktestPlan, { report, band }: BacktestFlags): string {
  const file = report ?? join('.bot', 'backtests', nameOf(plan, band));
  const page = /\.html?$/.test(file) ? file : `${file}.html`;
  return written(page, () => {
    makeFolder(dirname(resolve(page)));
    const isNew = !existsSync(page);
    closeSync(openSync(page, 'a'));
    if (isNew) rmSync(page);
    return page;
  });
}

function nameOf({ strategy, tapes, seed }: BacktestPlan, band: BacktestFlags['band']): string {
  const markets = tapes.map(({ header }) => header.market.symbol).join('-');
  const parts = [strategy.name, markets, tapes[0]?.facts.hash.slice(0, 8) ?? '', seed, ...(band ? ['band'] : [])];
  return parts.join('-').replace(/[^\w.-]+/g, '_');
}

/** Throws a UserError if the files cannot be written. */
export function writeReport(page: string, { report, log, band }: Reports): void {
  const stem = page.replace(/\.html?$/, '');
  written(page, () => {
    writeFileSync(page, reportHtml(report, { band }));
    writeFileSync(`${stem}.json`, reportJson(report));
    for (const [name, other] of Object.entries(band ?? {})) writeFileSync(`${stem}.${name}.json`, reportJson(other));
    writeFileSync(`${stem}.fills.csv`, fillsCsv(report));
    if (log.length > 0) writeFileSync(`${stem}.log.jsonl`, `${log.join('\n')}\n`);
    else rmSync(`${stem}.log.jsonl`, { force: true });
  });
}

function written<T>(page: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw new UserError({
      code: 'report',
      message: `the report ${page} cannot be written: ${messageOf(error)}`,
      hint: 'choose another file with --report',
    });
  }
}
