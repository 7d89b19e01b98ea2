// The options of the commands that make and inspect tapes: record, import, tape.
import { docsFile, PROGRAM } from '../../../base/package.ts';
import { MARKET, SETTINGS, withDefault } from '../../common-options.ts';
import { argument, defineCommand, type FlagsOf, needed, option, worded } from '../../declared.ts';
import {
  aboveZero,
  candleLengthOf,
  choiceOf,
  decimalsOf,
  durationOf,
  fractionOf,
  momentOf,
  symbolsOf,
  volumeOf,
  zoneOf,
} from '../../values.ts';

const FACTS_NOTES = `
Real markets have heavy tails (a kurtosis above 3), returns without autocorrelation, sides of trades with autocorrelation (orders are cut into pieces), and
calm and busy times (absolute returns are correlated). ${docsFile('backtest-assumptions.md')} compares recordings with the embedded exchange.`;

const RECORD_NOTES = `
With --url, a tape at --out of the same market, URL and --poll is continued, and the gap is marked in it. Without --url, a recording of the same
market of the embedded exchange is replaced. Any other file at --out is left as it is, and nothing is recorded.
Exit codes: as for a run; 1 also if no order book of a market was seen, so that it has no tape.`;

export const RECORD = defineCommand({
  name: 'record',
  about: 'record the public data of an exchange: order books, trades, prices, funding',
  options: [
    option('--url <url>', 'address of a hosted exchange (default: record every change of the embedded exchange, faster than real time)'),
    needed('--markets <symbols>', 'as in BTCUSDC,ETHUSDC; each is written to its own file', symbolsOf),
    needed('--out <file>', 'the tape; with several markets the symbol goes before the extension'),
    option(
      '--for <time>',
      'stop after 20s, 5m or 2h; required for the embedded exchange (default for a hosted one: until Ctrl-C)',
      durationOf,
    ),
    worded(withDefault(SETTINGS.poll), 'interval between polls of an order book of a hosted exchange'),
    option('--seed <text>', 'seed of the embedded exchange (default: random)'),
    MARKET,
  ],
  notes: RECORD_NOTES,
  runsLong: 'serves',
});
export type RecordFlags = FlagsOf<typeof RECORD>;

export const IMPORT = defineCommand({
  name: 'import',
  about: 'convert recordings of other tools to a tape, and print the results of the checks',
  args: [argument('<files...>', 'plain, .gz, .zst, Parquet or Feather; the parts of one recording in order of time')],
  options: [
    needed(
      '--from <format>',
      `binance, tardis, hyperliquid, candles (CSV, JSON, Parquet or Feather of any program), or parquet (made by ${PROGRAM} export)`,
      choiceOf(['binance', 'tardis', 'hyperliquid', 'candles', 'parquet']),
    ),
    option('--market <symbol>', 'name of the market on the tape'),
    needed('--out <file>', 'the tape; replaces an existing tape unless that was recorded by polling, and never another file'),
    option('--price-decimals <n>', 'decimals of prices (default: inferred from the data)', decimalsOf),
    option('--size-decimals <n>', 'decimals of sizes (default: inferred from the data)', decimalsOf),
    option('--imf <fraction>', 'initial margin fraction of the market (default: 0.05)', fractionOf),
    option('--cmf <fraction>', 'cancel margin fraction (default: 0.0375)', fractionOf),
    option('--mmf <fraction>', 'maintenance margin fraction (default: 0.025)', fractionOf),
    option('--funding-interval <time>', 'time between funding payments, as in 8h (default: as the data or the exchange says)', durationOf),
    option(
      '--unit <n>',
      'count prices and sizes in units of this many tokens, as in 1000, if the price of one token has too many decimals',
      aboveZero,
    ),
    option(
      '--contract-value <amount>',
      'import an inverse contract as a linear market: the value of one contract in quote tokens',
      aboveZero,
    ),
    option('--spot', 'the market is a spot market (default: as the data or its name says, else a perpetual)'),
    option('--perp', 'the market is a perpetual'),
    option('--sort', 'sort the rows of candle files by time; unsorted ones are refused otherwise'),
    option('--interval <time>', 'length of a candle, as in 1m, if most are missing (default: the usual time between two)', candleLengthOf),
    option('--timezone <zone>', 'zone of the times in candle files that have none, as in UTC, Europe/Athens or +02:00', zoneOf),
    option(
      '--volume <column|amount>',
      'column of the volumes of candles; or an amount to assume in each candle, if they have none',
      volumeOf,
    ),
    option('--json', 'the checks as one JSON object'),
  ],
});
export type ImportFlags = FlagsOf<typeof IMPORT>;

export const TAPE_INFO = defineCommand({
  name: 'info',
  about: 'market, source, time, number of rows of each kind, decimals, hash; reads the whole tape',
  args: [argument('<tape>')],
  options: [option('--json', 'one JSON object')],
});

export const TAPE_FACTS = defineCommand({
  name: 'facts',
  about: 'how a market moves and trades: returns, volatility, spread, depth, sizes, impact; several tapes side by side',
  args: [argument('<tapes...>')],
  options: [option('--json', 'one JSON object per tape')],
  notes: FACTS_NOTES,
});

export const TAPE_SLICE = defineCommand({
  name: 'slice',
  about: 'write a part of a tape as a new tape, which begins with the book at its first moment',
  args: [argument('<tape>')],
  options: [
    option('--from <time>', 'first moment: 2024-01-31 or RFC 3339 (default: the beginning)', momentOf),
    option('--to <time>', 'first moment after the part (default: the end)', momentOf),
    needed('--out <file>', 'the tape'),
  ],
});

export const TAPE_CAT = defineCommand({
  name: 'cat',
  about: 'print the rows of a tape',
  args: [argument('<tape>')],
  options: [
    option('--from <time>', 'first moment: 2024-01-31 or RFC 3339 (default: the beginning)', momentOf),
    option('--to <time>', 'first moment that is not printed (default: the end)', momentOf),
    option('--json', 'one JSON object per row'),
  ],
});
