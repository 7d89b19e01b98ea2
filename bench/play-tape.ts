// A backtest of a strategy on one tape with every guard, 20 ms latency each way and the conservative queue, without a report.

import type { Millis } from '../src/base/clock.ts';
import { assert } from '../src/base/errors.ts';
import type { Summary } from '../src/bot/accounting/summary.ts';
import type { FeeRates } from '../src/bot/domain/market.ts';
import { micros } from '../src/bot/domain/numbers.ts';
import { loadConfig } from '../src/bot/run/core/config.ts';
import type { Params, Strategy } from '../src/bot/strategy/contract.ts';
import { DEFAULT_CANDLES } from '../src/embedded/exchange/recorded/candle-path.ts';
import type { Tape } from '../src/embedded/tape/reader.ts';
import { backtest } from '../src/research/backtest/backtest.ts';

interface Played<P extends Params> {
  readonly strategy: Strategy<P>;
  readonly params: P;
  readonly seed?: string;
  /** Settings of the bot, in the form of `--set`; the defaults by default. */
  readonly sets?: readonly string[];
  /** Each way. */
  readonly latencyMs?: Millis;
  readonly fees?: FeeRates | undefined;
}

/** Returns the summary. Throws if the backtest does not end settled. */
export async function playTape<P extends Params>(tape: Tape, played: Played<P>): Promise<Summary> {
  const { strategy, params, seed = 'bench', sets = [], latencyMs = 20, fees } = played;
  const { limits, polling } = loadConfig({ file: undefined, sets });
  const { summary, ending } = await backtest({
    strategy,
    params,
    limits,
    polling,
    seed,
    tapes: [tape],
    assumptions: {
      latency: { kind: 'constant', there: latencyMs, back: latencyMs },
      queue: { kind: 'conservative' },
      phase: 0,
      candles: DEFAULT_CANDLES,
    },
    deposit: micros(100_000e6),
    fees,
  });
  assert(ending.kind === 'settled', `the backtest ended ${ending.kind}`);
  return summary;
}
