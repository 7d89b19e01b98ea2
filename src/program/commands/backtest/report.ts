// Writes the files of a report: the HTML page, and beside it the figures as JSON, the fills as CSV, the tables, and the strategy's log.

import { closeSync, existsSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolderOf } from '../../../base/files/folder.ts';
import { playedOf } from '../../../embedded/recording/tapes.ts';
import { reportHtml } from '../../../research/report/html/page.ts';
import { type Report, reportJson } from '../../../research/report/report.ts';
import { metaText, writeTables } from '../../../research/report/tables/files.ts';
import { fillsCsv } from '../../../research/report/tables/run-tables.ts';
import type { Table } from '../../../research/report/tables/table.ts';
import { DEFAULT_RUNS_FOLDER } from '../../known-runs.ts';
import { orUserError, requireReplaceablePage, tablesBeside } from '../../report-files.ts';
import type { BacktestFlags, BacktestPlan } from './plan.ts';

export interface Reports {
  readonly report: Report;
  readonly tables: readonly Table[];
  /** The strategy's log as JSON lines; written to `.log.jsonl` unless empty. */
  readonly log: readonly string[];
  readonly band?: { readonly pessimistic: Report; readonly optimistic: Report };
}

/** The file of the page. A file named by the user is replaced; a default name gets a number if it exists. */
export interface PageFile {
  readonly file: string;
  readonly named: boolean;
}

/** Maximum number of markets in the default name of a report: a file system takes names of 255 bytes. */
const NAMED_MARKETS = 3;
/** Maximum number of characters of each part of the name. */
const LONGEST_PART = 30;

/**
 * Returns the file of the HTML page; the default name consists of strategy, markets, tape and seed. Throws a UserError before the backtest if the
 * file cannot be written, or if it exists and is not a report.
 */
export function pageFileOf(plan: BacktestPlan, { report, band }: BacktestFlags): PageFile {
  const named = report !== undefined;
  const file = report ?? join(DEFAULT_RUNS_FOLDER, 'backtests', reportName(namePartsOf(plan, band)));
  const page = /\.html?$/.test(file) ? file : `${file}.html`;
  return orUserError({ page }, () => {
    makeFolderOf(page);
    if (named) requireReplaceablePage(page);
    const probe = named ? page : newName(page);
    const isNew = !existsSync(probe);
    closeSync(openSync(probe, 'a'));
    if (isNew) rmSync(probe);
    return { file: page, named };
  });
}

/** Returns the name, or the first of `name-2`, `name-3`, … that does not exist. */
function newName(page: string): string {
  const stem = page.replace(/\.html?$/, '');
  for (let number = 1; ; number++) {
    const file = number === 1 ? page : `${stem}-${number}.html`;
    if (!existsSync(file)) return file;
  }
}

/** Returns the default name of a report without folder and ending; at most 200 characters. */
export function reportName({ strategy, markets, hash, seed, band }: ReportNameParts): string {
  const others = markets.length - NAMED_MARKETS;
  const shown = [...markets.slice(0, NAMED_MARKETS), ...(others > 0 ? [`and-${others}-more`] : [])];
  return [strategy, ...shown, hash, seed, ...(band ? ['band'] : [])]
    .map((part) => part.slice(0, LONGEST_PART))
    .join('-')
    .replace(/[^\w.-]+/g, '_');
}

interface ReportNameParts {
  readonly strategy: string;
  readonly markets: readonly string[];
  /** The first characters of the hash of the first tape. */
  readonly hash: string;
  readonly seed: string;
  readonly band: boolean;
}

const namePartsOf = ({ strategy, tapes, seed }: BacktestPlan, band: BacktestFlags['band']): ReportNameParts => ({
  strategy: strategy.name,
  markets: playedOf(tapes).map(({ header }) => header.market.symbol),
  hash: tapes[0]?.facts.hash.slice(0, 8) ?? '',
  seed,
  band: Boolean(band),
});

/** Writes the files, and returns the file of the page. Throws a UserError if they cannot be written. */
export function writeReport(place: PageFile, { report, tables, log, band }: Reports): string {
  return orUserError({ page: place.file }, () => {
    const page = place.named ? place.file : newName(place.file);
    const stem = page.replace(/\.html?$/, '');
    writeFileSync(page, reportHtml(report, { band }), { flag: place.named ? 'w' : 'wx' });
    writeFileSync(`${stem}.json`, reportJson(report));
    for (const [name, other] of Object.entries(band ?? {})) writeFileSync(`${stem}.${name}.json`, reportJson(other));
    writeFileSync(`${stem}.fills.csv`, fillsCsv(report));
    writeTables(tablesBeside(page), tables, { meta: metaText(report), csv: false });
    if (log.length > 0) writeFileSync(`${stem}.log.jsonl`, `${log.join('\n')}\n`);
    else rmSync(`${stem}.log.jsonl`, { force: true });
    return page;
  });
}
