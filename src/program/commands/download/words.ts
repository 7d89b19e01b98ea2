// What `bot download` prints about each market.

import type { UserError } from '../../../base/errors.ts';
import { counted } from '../../../base/text/phrases.ts';
import type { Coverage } from '../../../research/download/coverage.ts';
import type { StoredMarket } from '../../../research/download/manifest.ts';

/** The tape of a market; no file if it has no candles; the error if a tape cannot hold it. */
export interface MadeTape {
  readonly file?: string | undefined;
  readonly error?: UserError;
}

export interface CoverageWords {
  readonly name: string;
  readonly market: StoredMarket;
  readonly coverage: Coverage;
  /** Length of a candle. */
  readonly length: string;
  /** What limits the history of the exchange. */
  readonly limit: string | undefined;
  readonly tape: MadeTape | undefined;
}

export function coverageLines({ name, market, coverage, length, limit, tape }: CoverageWords): readonly string[] {
  const { candles, first, last, missing, gapCount, longestGap, funding, trades, shortOf, leftOut } = coverage;
  const span = first === undefined || last === undefined ? '' : `, ${minuteText(first)} to the one of ${minuteText(last)} UTC`;
  const kind = market.kind === 'spot' ? 'spot market' : 'perpetual';
  const longest = longestGap === undefined ? '' : `, the longest ${minuteText(longestGap.from)} to ${minuteText(longestGap.to)}`;
  const inGaps =
    missing === 0 ? 'no candle between the first and the last' : `${many(missing, 'candle')} in ${many(gapCount, 'gap')}${longest}`;
  const rows: readonly (readonly [string, string])[] = [
    ...shortOf.map((text) => ['short of', limit === undefined ? text : `${text}; ${limit}`] as const),
    ['missing', inGaps],
    ...Object.entries(leftOut).map(([reason, count]) => ['left out', `${count.toLocaleString('en-US')} ${reason}`] as const),
    ...(market.contractSize === '1' ? [] : [['contract', `${market.contractSize} base tokens; volumes are in base tokens`] as const]),
    ...(funding === undefined ? [] : [['funding', many(funding, 'rate')] as const]),
    ...(trades === undefined ? [] : [['trades', `${many(trades, 'trade')}, as CSV; not played with candles`] as const]),
    ...(tape?.file === undefined ? [] : [['tape', tape.file] as const]),
  ];
  return [`${name}: ${many(candles, 'candle')} of ${length}${span}, ${kind}`, ...rows.map(([what, text]) => `  ${what.padEnd(10)}${text}`)];
}

const many = (count: number, noun: string): string =>
  counted(count, noun).replace(/^\d+/, (digits) => Number(digits).toLocaleString('en-US'));

const minuteText = (time: number): string => new Date(time).toISOString().slice(0, 16).replace('T', ' ');
