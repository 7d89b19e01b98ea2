// `bot compare`: runs and backtests side by side, on the terminal, as JSON, and as a page.
import { existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { UserError } from '../../../base/errors.ts';
import { type Compared, differencesOf, remarksOn } from '../../../research/report/comparison.ts';
import { comparisonHtml } from '../../../research/report/html/comparison-page.ts';
import { resultsOfRun } from '../../../research/results/recorded-report.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { pageLine } from '../../output/words.ts';
import { isReportFile, readReport, readTablesOf, requireReplaceablePage, writePage } from '../../report-files.ts';
import { recordedRunOf } from '../replay/replay.ts';
import type { CompareFlags } from './command.ts';
import { comparedLine, comparisonWords } from './words.ts';

export async function compare(names: readonly string[], { report: page, json }: CompareFlags, host: Host): Promise<ExitCode> {
  if (names.length < 2) throw wrong('a comparison needs two runs or more', 'name another one');
  if (page !== undefined) requireReplaceablePage(page);
  const runs: Compared[] = [];
  for (const name of names) runs.push(withUniqueName(await openRun(name, host), runs));
  if (json) say(host.stdout, JSON.stringify(comparedLine(runs, { differences: differencesOf(runs), remarks: remarksOn(runs) })));
  else for (const line of comparisonWords(runs)) say(host.stdout, line);
  if (page === undefined) return 0;
  writePage(page, comparisonHtml(runs));
  if (!json) say(host.stdout, pageLine(['report', page]));
  return 0;
}

async function openRun(fileOrRun: string, host: Host): Promise<Compared> {
  if (isReportFile(fileOrRun)) {
    const report = readReport(fileOrRun);
    const results = await readTablesOf(fileOrRun);
    const name = basename(fileOrRun).replace(/\.(html?|json)$/, '');
    return { name, report, equity: results?.tables.find((table) => table.name === 'equity') };
  }
  if (existsSync(fileOrRun) && statSync(fileOrRun).isFile())
    throw wrong(`${fileOrRun} is not a report`, 'name the page of a backtest, .html or .json, or a run');
  const { directory, facts } = recordedRunOf(fileOrRun, {}, host); // without --state, which this command does not have
  const { report, tables } = await resultsOfRun(directory, facts);
  return { name: facts.run, report, equity: tables.find((table) => table.name === 'equity') };
}

/** Adds a number to the name if another run has the same one. */
function withUniqueName(run: Compared, others: readonly Compared[]): Compared {
  const taken = new Set(others.map(({ name }) => name));
  for (let number = 1; ; number++) {
    const name = number === 1 ? run.name : `${run.name}-${number}`;
    if (!taken.has(name)) return { ...run, name };
  }
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'compare', message, hint });
