// The commands of research: tapes are recorded, imported and exported, and strategies played on them.
import type { Command } from 'commander';
import { PROGRAM } from '../base/package.ts';
import type { BacktestFlags } from './commands/backtest/plan.ts';
import type { ImportFlags } from './commands/tapes/import.ts';
import type { RecordFlags } from './commands/tapes/record.ts';
import type { Ends } from './exit-codes.ts';
import type { Host } from './host.ts';
import { aboveZero, choiceOf, collect, decimalsOf, depositOf, durationOf, feesOf, fractionOf, intervalOf, symbolsOf } from './values.ts';

export function addBacktest(program: Command, host: Host, ends: Ends): void {
  program
    .command('backtest')
    .description('play a strategy on a tape, through the engine, guards and execution of a live run')
    .usage('--strategy NAME|PATH --tape FILE [options]')
    .option('--strategy <name|path>', 'a built-in strategy, or a path to a .ts or .js file of yours')
    .requiredOption('--tape <file...>', `recorded by ${PROGRAM} record, or made by ${PROGRAM} import; several are several markets`, collect)
    .option(
      '--report <file.html>',
      'where the report goes, with its figures as .json and its fills as .csv beside it; .bot/backtests unless told',
    )
    .option('--latency <ms>', 'to the exchange and back: 20, 10,15, 20~200 (median and 99th percentile), or recorded', '20')
    .option('--poll <ms>', 'from one look at the order book to the next; as the configuration says unless told', intervalOf('--poll'))
    .option(
      '--queue <model>',
      'who is ahead of us at a price: conservative, probabilistic[:POWER], or exact; conservative unless told, with --band probabilistic:3',
    )
    .option('--band', 'three runs side by side: pessimistic, expected, which is what was said, and optimistic')
    .option('--deposit <amount>', 'quote tokens to begin with (default: 100000)', depositOf)
    .option(
      '--fees <maker,taker>',
      "in basis points of what is traded, as in 1,4.5, or -0.5,2 where a maker is paid; the embedded exchange's brackets unless told",
      feesOf,
    )
    .option('--config <file>', 'parameters and limits; for a built-in strategy config/<strategy>.yaml unless told')
    .option('--set <path=value...>', 'override values of the configuration, as in params.levels=5', collect)
    .option('--seed <text>', 'all randomness of the run', 'backtest')
    .option('--json', 'one JSON object a line on standard output')
    .addHelpText('after', BACKTEST_NOTES)
    .action((flags: BacktestFlags) => ends(import('./commands/backtest/backtest.ts').then(({ backtest }) => backtest(flags, host))));
}

const BACKTEST_NOTES = `
Without --set params.market=… a strategy trades the market of the tape. docs/simulation.md says what is assumed, and what would make it false.
One seed, one tape and one set of assumptions give one result: its fingerprint is the hash of all actions.
Exit codes: as of a run; 1 also where the orders were not all proved gone after the end of the tape, 2 also where the
report could not be written in the end; the result is told all the same.`;

export function addTapeCommands(program: Command, host: Host, ends: Ends): void {
  addRecord(program, host, ends);
  addImport(program, host, ends);
  program
    .command('export')
    .description('a tape as a Parquet file, for pandas, polars and DuckDB')
    .argument('<tape>')
    .requiredOption('--out <file.parquet>')
    .action((tape: string, flags: { out: string }) =>
      ends(import('./commands/tapes/export.ts').then(({ exportTape }) => exportTape(tape, flags, host))),
    );
}

function addRecord(program: Command, host: Host, ends: Ends): void {
  program
    .command('record')
    .description('record what everybody can see of an exchange: books, trades, prices, funding')
    .option('--url <url>', 'of a hosted exchange; without it the embedded one is recorded, every change, as fast as it goes')
    .requiredOption('--markets <symbols>', 'as in BTCUSDC,ETHUSDC; each has a file of its own', symbolsOf)
    .requiredOption('--out <file>', 'the tape; of several markets each has its symbol before the ending')
    .option(
      '--for <time>',
      'stop after 20s, 5m, 2h; the embedded exchange needs it, a hosted one is else recorded until Ctrl-C',
      durationOf('--for'),
    )
    .option('--poll <ms>', 'of a hosted exchange: from one look at an order book to the next', intervalOf('--poll'), 250)
    .option('--seed <text>', 'of the embedded exchange; a random text unless told')
    .addHelpText('after', RECORD_NOTES)
    .action((flags: RecordFlags) => ends(import('./commands/tapes/record.ts').then(({ record }) => record(flags, host))));
}

const RECORD_NOTES = `
With --url a recording at --out of the same market, URL and --poll is gone on with, and the gap is marked. Without --url a recording of the embedded
exchange's same market is replaced. Anything else that stands there stays as it is, and nothing is recorded.
Exit codes: as of a run; 1 also where no order book of a market was seen, so that there is no tape of it.`;

function addImport(program: Command, host: Host, ends: Ends): void {
  program
    .command('import')
    .description("make a tape of others' recordings, and tell what was checked")
    .argument('<files...>', 'in order of time where they are parts of one recording; gz or plain')
    .requiredOption(
      '--from <format>',
      'binance, tardis, hyperliquid, candles, or parquet: a tape that was exported',
      choiceOf('--from', ['binance', 'tardis', 'hyperliquid', 'candles', 'parquet']),
    )
    .option('--market <symbol>', 'what the market is to be called on the tape')
    .requiredOption('--out <file>', 'the tape; one that is there is replaced unless it was recorded by polling, and no other file is')
    .option('--price-decimals <n>', 'inferred from the data unless told', decimalsOf('--price-decimals'))
    .option('--size-decimals <n>', 'inferred from the data unless told', decimalsOf('--size-decimals'))
    .option('--imf <fraction>', 'initial margin fraction of the market (default: 0.05)', fractionOf('--imf'))
    .option('--cmf <fraction>', 'cancel margin fraction (default: 0.0375)', fractionOf('--cmf'))
    .option('--mmf <fraction>', 'maintenance margin fraction (default: 0.025)', fractionOf('--mmf'))
    .option(
      '--funding-interval <time>',
      'from one payment of funding to the next, as in 8h; as the data or the venue says unless told',
      durationOf('--funding-interval'),
    )
    .option('--unit <n>', 'a market of so many tokens, as in 1000: where the price of one has too many decimals', aboveZero('--unit'))
    .option(
      '--contract-value <amount>',
      'an inverse contract as a linear market: the quote tokens that one is worth',
      aboveZero('--contract-value'),
    )
    .option('--json', 'the checks as one JSON object')
    .action((files: readonly string[], flags: ImportFlags) =>
      ends(import('./commands/tapes/import.ts').then(({ importFiles }) => importFiles(files, flags, host))),
    );
}
