// `bot import`: converts recordings of other tools, or an exported Parquet file, to a tape, and prints the results of the checks.
import { UserError } from '../../../base/errors.ts';
import { STAMPS_PER_MILLI } from '../../../embedded/rows/rows.ts';
import { importParquet } from '../../../embedded/tape/parquet.ts';
import { checksText, importTape } from '../../../research/import/import.ts';
import type { ImportOverrides } from '../../../research/import/rows/import-header.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { withProgress } from '../../output/progress.ts';
import type { ImportFlags } from './command.ts';

export async function importFiles(
  files: readonly string[],
  { from, market, out, json, sort, spot, perp, volume, interval, timezone, ...others }: ImportFlags,
  host: Host,
): Promise<ExitCode> {
  if (from === 'parquet') return importExported(files, out, host);
  if (market === undefined) throw wrongUse('--market is missing', 'give the name of the market, as in --market BTCUSDT');
  const ofCandles = { sort, volume, timezone, interval: interval === undefined ? undefined : interval * STAMPS_PER_MILLI };
  const [candleOnlyOption] = Object.entries(ofCandles).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (candleOnlyOption !== undefined && from !== 'candles')
    throw wrongUse(`--${candleOnlyOption} is for candles only`, `leave it out for recordings from ${from}`);
  if (spot && perp) throw wrongUse('--spot and --perp were given', 'give one of them');
  const overrides: ImportOverrides = { ...others, kind: spot ? 'spot' : perp ? 'perp' : undefined };
  const report = await withProgress('import', host, (progress) =>
    importTape({ from, files, market, out, ...ofCandles, overrides, progress }),
  );
  if (json) say(host.stdout, JSON.stringify({ kind: 'import', out, ...report }));
  else for (const line of checksText(report)) say(host.stdout, line);
  return 0;
}

async function importExported([file, ...more]: readonly string[], out: string, { stdout }: Host): Promise<ExitCode> {
  if (file === undefined || more.length > 0) throw wrongUse('only one Parquet file can be imported at a time', 'give one file');
  const { rows, hash } = await importParquet(file, out);
  say(stdout, `${out}: ${rows} rows, ${hash}`);
  return 0;
}

const wrongUse = (message: string, hint: string): UserError => new UserError({ code: 'use', message, hint });
