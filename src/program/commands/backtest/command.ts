// The options of `bot backtest`.
import { type Command, Option } from 'commander';
import { docsFile, PROGRAM } from '../../../base/package.ts';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';
import { collect, depositOf, durationOf, feesOf, intervalOf, momentOf, wrongValue } from '../../values.ts';
import { MARKET_ABOUT } from '../exchange/command.ts';
import type { BacktestCommandFlags } from './simulated-tapes.ts';

export function addBacktest(program: Command, host: Host, setExitCode: SetExitCode): void {
  const command = program
    .command('backtest')
    .description('run a strategy on recorded data, with the engine, guards and execution of a live run')
    .usage('--strategy NAME|PATH (--tape FILE | --market NAME|FILE) [options]')
    .option(
      '--report <file.html>',
      'the report; its figures (.json), fills (.csv), tables (.data) and log (.log.jsonl) go beside it (default: a new file in .bot/backtests)',
    )
    .option('--past <file>', 'earlier candles that a paper run received before its tape begins: past.jsonl in its state directory')
    .option('--band', 'three runs side by side: pessimistic, expected (the given options) and optimistic');
  addBacktestOptions(command);
  command
    .option('--market <name|file>', `instead of a tape: first record a tape of the embedded exchange; ${MARKET_ABOUT}`)
    .option('--for <time>', 'length of the tape that --market records: 20m or 8h (default: 1h)', durationOf('--for'))
    .option('--json', 'one JSON object per line on standard output')
    .addHelpText('after', BACKTEST_NOTES)
    .action((flags: BacktestCommandFlags) => setExitCode(import('./backtest.ts').then(({ backtest }) => backtest(flags, host))));
}

/** Adds the options that determine the result of a backtest, and `--tape`. The caller checks that tapes are given. */
export function addBacktestOptions(command: Command): void {
  command
    .option('--strategy <name|path>', 'a built-in strategy, or the path of a .ts or .js file')
    .option(
      '--tape <file...>',
      `a tape made by ${PROGRAM} record or ${PROGRAM} import, or a folder of tapes and downloads (${PROGRAM} download); several tapes of one market must either follow each other, and are played as one, or be candles of two lengths`,
      collect,
    )
    .option('--input <name=file...>', 'recorded values of an input of the strategy, as in news=news.jsonl', collect)
    .option(
      '--latency <ms>',
      '20: each way; 10,15: to the exchange, back; 20~200: median~99th percentile; recorded: as in the recording',
      '20',
    )
    .option('--poll <ms>', 'interval between polls of the order book (default: as configured)', intervalOf('--poll'))
    .option(
      '--queue <model>',
      'queue model: conservative, probabilistic[:POWER] or exact (default: conservative; with --band probabilistic:3)',
    )
    .addOption(new Option('--looks <n>').argParser(refuseLooks).hideHelp())
    .option(
      '--from <time>',
      'begin at this date or RFC 3339 time; earlier candles are available as history (default: the beginning of the tapes)',
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

/** An option of earlier versions. Throws a UserError for more than one look. */
function refuseLooks(text: string): undefined {
  if (text === '1') return undefined;
  throw wrongValue(
    `--looks ${text} is not possible: nothing is decided inside a candle, because its path is not known`,
    'leave --looks out, and play a tape with shorter candles; a second tape with longer ones can stay what the strategy sees',
  );
}

const BACKTEST_NOTES = `
Without --set params.market=… a strategy trades the market of the tape. ${docsFile('backtest-assumptions.md')} lists all assumptions, and when they do not hold.
The same seed, tape, parameters and assumptions give the same result; the fingerprint in the summary is the hash of all actions.
Exit codes: as for a run; 1 also if some orders were not proved gone after the end of the tape; 2 also if the report
could not be written (the result is printed in any case).`;
