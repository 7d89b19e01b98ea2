// The options of the commands that make and inspect tapes: record, import, tape.
import type { Command } from 'commander';
import { docsFile, PROGRAM } from '../../../base/package.ts';
import { addGroup } from '../../command-groups.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { keepHeapSmall } from '../../process/heap.ts';
import {
  aboveZero,
  candleLengthOf,
  choiceOf,
  decimalsOf,
  durationOf,
  fractionOf,
  intervalOf,
  momentOf,
  symbolsOf,
  volumeOf,
  zoneOf,
} from '../../values.ts';
import { MARKET_ABOUT } from '../exchange/command.ts';
import type { ImportFlags } from './import.ts';
import type { RecordFlags } from './record.ts';
import type { SpanFlags } from './tape.ts';

export function addTapeCommands(program: Command, host: Host, setExitCode: SetExitCode): void {
  addRecord(program, host, setExitCode);
  addImport(program, host, setExitCode);
  addTape(program, host, setExitCode);
}

const FACTS_NOTES = `
Real markets have heavy tails (a kurtosis above 3), returns without autocorrelation, sides of trades with autocorrelation (orders are cut into pieces), and
calm and busy times (absolute returns are correlated). ${docsFile('backtest-assumptions.md')} compares recordings with the embedded exchange.`;

const tapeTools = () => import('./tape.ts');

function addTape(program: Command, host: Host, setExitCode: SetExitCode): void {
  const tape = addGroup(program, { name: 'tape', about: 'show the contents of a tape, write a part of it, or print its rows' });
  tape
    .command('info')
    .description('market, source, time, number of rows of each kind, decimals, hash; reads the whole tape')
    .argument('<tape>')
    .option('--json', 'one JSON object')
    .action((file: string, flags: { json?: true }) => setExitCode(tapeTools().then(({ tapeInfo }) => tapeInfo(file, flags, host))));
  tape
    .command('facts')
    .description('how a market moves and trades: returns, volatility, spread, depth, sizes, impact; several tapes side by side')
    .argument('<tapes...>')
    .option('--json', 'one JSON object per tape')
    .addHelpText('after', FACTS_NOTES)
    .action((files: readonly string[], flags: { json?: true }) =>
      setExitCode(import('./facts.ts').then(({ tapeFacts }) => tapeFacts(files, flags, host))),
    );
  tape
    .command('slice')
    .description('write a part of a tape as a new tape, which begins with the book at its first moment')
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
    .option('--json', 'one JSON object per row')
    .action((file: string, flags: SpanFlags & { json?: true }) =>
      setExitCode(tapeTools().then(({ tapeCat }) => tapeCat(file, flags, host))),
    );
}

function addRecord(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('record')
    .description('record the public data of an exchange: order books, trades, prices, funding')
    .option('--url <url>', 'address of a hosted exchange (default: record every change of the embedded exchange, faster than real time)')
    .requiredOption('--markets <symbols>', 'as in BTCUSDC,ETHUSDC; each is written to its own file', symbolsOf)
    .requiredOption('--out <file>', 'the tape; with several markets the symbol goes before the extension')
    .option(
      '--for <time>',
      'stop after 20s, 5m or 2h; required for the embedded exchange (default for a hosted one: until Ctrl-C)',
      durationOf('--for'),
    )
    .option('--poll <ms>', 'interval between polls of an order book of a hosted exchange', intervalOf('--poll'), 250)
    .option('--seed <text>', 'seed of the embedded exchange (default: random)')
    .option('--market <name|file>', MARKET_ABOUT)
    .addHelpText('after', RECORD_NOTES)
    .action((flags: RecordFlags) => {
      keepHeapSmall();
      return setExitCode(import('./record.ts').then(({ record }) => record(flags, host)));
    });
}

const RECORD_NOTES = `
With --url, a tape at --out of the same market, URL and --poll is continued, and the gap is marked in it. Without --url, a recording of the same
market of the embedded exchange is replaced. Any other file at --out is left as it is, and nothing is recorded.
Exit codes: as for a run; 1 also if no order book of a market was seen, so that it has no tape.`;

function addImport(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('import')
    .description('convert recordings of other tools to a tape, and print the results of the checks')
    .argument('<files...>', 'plain, .gz, .zst, Parquet or Feather; the parts of one recording in order of time')
    .requiredOption(
      '--from <format>',
      `binance, tardis, hyperliquid, candles (CSV, JSON, Parquet or Feather of any program), or parquet (made by ${PROGRAM} export)`,
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
      'count prices and sizes in units of this many tokens, as in 1000, if the price of one token has too many decimals',
      aboveZero('--unit'),
    )
    .option(
      '--contract-value <amount>',
      'import an inverse contract as a linear market: the value of one contract in quote tokens',
      aboveZero('--contract-value'),
    )
    .option('--spot', 'the market is a spot market (default: as the data or its name says, else a perpetual)')
    .option('--perp', 'the market is a perpetual')
    .option('--sort', 'sort the rows of candle files by time; unsorted ones are refused otherwise')
    .option(
      '--interval <time>',
      'length of a candle, as in 1m, if most are missing (default: the usual time between two)',
      candleLengthOf('--interval'),
    )
    .option('--timezone <zone>', 'zone of the times in candle files that have none, as in UTC, Europe/Athens or +02:00', zoneOf)
    .option(
      '--volume <column|amount>',
      'column of the volumes of candles; or an amount to assume in each candle, if they have none',
      volumeOf,
    )
    .option('--json', 'the checks as one JSON object')
    .action((files: readonly string[], flags: ImportFlags) =>
      setExitCode(import('./import.ts').then(({ importFiles }) => importFiles(files, flags, host))),
    );
}
