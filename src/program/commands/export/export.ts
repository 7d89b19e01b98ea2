// `bot export`: writes a tape as a Parquet file, and the tables of a run or a backtest as Parquet or CSV.
import { existsSync, statSync } from 'node:fs';
import { messageOf, UserError } from '../../../base/errors.ts';
import { exportParquet } from '../../../embedded/tape/parquet.ts';
import { withTape } from '../../../embedded/tape/reader.ts';
import { holdsTablesOnly, metaText, writeTables } from '../../../research/report/tables/files.ts';
import type { Table } from '../../../research/report/tables/table.ts';
import { resultsOfRun } from '../../../research/results/recorded-report.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { isReportFile, readTablesOf, tablesBeside } from '../../report-files.ts';
import { recordedRunOf } from '../replay/replay.ts';
import type { ExportFlags } from './command.ts';

export async function exportResults(what: string, flags: ExportFlags, host: Host): Promise<ExitCode> {
  const isFile = existsSync(what) && statSync(what).isFile();
  if (what.endsWith('.tape') || (isFile && !isReportFile(what))) return exportTape(what, flags, host);
  if (!holdsTablesOnly(flags.out))
    throw wrong(`--out ${flags.out} is not a folder of tables`, 'choose a new folder, or one that an export wrote');
  const { tables, meta } = isFile ? await resultsOfReport(what) : await resultsOfRunNamed(what, host);
  const files = orUserError(flags.out, () => writeTables(flags.out, tables, { meta, csv: flags.csv === true }));
  for (const { name, count } of tables) say(host.stdout, `${name}: ${count} rows`);
  say(host.stdout, `${flags.out}: ${files.join(', ')}`);
  return 0;
}

interface Results {
  readonly tables: readonly Table[];
  readonly meta: string;
}

async function resultsOfRunNamed(what: string, host: Host): Promise<Results> {
  const { directory, facts } = recordedRunOf(what, {}, host);
  const { report, tables } = await resultsOfRun(directory, facts);
  return { tables, meta: metaText(report) };
}

async function resultsOfReport(page: string): Promise<Results> {
  const results = await readTablesOf(page);
  if (results === undefined)
    throw wrong(`${tablesBeside(page)} does not exist`, 'a backtest writes its tables beside its report: run it again');
  return results;
}

function exportTape(file: string, { out, csv }: ExportFlags, { stdout }: Host): Promise<ExitCode> {
  if (csv) throw wrong('--csv is for runs and backtests', 'leave it out, or print the rows with tape cat');
  if (!out.endsWith('.parquet')) throw wrong(`--out ${out} does not end in .parquet`, 'write --out FILE.parquet');
  return withTape<ExitCode>(file, async (tape) => {
    await exportParquet(tape, out);
    say(stdout, `${out}: ${tape.facts.rows} rows of ${tape.header.market.symbol}`);
    return 0;
  });
}

/** Returns the result of `write`. Throws a UserError instead of its error. */
function orUserError<T>(out: string, write: () => T): T {
  try {
    return write();
  } catch (error) {
    throw wrong(`${out} cannot be written: ${messageOf(error)}`, 'choose another --out');
  }
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'export', message, hint });
