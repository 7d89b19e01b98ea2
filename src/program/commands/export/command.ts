// The options of `bot export`.
import type { Command } from 'commander';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import type { ExportFlags } from './export.ts';

export function addExport(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('export')
    .description('write a tape, a run or a backtest as Parquet or CSV, for pandas, polars and DuckDB')
    .argument('<what>', 'a tape, the name or state directory of a run, or the report of a backtest (.html or .json)')
    .requiredOption('--out <path>', 'a file for a tape (.parquet), a folder for a run or a backtest')
    .option('--csv', 'CSV instead of Parquet; not for tapes')
    .addHelpText('after', EXPORT_NOTES)
    .action((what: string, flags: ExportFlags) =>
      setExitCode(import('./export.ts').then(({ exportResults }) => exportResults(what, flags, host))),
    );
}

const EXPORT_NOTES = `
The tables of a run or a backtest are equity, fills, trips, orders, findings, turns and funding, with meta.json. docs/notebooks/results.ipynb reads them.`;
