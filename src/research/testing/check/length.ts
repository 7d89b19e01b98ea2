// Estimates how many backtests and simulated runs the checks play, and their processor time. Printed before they begin.
import { counted } from '../../../base/text/phrases.ts';
import { STAMPS_PER_MILLI } from '../../../embedded/rows/rows.ts';
import type { Subject } from './subject.ts';
import type { PlayCounts } from './verdict.ts';

export interface CheckLength {
  readonly checks: number;
  readonly backtests: number;
  /** Runs of the whole bot under faults. */
  readonly simulated: number;
  /** Expected processor time of a strategy that computes little, in seconds. */
  readonly seconds: number;
}

/** Seconds of processor time, measured with the built-in strategies: of a short backtest, of a simulated run, of a second of book data, of a candle. */
const COST = { backtest: 0.2, simulated: 0.6, second: 2e-4, candle: 5e-5 };

export function lengthOf(plays: readonly PlayCounts[], { tapes }: Subject): CheckLength {
  const sum = (kind: keyof PlayCounts): number => plays.reduce((total, counts) => total + (counts[kind] ?? 0), 0);
  const [onTapes, simulated] = [sum('tapeBacktests'), sum('simulatedRuns')];
  const backtests = onTapes + sum('shortBacktests');
  const tapesCost = tapes.reduce((total, tape) => total + costOf(tape), 0);
  const seconds = backtests * COST.backtest + onTapes * tapesCost + simulated * COST.simulated;
  return { checks: plays.length, backtests, simulated, seconds };
}

function costOf({ header: { books, pollMs }, facts: { first, last } }: Subject['tapes'][number]): number {
  const millis = (last - first) / STAMPS_PER_MILLI;
  return books === 'candles' && pollMs !== undefined ? (millis / pollMs) * COST.candle : (millis / 1_000) * COST.second;
}

/** `10 checks: 43 backtests and 4 simulated runs, about 13 s of processor time`. */
export function lengthText({ checks, backtests, simulated, seconds }: CheckLength): string {
  const runs = [
    ...(backtests > 0 ? [counted(backtests, 'backtest')] : []),
    ...(simulated > 0 ? [counted(simulated, 'simulated run')] : []),
    ...(backtests + simulated === 0 ? ['no backtest'] : []),
  ];
  return `${counted(checks, 'check')}: ${runs.join(' and ')}, about ${Math.max(1, Math.round(seconds))} s of processor time`;
}
