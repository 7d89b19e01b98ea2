// A backtest of a built-in strategy with every guard on generated candles, from memory and without a report.
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { resolveParams } from '../../src/bot/strategy/params.ts';
import type { Tape } from '../../src/embedded/tape/reader.ts';
import { asWorkersPlay } from '../../src/program/process/heap.ts';
import { playTape } from '../play-tape.ts';
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
  const resolved = resolveParams(strategy, { market, ...params }, () => undefined);
  const summary = await asWorkersPlay(() => playTape(tape, { strategy, params: resolved })); // as `bot backtest` plays
  return { fills: summary.fills, position: Number(summary.positions[market] ?? 0) };
}
