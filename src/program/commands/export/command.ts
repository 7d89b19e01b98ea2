// The options of `bot export`.
import { argument, defineCommand, type FlagsOf, needed, option } from '../../declared.ts';

const EXPORT_NOTES = `
The tables of a run or a backtest are equity, fills, trips, orders, findings, turns and funding, with meta.json. docs/notebooks/results.ipynb reads them.`;

export const EXPORT = defineCommand({
  name: 'export',
  about: 'write a tape, a run or a backtest as Parquet or CSV, for pandas, polars and DuckDB',
  args: [argument('<what>', 'a tape, the name or state directory of a run, or the report of a backtest (.html or .json)')],
  options: [
    needed('--out <path>', 'a file for a tape (.parquet), a folder for a run or a backtest'),
    option('--csv', 'CSV instead of Parquet; not for tapes'),
  ],
  notes: EXPORT_NOTES,
});
export type ExportFlags = FlagsOf<typeof EXPORT>;
