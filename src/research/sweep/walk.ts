// Walk-forward: the best point of each training window is measured in the test window after it, without another backtest.
// Also the ranks of points in each fold; the last test window is no fold, because it takes no part in choosing a point.
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import { sum } from '../../base/statistics/moments.ts';
import { rankAgreement, ranksOf } from '../statistics/ranks.ts';
import { type Objective, valueOf, valueOfReturns } from './objective.ts';
import type { SweepRow } from './row.ts';

export interface Walk {
  readonly trainMs: Millis;
  readonly testMs: Millis;
  /** Time excluded at the end of each training window, so that no position reaches into the test. */
  readonly gapMs?: Millis | undefined;
}

/** The windows, in steps. */
export interface Windows {
  readonly train: number;
  readonly test: number;
  readonly gap: number;
}

export interface WalkResult {
  /** For each fold the index of the chosen trial, and its return in the test as a fraction of the deposit. */
  readonly folds: readonly { readonly trial: number; readonly result: number }[];
  /** The sum of the returns in the tests. */
  readonly result: number;
  /** Return per step in the tests divided by return per step in the training windows. Undefined if the training windows lost. */
  readonly efficiency: number | undefined;
  /** Kendall's W of the ranks of the trials over the tests; undefined for one fold or one trial. */
  readonly agreement: number | undefined;
}

/** Returns the steps of each window. Throws a UserError if fewer than two folds fit into the span, or a window has fewer than two steps. */
export function windowsOf({ trainMs, testMs, gapMs = 0 }: Walk, { steps, stepMs }: { steps: number; stepMs: Millis }): Windows {
  const [train, test, gap] = [Math.round(trainMs / stepMs), Math.round(testMs / stepMs), Math.ceil(gapMs / stepMs)];
  if (train - gap >= 2 && test >= 2 && train + 2 * test <= steps) return { train, test, gap };
  throw new UserError({
    code: 'option',
    message: `--walk needs two folds, and in each window at least two steps after --purge and --embargo; the tapes have ${steps} steps of ${stepMs / 1_000} s`,
    hint: 'write shorter windows, or give longer tapes',
  });
}

/** Returns the last test window, which takes no part in choosing a point. */
export function lastWindow(steps: number, { train, test }: Windows): { readonly from: number; readonly to: number } {
  const from = train + (Math.floor((steps - train) / test) - 1) * test;
  return { from, to: from + test };
}

/** Returns the folds and their sum. `columns`: the returns of each trial. Among equal values the first trial is chosen. */
export function walkForward(
  columns: readonly (readonly number[])[],
  { train, test, gap, objective }: Windows & { readonly objective: Objective },
): WalkResult {
  const steps = columns[0]?.length ?? 0;
  const folds: { trial: number; result: number }[] = [];
  const ranks: (readonly number[])[] = [];
  let inside = 0;
  for (let from = 0; from + train + test <= steps; from += test) {
    const middle = from + train;
    const values = columns.map((column) => valueOfReturns(column.slice(from, middle - gap), objective));
    const trial = values.indexOf(Math.max(...values));
    const tested = columns.map((column) => valueOfReturns(column.slice(middle, middle + test), objective));
    inside += sum((columns[trial] ?? []).slice(from, middle - gap)) / (train - gap);
    folds.push({ trial, result: sum((columns[trial] ?? []).slice(middle, middle + test)) });
    ranks.push(ranksOf(tested));
  }
  const result = sum(folds.map((fold) => fold.result));
  return {
    folds,
    result,
    efficiency: inside > 0 ? result / test / inside : undefined,
    agreement: folds.length > 1 && columns.length > 1 ? rankAgreement(ranks) : undefined,
  };
}

interface FoldOptions {
  readonly objective: Objective;
  readonly walk: Walk | undefined;
}

/**
 * Returns one value of the objective per fold. With a walk-forward a fold is a test window, otherwise a day. Empty if the point was run as one backtest.
 * `rows`: the point's result of each day; `whole`: the same days as one row.
 */
export function foldValues(rows: readonly SweepRow[], whole: SweepRow, { objective, walk }: FoldOptions): readonly number[] {
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
