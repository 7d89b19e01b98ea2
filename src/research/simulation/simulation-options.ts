// What one simulated run consists of: a plan of faults, and the strategy with its markets.

import type { Millis } from '../../base/clock.ts';
import type { Params, Strategy } from '../../bot/strategy/contract.ts';
import type { Bot } from './environment/processes/bot.ts';
import type { Plan } from './plan/faults.ts';
import type { Options, StrategyData } from './plan/options.ts';

export interface SimulationOptions extends StrategyData {
  readonly options: Options;
  readonly plan: Plan;
  readonly strategy: Strategy<Params>;
  readonly params: Params;
  /** Symbols. */
  readonly markets: readonly string[];
  /** Called with each process of the bot before its first turn; must change nothing. */
  readonly follow?: (bot: Pick<Bot, 'trading' | 'earlier'>) => void;
}

/** An invariant that did not hold in a simulated run. */
export interface Violation {
  readonly invariant: string;
  readonly message: string;
  /** Since the start of the run. */
  readonly at: Millis;
}
