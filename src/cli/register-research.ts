// Registers the research commands: backtest, record, import, tape, export.
import type { Command } from 'commander';
import { PROGRAM } from '../base/package.ts';
import type { BacktestFlags } from './commands/backtest/plan.ts';
import type { ImportFlags } from './commands/tapes/import.ts';
import type { RecordFlags } from './commands/tapes/record.ts';
import type { SpanFlags } from './commands/tapes/tape.ts';
import type { SetExitCode } from './exit-codes.ts';
import type { Host } from './host.ts';
import {
  aboveZero,
  choiceOf,
  collect,
  decimalsOf,
  depositOf,
  durationOf,
  feesOf,
  fractionOf,
  intervalOf,
  momentOf,
  symbolsOf,
} from './values.ts';

export function addBacktest(program: Command, host: Host, setExitCode: SetExitCode): void {
  const command = program
    .command('backtest')
    .description('run a strategy on recorded data, with the engine, guards and execution of a live run')
    .usage('--strategy NAME|PATH --tape FILE [options]')
    .option(
      '--report <file.html>',
      'the report; its figures (.json), fills (.csv) and log (.log.jsonl) go beside it (default: a file in .bot/backtests)',
    )
    .option('--band', 'three runs side by side: pessimistic, expected (the given options) and optimistic');
  addBacktestOptions(command);
  command
    .option('--json', 'one JSON object a line on standard output')
    .addHelpText('after', BACKTEST_NOTES)
    .action((flags: BacktestFlags) => setExitCode(import('./commands/backtest/backtest.ts').then(({ backtest }) => backtest(flags, host))));
}

/** The options that decide the result of a backtest. */
export function addBacktestOptions(command: Command): void {
  command
    .option('--strategy <name|path>', 'a built-in strategy, or the path of a .ts or .js file')
    .requiredOption('--tape <file...>', `a tape made by ${PROGRAM} record or ${PROGRAM} import; one per market`, collect)
    .option('--input <name=file...>', 'recorded values of an input of the strategy, as in news=news.jsonl', collect)
    .option('--latency <ms>', 'one way: 20; there and back: 10,15; median and 99th percentile: 20~200; or recorded', '20')
    .option('--poll <ms>', 'interval between polls of the order book (default: as configured)', intervalOf('--poll'))
    .option(
      '--queue <model>',
      'queue model: conservative, probabilistic[:POWER] or exact (default: conservative; with --band probabilistic:3)',
    )
    .option(
      '--looks <n>',
      'looks a candle, on tapes of candles: 1 (after its end), 4 or 12 (default: 1)',
      choiceOf('--looks', ['1', '4', '12']),
    )
    .option(
      '--from <time>',
      'begin at this date or RFC 3339 time; what came before is known (default: the beginning of the tapes)',
      momentOf('--from'),
    )
    .option('--to <time>', 'end at this time (default: the end of the tapes)', momentOf('--to'))
    .option('--deposit <amount>', 'quote tokens at the start (default: 100000)', depositOf)
    .option(
      '--fees <maker,taker>',
      "basis points of the notional, as in 1,4.5; a negative maker fee is a rebate (default: the embedded exchange's fee brackets)",
      feesOf,
    )
    .option('--config <file>', 'parameters and limits (default for a built-in strategy: config/<strategy>.yaml)')
    .option('--set <path=value...>', 'override values of the configuration, as in params.levels=5', collect)
    .option('--seed <text>', 'seed of all randomness of the run', 'backtest');
}

const BACKTEST_NOTES = `
Without --set params.market=… a strategy trades the market of the tape. docs/simulation.md lists all assumptions, and when each is false.
The same seed, tape, parameters and assumptions give the same result; its fingerprint is the hash of all actions.
Exit codes: as for a run; 1 also if some orders were not proved gone after the end of the tape; 2 also if the report
could not be written (the result is printed in any case).`;

export function addTapeCommands(program: Command, host: Host, setExitCode: SetExitCode): void {
  addRecord(program, host, setExitCode);
  addImport(program, host, setExitCode);
  addTape(program, host, setExitCode);
  program
    .command('export')
    .description('convert a tape to a Parquet file, for pandas, polars and DuckDB')
    .argument('<tape>')
    .requiredOption('--out <file.parquet>')
    .action((tape: string, flags: { out: string }) =>
      setExitCode(import('./commands/tapes/export.ts').then(({ exportTape }) => exportTape(tape, flags, host))),
    );
}

const tapeTools = () => import('./commands/tapes/tape.ts');

function addTape(program: Command, host: Host, setExitCode: SetExitCode): void {
  const tape = program.command('tape').description('show what a tape holds, write a part of it, or print its rows');
  tape
    .command('info')
    .description('market, source, time, number of rows of each kind, decimals, hash; reads the whole tape')
    .argument('<tape>')
    .option('--json', 'one JSON object')
    .action((file: string, flags: { json?: true }) => setExitCode(tapeTools().then(({ tapeInfo }) => tapeInfo(file, flags, host))));
  tape
    .command('slice')
    .description('write a part of a tape as a tape, which begins with the book of that moment')
    .argument('<tape>')
    .option('--from <time>', 'first moment: 2024-01-31 or RFC 3339 (default: the beginning)', momentOf('--from'))
    .option('--to <time>', 'first moment after the part (default: the end)', momentOf('--to'))
    .requiredOption('--out <file>', 'the tape')
    .action((file: string, flags: SpanFlags & { out: string }) =>
      setExitCode(tapeTools().then(({ tapeSlice }) => tapeSlice(file, flags, host))),
    );
  tape
    .command('cat')
    .description('print the rows of a tape')
    .argument('<tape>')
    .option('--from <time>', 'first moment: 2024-01-31 or RFC 3339 (default: the beginning)', momentOf('--from'))
    .option('--to <time>', 'first moment that is not printed (default: the end)', momentOf('--to'))
    .option('--json', 'one JSON object a row')
    .action((file: string, flags: SpanFlags & { json?: true }) =>
      setExitCode(tapeTools().then(({ tapeCat }) => tapeCat(file, flags, host))),
    );
}

function addRecord(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('record')
    .description('record the public data of an exchange: order books, trades, prices, funding')
    .option(
      '--url <url>',
      'address of a hosted exchange; without it the embedded exchange is recorded, every change, faster than real time',
    )
    .requiredOption('--markets <symbols>', 'as in BTCUSDC,ETHUSDC; each is written to its own file', symbolsOf)
    .requiredOption('--out <file>', 'the tape; with several markets the symbol goes before the extension')
    .option(
      '--for <time>',
      'stop after 20s, 5m or 2h; required for the embedded exchange (default for a hosted one: until Ctrl-C)',
      durationOf('--for'),
    )
    .option('--poll <ms>', 'interval between polls of an order book of a hosted exchange', intervalOf('--poll'), 250)
    .option('--seed <text>', 'seed of the embedded exchange (default: random)')
    .addHelpText('after', RECORD_NOTES)
    .action((flags: RecordFlags) => setExitCode(import('./commands/tapes/record.ts').then(({ record }) => record(flags, host))));
}

const RECORD_NOTES = `
With --url, a tape at --out of the same market, URL and --poll is continued, and the gap is marked in it. Without --url, a recording of the same
market of the embedded exchange is replaced. Any other file at --out is left as it is, and nothing is recorded.
Exit codes: as for a run; 1 also if no order book of a market was seen: then there is no tape of it.`;

function addImport(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('import')
    .description('convert recordings of other tools to a tape, and print what was checked')
    .argument('<files...>', 'plain, .gz, .zst, or Parquet; the parts of one recording in order of time')
    .requiredOption(
      '--from <format>',
      `binance, tardis, hyperliquid, candles (CSV, JSON or Parquet of any program), or parquet (made by ${PROGRAM} export)`,
      choiceOf('--from', ['binance', 'tardis', 'hyperliquid', 'candles', 'parquet']),
    )
    .option('--market <symbol>', 'name of the market on the tape')
    .requiredOption('--out <file>', 'the tape; replaces an existing tape unless that was recorded by polling, and never another file')
    .option('--price-decimals <n>', 'decimals of prices (default: inferred from the data)', decimalsOf('--price-decimals'))
    .option('--size-decimals <n>', 'decimals of sizes (default: inferred from the data)', decimalsOf('--size-decimals'))
    .option('--imf <fraction>', 'initial margin fraction of the market (default: 0.05)', fractionOf('--imf'))
    .option('--cmf <fraction>', 'cancel margin fraction (default: 0.0375)', fractionOf('--cmf'))
    .option('--mmf <fraction>', 'maintenance margin fraction (default: 0.025)', fractionOf('--mmf'))
    .option(
      '--funding-interval <time>',
      'time between funding payments, as in 8h (default: as the data or the exchange says)',
      durationOf('--funding-interval'),
    )
    .option(
      '--unit <n>',
      'count prices and sizes in units of so many tokens, as in 1000, if the price of one token has too many decimals',
      aboveZero('--unit'),
    )
    .option(
      '--contract-value <amount>',
      'import an inverse contract as a linear market: the value of one contract in quote tokens',
      aboveZero('--contract-value'),
    )
    .option('--sort', 'sort the rows of candle files by time; unsorted ones are refused otherwise')
    .option('--json', 'the checks as one JSON object')
    .action((files: readonly string[], flags: ImportFlags) =>
      setExitCode(import('./commands/tapes/import.ts').then(({ importFiles }) => importFiles(files, flags, host))),
    );
}
