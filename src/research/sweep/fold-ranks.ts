// How a point does in each fold of a sweep beside the others: its ranks, 1 the best. The last window of a walk-forward is no fold: nothing is chosen by it.
import { type Objective, valueOf, valueOfReturns } from './objective.ts';
import type { Row } from './row.ts';
import { lastWindow, type Walk, windowsOf } from './walk.ts';

export interface Folding {
  readonly objective: Objective;
  readonly walk: Walk | undefined;
}

/** The values of a point in its folds: the tests of a walk-forward, else its days; none if it was played as one. `rows`: of its days; `whole`: all as one. */
export function foldValues(rows: readonly Row[], whole: Row, { objective, walk }: Folding): readonly number[] {
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

/** In each fold 1 and the number of the others that are better. */
export const ranksAmong = (own: readonly number[], others: Iterable<readonly number[]>): readonly number[] => {
  const ranks = own.map(() => 1);
  for (const other of others) for (const [fold, value] of own.entries()) if ((other[fold] ?? -Infinity) > value) ranks[fold]! += 1;
  return ranks;
};
