// The options of `bot download`.

import { docsFile, PROGRAM } from '../../../base/package.ts';
import { spanOf } from '../../../bot/domain/candle.ts';
import { defineCommand, type FlagsOf, needed, option } from '../../declared.ts';
import { momentOf } from '../../values.ts';

const DOWNLOAD_NOTES = `
Play all of it with ${PROGRAM} backtest --tape FOLDER, or ${PROGRAM} sweep --tape FOLDER. The same command again continues a download that was stopped or killed.
Only candles that have ended are written. What the exchange does not have is named, and nothing is filled in. ${docsFile('backtests.md')} says what is in the folder.
ccxt is not part of this program: without it the command says what to install. No key is ever given to it.
Exit codes: 0 also if the exchange has less than asked (shortOf); 1 if the exchange did not answer, or if a tape cannot hold a market;
2 if the input is wrong, or ccxt is missing.`;

export const DOWNLOAD = defineCommand({
  name: 'download',
  about: 'download the history of markets of nearly any exchange, for backtest and sweep',
  options: [
    needed('--from <source>', 'hyperliquid, or ccxt: and an exchange that the library ccxt knows, as in ccxt:binance'),
    needed('--market <symbol...>', 'as in BTC/USDT (spot) or BTC/USDT:USDT (perpetual) with ccxt, BTC or PURR/USDC with hyperliquid'),
    option('--candles <length>', 'length of a candle: 1m, 5m, 1h, 1d (default: 1m)', spanOf),
    needed('--since <time>', 'first moment: 2025-01-31 or RFC 3339', momentOf),
    option('--until <time>', 'first moment after the history (default: now)', momentOf),
    option('--funding', 'also the funding rates of perpetuals'),
    option('--trades', 'also trades, as CSV; most exchanges keep them for hours only'),
    needed('--out <folder>', 'the folder; a download in it is continued, and markets are added to it'),
    option('--url <url>', "an address that replaces the exchange's own, for a stand-in"),
    option('--json', 'a summary as one JSON object'),
  ],
  notes: DOWNLOAD_NOTES,
});
export type DownloadFlags = FlagsOf<typeof DOWNLOAD>;
