// The notes of a report on the funding of a perpetual: what the tape does not say about it.
import { DEFAULT_INTERVAL } from '../../../embedded/exchange/recorded/funding-schedule.ts';
import type { TapeHeader } from '../../../embedded/tape/header.ts';
import type { BacktestResult } from '../../../research/backtest/backtest.ts';

interface Held {
  readonly result: Pick<BacktestResult, 'withoutFunding'>;
  /** True if the strategy had fills in the market. */
  readonly traded: boolean;
}

export function notesOnFunding(
  { market: { symbol, kind }, fundingIntervalMs, books }: TapeHeader,
  { result, traded }: Held,
): readonly string[] {
  if (kind === 'spot') return [];
  if (result.withoutFunding.includes(symbol)) {
    const source =
      books === 'candles' ? 'import the candles together with a file of time and funding_rate' : 'record or import the rates too';
    return traded
      ? [`${symbol}: the tape has no funding rates. Its positions paid and earned no funding, and the strategy saw no rate; ${source}.`]
      : [];
  }
  if (fundingIntervalMs !== undefined) return [];
  return [`${symbol}: the tape does not say how often funding is paid; an interval of ${DEFAULT_INTERVAL / 3_600_000} hours is assumed.`];
}
