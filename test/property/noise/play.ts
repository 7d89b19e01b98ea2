// Plays a strategy on candles of noise and returns its profit in standard errors.
import { micros } from '../../../src/bot/domain/numbers.ts';
import type { Params, Strategy } from '../../../src/bot/strategy/contract.ts';
import type { Tape } from '../../../src/embedded/tape/reader.ts';
import { type BacktestOptions, backtest } from '../../../src/research/backtest/backtest.ts';
import { DEFAULTS } from '../../replay/virtual-run.ts';
import { ASSUMPTIONS } from '../../story/backtest/played.ts';

/** No guard stops an adversary. */
const FREE = { repetition: { maxSame: 1e6, withinMs: 60_000, maxExecutions: 1e6 }, rate: { maxPerSecond: 1e6, maxPerMinute: 1e6 } };

export interface Earned {
  /** Quote money. */
  readonly profit: number;
  /** The sum of the changes of the profit, in standard errors: for a martingale about normal. */
  readonly errors: number;
  readonly fills: number;
  /** The changes of the profit from look to look, in quote money. */
  readonly changes: readonly number[];
  /** Turns in which a gate begins to hold a market. */
  readonly turnsHeld: number;
}

export async function earned(tapes: readonly Tape[], strategy: Strategy<Params>, more: Partial<BacktestOptions> = {}): Promise<Earned> {
  let [last, turnsHeld] = [0, 0];
  const changes: number[] = [];
  const { summary, ending } = await backtest({
    strategy,
    params: strategy.defaults,
    limits: { ...DEFAULTS.limits, ...FREE },
    polling: DEFAULTS.polling,
    seed: 'noise',
    tapes,
    assumptions: ASSUMPTIONS,
    deposit: micros(10_000_000e6),
    watch: ({ run }) =>
      run.turns.subscribe(({ events, findings }) => {
        if (findings.some(({ guard }) => guard === 'data-age')) turnsHeld += 1;
        if (!events.some(({ kind }) => kind === 'bookSeen')) return;
        const change = run.world.accounting.totals.profit / 1e6 - last;
        last += change;
        changes.push(change);
      }),
    ...more,
  });
  if (ending.kind === 'failed') throw ending.error;
  return { profit: Number(summary.pnl), errors: errorsOf(changes), fills: summary.fills, changes, turnsHeld };
}

/** The sum of changes in standard errors: for a martingale about normal. */
export function errorsOf(changes: readonly number[]): number {
  const squares = changes.reduce((sum, change) => sum + change * change, 0);
  return squares === 0 ? 0 : changes.reduce((sum, change) => sum + change, 0) / Math.sqrt(squares);
}
