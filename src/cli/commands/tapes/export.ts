// `bot export`: writes a tape as a Parquet file, for pandas, polars and DuckDB.
import { UserError } from '../../../base/errors.ts';
import { exportParquet } from '../../../tape/parquet.ts';
import { openTape } from '../../../tape/reader.ts';
import { type ExitCode, type Host, say } from '../../host.ts';

export async function exportTape(file: string, { out }: { out: string }, { stdout }: Host): Promise<ExitCode> {
  if (!out.endsWith('.parquet'))
    throw new UserError({ code: 'export', message: `--out ${out} does not end in .parquet`, hint: 'write --out FILE.parquet' });
  const tape = await openTape(file);
  try {
    await exportParquet(tape, out);
    say(stdout, `${out}: ${tape.facts.rows} rows of ${tape.header.market.symbol}`);
    return 0;
  } finally {
    await tape.close();
  }
}
