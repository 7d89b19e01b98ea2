// A backtest of a built-in strategy with every guard on generated candles, from memory and without a report.
import { assert } from '../../src/base/errors.ts';
import { micros } from '../../src/bot/domain/numbers.ts';
import { DEFAULT_POLLING } from '../../src/bot/exchange/kit/streams/polling.ts';
import { loadConfig } from '../../src/bot/run/core/config.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { resolveParams } from '../../src/bot/strategy/params.ts';
import { DEFAULT_CANDLES } from '../../src/embedded/exchange/recorded/candle-path.ts';
import type { Tape } from '../../src/embedded/tape/reader.ts';
import { asWorkersPlay } from '../../src/program/process/heap.ts';
import { backtest } from '../../src/research/backtest/backtest.ts';
import { candleTape, randomCandles } from './candle-tape.ts';

export interface CandlesRequest {
  readonly play: 'candles';
  readonly strategy: 'crossover' | 'grid';
  readonly count: number;
  /** Of the strategy, besides its market. */
  readonly params: Readonly<Record<string, number | string>>;
}

/** The tape of the request before: the candles are made once. */
let made: Tape | undefined;

/** Position in base units. */
export async function playCandles({ strategy: name, count, params }: CandlesRequest): Promise<{ fills: number; position: number }> {
  const { strategy } = await loadStrategy(name);
  made ??= candleTape(randomCandles(count));
  const tape = made;
  const market = tape.header.market.symbol;
  const options = {
    strategy,
    params: resolveParams(strategy, { market, ...params }, () => undefined),
    limits: loadConfig({ file: undefined, sets: [] }).limits,
    polling: DEFAULT_POLLING,
    seed: 'bench',
    tapes: [tape],
    assumptions: {
      latency: { kind: 'constant', there: 20, back: 20 },
      queue: { kind: 'conservative' },
      phase: 0,
      candles: DEFAULT_CANDLES,
    },
    deposit: micros(100_000e6),
  } as const;
  const { summary, ending } = await asWorkersPlay(() => backtest(options)); // as `bot backtest` plays
  assert(ending.kind === 'settled', `the backtest ended ${ending.kind}`);
  return { fills: summary.fills, position: Number(summary.positions[market] ?? 0) };
}
