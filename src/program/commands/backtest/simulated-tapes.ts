// The tapes of `bot backtest --market`: recordings of the embedded exchange, made before the backtest, one for each market that the strategy names.

import { basename, dirname, join } from 'node:path';
import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/files/folder.ts';
import { marketsNamedIn } from '../../../bot/strategy/markets.ts';
import { resolveParams } from '../../../bot/strategy/params.ts';
import { readRegime } from '../../../embedded/venue/market-file.ts';
import { strategyOf } from '../../configuration.ts';
import type { Host } from '../../host.ts';
import { DEFAULT_RUNS_FOLDER } from '../../known-runs.ts';
import { recordMarket } from '../tapes/record.ts';
import { tapeFilesOf, whileLocked } from '../tapes/tape-files.ts';
import type { BacktestCommandFlags } from './command.ts';

const DEFAULT_SPAN: Millis = 3_600_000;

/** Returns the files of the tapes; those of `--market` are recorded first. Throws a UserError unless either tapes or a market are given. */
export async function tapesOf(flags: BacktestCommandFlags, host: Host): Promise<readonly string[]> {
  const { tape, market } = flags;
  if (tape !== undefined && market !== undefined) throw wrong('--tape and --market were both given', 'give one of them');
  if (market !== undefined) return recordMarkets({ ...flags, market }, host);
  if (flags.for !== undefined)
    throw wrong('--for is for a simulated market', 'add --market NAME, or give --from and --to for a part of a tape');
  if (tape !== undefined) return tapeFilesOf(tape, host);
  throw wrong(
    'neither --tape nor --market was given',
    'give a recording, as in --tape FILE, or a simulated market, as in --market recorded',
  );
}

async function recordMarkets(flags: BacktestCommandFlags & { readonly market: string }, host: Host): Promise<readonly string[]> {
  const { market: named, for: spanMs = DEFAULT_SPAN, seed } = flags;
  readRegime(named); // a wrong one is reported before the strategy is loaded
  const { strategy, config } = await strategyOf(flags);
  const params = resolveParams(strategy, config.params, (key) => config.placeOfParam(key));
  const { market: first } = params;
  const symbols = marketsNamedIn(params, strategy.name).toSorted((a, b) => Number(b === first) - Number(a === first)); // first the market that the strategy names `market`: a backtest sets that parameter to the market of the first tape
  const folder = dirname(flags.report ?? join(DEFAULT_RUNS_FOLDER, 'backtests', 'report.html')); // beside the report
  makeFolder(folder);
  const files = symbols.map((symbol) => join(folder, fileName({ named, symbol, spanMs, seed })));
  await whileLocked(files, host, async () => {
    for (const [index, market] of symbols.entries())
      await recordMarket({ market, spanMs, seed, regime: named, out: files[index]! }, `simulate ${market}`, host);
  });
  return files;
}

/** One file for each simulated market; another backtest on the same market replaces it with the same bytes. */
function fileName({ named, symbol, spanMs, seed }: { named: string; symbol: string; spanMs: Millis; seed: string }): string {
  const market = basename(named).replace(/\.ya?ml$/, '');
  return `${[market, symbol, `${spanMs / 1_000}s`, seed].join('-').replace(/[^\w.-]+/g, '_')}.tape`;
}

const wrong = (message: string, hint: string): UserError => new UserError({ code: 'use', message, hint });
