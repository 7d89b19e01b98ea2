// The options of `bot backtest`.
import { docsFile, PROGRAM } from '../../../base/package.ts';
import { toDecimal } from '../../../bot/domain/numbers.ts';
import { DEFAULT_FUNDS } from '../../../embedded/exchange/state/listing.ts';
import { CONFIG, MARKET_ABOUT, SET, SETTINGS } from '../../common-options.ts';
import { asText, type DeclaredOption, defineCommand, type FlagsOf, hidden, option } from '../../declared.ts';
import { depositOf, durationOf, feesOf, momentOf, wrongValue } from '../../values.ts';

/** Reads `--looks` of earlier versions: how often the strategy decided inside a candle. Throws a UserError for another number than 1. */
function refuseLooks(text: string): undefined {
  if (text === '1') return undefined;
  throw wrongValue(
    `--looks ${text} is not possible: nothing is decided inside a candle, because its path is not known`,
    'leave --looks out, and play a tape with shorter candles; a second tape with longer ones can stay what the strategy sees',
  );
}

/** The defaults of options that determine the result of a backtest. */
export const PRESETS = { latency: '20', seed: 'backtest' } as const;

/** The options that determine the result of a backtest, with `queue` for its queue model. The command checks that tapes are given. */
export const backtestOptions = <Q extends DeclaredOption>(queue: Q) =>
  [
    SETTINGS.strategy,
    option(
      '--tape <file...>',
      `a tape made by ${PROGRAM} record or ${PROGRAM} import, or a folder of tapes and downloads (${PROGRAM} download); several tapes of one market must either follow each other, and are played as one, or be candles of two lengths`,
    ),
    option('--input <name=file...>', 'recorded values of an input of the strategy, as in news=news.jsonl'),
    option(
      '--latency <ms>',
      '20: each way; 10,15: to the exchange, back; 20~200: median~99th percentile; recorded: as in the recording',
      asText,
      PRESETS.latency,
    ),
    SETTINGS.poll,
    queue,
    hidden(option('--looks <n>', '', refuseLooks)),
    option(
      '--from <time>',
      'begin at this date or RFC 3339 time; earlier candles are available as history (default: the beginning of the tapes)',
      momentOf,
    ),
    option('--to <time>', 'end at this time (default: the end of the tapes)', momentOf),
    option('--deposit <amount>', `quote tokens at the start (default: ${toDecimal(DEFAULT_FUNDS)})`, depositOf),
    option(
      '--fees <maker,taker>',
      "basis points of the notional, as in 1,4.5; a negative maker fee is a rebate (default: the embedded exchange's fee brackets)",
      feesOf,
    ),
    CONFIG,
    SET,
    option('--seed <text>', 'seed of all randomness of the run', asText, PRESETS.seed),
  ] as const;

const BACKTEST_NOTES = `
Without --set params.market=… a strategy trades the market of the tape. ${docsFile('backtest-assumptions.md')} lists all assumptions, and when they do not hold.
The same seed, tape, parameters and assumptions give the same result; the fingerprint in the summary is the hash of all actions.
Exit codes: as for a run; 1 also if some orders were not proved gone after the end of the tape; 2 also if the report
could not be written (the result is printed in any case).`;

export const BACKTEST = defineCommand({
  name: 'backtest',
  about: 'run a strategy on recorded data, with the engine, guards and execution of a live run',
  usage: '--strategy NAME|PATH (--tape FILE | --market NAME|FILE) [options]',
  options: [
    option(
      '--report <file.html>',
      'the report; its figures (.json), fills (.csv), tables (.data) and log (.log.jsonl) go beside it (default: a new file in .bot/backtests)',
    ),
    option('--past <file>', 'earlier candles that a paper run received before its tape begins: past.jsonl in its state directory'),
    option('--band', 'three runs side by side: pessimistic, expected (the given options) and optimistic'),
    ...backtestOptions(
      option(
        '--queue <model>',
        'queue model: conservative, probabilistic[:POWER] or exact (default: conservative; with --band probabilistic:3)',
      ),
    ),
    option('--market <name|file>', `instead of a tape: first record a tape of the embedded exchange; ${MARKET_ABOUT}`),
    option('--for <time>', 'length of the tape that --market records: 20m or 8h (default: 1h)', durationOf),
    option('--json', 'one JSON object per line on standard output'),
  ],
  notes: BACKTEST_NOTES,
  runsLong: 'plays',
});
export type BacktestCommandFlags = FlagsOf<typeof BACKTEST>;
