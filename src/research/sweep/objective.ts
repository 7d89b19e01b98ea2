// The objective of a sweep: computed from the result of a backtest in quote tokens, or from returns as fractions of the deposit.
import { momentsOf, sharpeOf } from '../../base/statistics/moments.ts';
import type { Result } from './row.ts';

export const OBJECTIVES = ['sharpe', 'pnl', 'recovery'] as const;

/** `sharpe`: of the returns per step; `pnl`: the profit in quote tokens; `recovery`: profit over the largest drawdown. Larger is better. */
export type Objective = (typeof OBJECTIVES)[number];

/** Minimum drawdown, in quote tokens or as a return, to avoid a division by 0. */
const MIN_DRAWDOWN = 1e-6;

/** Returns the objective of a result; `pnl` in quote tokens. */
export function valueOf({ sharpe, pnl, maxDrawdown }: Result, objective: Objective): number {
  if (objective === 'sharpe') return sharpe;
  return objective === 'pnl' ? Number(pnl) : Number(pnl) / Math.max(MIN_DRAWDOWN, Number(maxDrawdown));
}

/** Returns the objective of a series of returns; `pnl` as a fraction of the deposit. */
export function valueOfReturns(returns: readonly number[], objective: Objective): number {
  if (objective === 'sharpe') return returns.length < 2 ? 0 : sharpeOf(momentsOf(returns));
  let [sum, peak, drawdown] = [0, 0, 0];
  for (const value of returns) {
    sum += value;
    peak = Math.max(peak, sum);
    drawdown = Math.max(drawdown, peak - sum);
  }
  return objective === 'pnl' ? sum : sum / Math.max(MIN_DRAWDOWN, drawdown);
}
