// Ranks a point among the others in each fold of a sweep, 1 for the best. The last test window is left out: it takes no part in choosing a point.
import { type Objective, valueOf, valueOfReturns } from './objective.ts';
import type { Row } from './row.ts';
import { lastWindow, type Walk, windowsOf } from './walk.ts';

export interface FoldOptions {
  readonly objective: Objective;
  readonly walk: Walk | undefined;
}

/**
 * Returns one value of the objective per fold. With a walk-forward a fold is a test window, otherwise a day. Empty if the point was run as one backtest.
 * `rows`: the point's result of each day; `whole`: the same days as one row.
 */
export function foldValues(rows: readonly Row[], whole: Row, { objective, walk }: FoldOptions): readonly number[] {
  if (walk === undefined)
    return rows.length < 2 ? [] : rows.flatMap(({ outcome }) => (outcome.kind === 'done' ? [valueOf(outcome.result, objective)] : []));
  if (whole.outcome.kind !== 'done') return [];
  const returns = [...whole.outcome.returns];
  const windows = windowsOf(walk, { steps: returns.length, stepMs: whole.stepMs });
  const last = lastWindow(returns.length, windows);
  const values: number[] = [];
  for (let from = windows.train; from < last.from; from += windows.test)
    values.push(valueOfReturns(returns.slice(from, from + windows.test), objective));
  return values;
}

/** Returns the rank in each fold: 1 plus the number of better points. */
export const ranksAmong = (own: readonly number[], others: Iterable<readonly number[]>): readonly number[] => {
  const ranks = own.map(() => 1);
  for (const other of others) for (const [fold, value] of own.entries()) if ((other[fold] ?? -Infinity) > value) ranks[fold]! += 1;
  return ranks;
};
