// Runs one job of a sweep: a backtest, as `bot backtest` runs it, and its returns.
import type { Millis } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { momentsOf, sharpeOf } from '../../base/statistics/moments.ts';
import { moneyText } from '../../bot/accounting/lines.ts';
import { micros } from '../../bot/domain/numbers.ts';
import { StrategyError } from '../../bot/strategy/decide.ts';
import type { Span } from '../../embedded/recording/tapes.ts';
import { backtest } from '../backtest/backtest.ts';
import { EquityCurve } from './equity.ts';
import type { JobPlan } from './job-key.ts';
import type { JobOutcome } from './row.ts';

/** Returns the outcome of the backtest. An error of the strategy is a failed outcome; any other error rejects. */
export async function runJob({ span, stepMs, ...plan }: JobPlan & { readonly span: Span; readonly stepMs: Millis }): Promise<JobOutcome> {
  const equity = new EquityCurve(plan.deposit, span, stepMs);
  try {
    const { ending, summary } = await backtest({ ...plan, watch: ({ run }) => run.turns.subscribe((turn) => equity.see(turn)) });
    if (ending.kind === 'failed') throw ending.error;
    const returns = equity.returns();
    const { fingerprint, pnl, fees, fills, seconds } = summary;
    const sharpe = returns.length < 2 ? 0 : sharpeOf(momentsOf([...returns]));
    return {
      kind: 'done',
      result: { fingerprint, pnl, fees, fills, maxDrawdown: moneyText(micros(equity.drawdown)), sharpe, seconds },
      returns,
    };
  } catch (error) {
    if (error instanceof StrategyError) return { kind: 'failed', reason: messageOf(error) };
    throw error;
  }
}
