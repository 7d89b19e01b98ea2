// Runs a backtest with the usual settings and records its turns.

import { assert } from '../../../src/base/errors.ts';
import type { Line } from '../../../src/bot/accounting/lines.ts';
import { micros } from '../../../src/bot/domain/numbers.ts';
import type { Turn } from '../../../src/bot/domain/turn.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import { loadStrategy } from '../../../src/bot/strategy/loading/loader.ts';
import type { World } from '../../../src/bot/world/world.ts';
import { DEFAULT_CANDLES } from '../../../src/embedded/exchange/recorded/candle-path.ts';
import type { Tape } from '../../../src/embedded/tape/reader.ts';
import { type Assumptions, type BacktestOptions, type BacktestResult, backtest } from '../../../src/research/backtest/backtest.ts';
import { DEFAULTS } from '../../replay/virtual-run.ts';

export const DEPOSIT = micros(100_000e6);
export const ASSUMPTIONS: Assumptions = {
  latency: { kind: 'constant', there: 10, back: 10 },
  queue: { kind: 'conservative' },
  phase: 0,
  candles: DEFAULT_CANDLES,
};

export interface Played extends BacktestResult {
  readonly turns: readonly Turn[];
  readonly lines: readonly Line[];
  readonly world: World;
}

/** Runs with the default parameters and limits of the strategy. */
export async function played(tapes: readonly Tape[], strategy: Strategy<Params>, more: Partial<BacktestOptions> = {}): Promise<Played> {
  const turns: Turn[] = [];
  const lines: Line[] = [];
  let world: World | undefined;
  const result = await backtest({
    strategy,
    params: strategy.defaults,
    limits: DEFAULTS.limits,
    polling: DEFAULTS.polling,
    seed: 'story',
    tapes,
    assumptions: ASSUMPTIONS,
    deposit: DEPOSIT,
    fees: { makerPpm: 100, takerPpm: 350 },
    watch: (trading) => {
      world = trading.run.world;
      trading.run.turns.subscribe((turn) => turns.push(turn));
      trading.lines.subscribe((line) => lines.push(line));
    },
    ...more,
  });
  assert(world !== undefined, 'a run is shown before it begins');
  return { ...result, turns, lines, world };
}

/** The built-in grid with levels close enough to trade in any market. */
export async function fineGrid(): Promise<Strategy<Params>> {
  const { strategy } = await loadStrategy('grid');
  return { ...strategy, defaults: { ...strategy.defaults, spacingBps: 0.4, levels: 8 } };
}
