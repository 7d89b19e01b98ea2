// Summarises the rows of a sweep: the best point, the plateau, the statistics and the verdict.
import { createHash } from 'node:crypto';
import type { Millis } from '../../base/clock.ts';
import { sum } from '../../base/statistics/sum.ts';
import type { Valued } from '../statistics/plateau.ts';
import { answerOf, type SweepAnswer } from './answer.ts';
import type { Axis } from './axes.ts';
import { type Objective, valueOf, valueOfReturns } from './objective.ts';
import type { Point } from './points.ts';
import type { Outcome, Row } from './row.ts';
import { figuresOf, type SweepFigures } from './sweep-statistics.ts';
import { type LastWindow, verdictOf } from './verdict.ts';
import { lastWindow, type Walk, type WalkResult, walkForward, windowsOf } from './walk.ts';

export interface Trial {
  readonly point: Point;
  /** The rows of its days as one. */
  readonly row: Row;
}

/** The figure by which a point is chosen. */
export interface Choice {
  readonly objective: Objective;
  /** The windows of the walk; the last test window is left out of the choice. */
  readonly walk: Walk | undefined;
}

export interface Finished extends Choice {
  readonly axes: readonly Axis[];
  /** In the order of the points. */
  readonly trials: readonly Trial[];
  readonly isGrid: boolean;
  /** The point in the middle of the best five, after a zoom. */
  readonly middle?: Point | undefined;
  /** Rows of this and earlier sweeps of the strategy on the same data, one per point. */
  readonly history: readonly Row[];
  readonly seed: string;
  /** Records that this sweep looks at the last window. Returns how many other sweeps have looked at it before. */
  readonly recordLook?: (look: { readonly sweep: string; readonly span: string }) => number;
}

export interface SweepSummary {
  /** A hash of the keys of all points. */
  readonly sweep: string;
  readonly points: number;
  readonly failed: number;
  readonly answer: SweepAnswer | undefined;
  readonly middle: Valued | undefined;
  readonly figures: SweepFigures | undefined;
  readonly walk: WalkResult | undefined;
  readonly last: LastWindow | undefined;
  readonly verdict: string;
}

type Done = Extract<Outcome, { kind: 'done' }>;

/** Returns each point with a result, and the value by which it is chosen. */
export function chosenBy(trials: readonly Trial[], { objective, walk }: Choice): readonly Valued[] {
  return trials.flatMap(({ point, row: { outcome, stepMs } }) => {
    if (outcome.kind !== 'done') return [];
    if (walk === undefined) return [{ at: point.at, value: valueOf(outcome.result, objective) }];
    const seen = [...outcome.returns].slice(0, cutOf(outcome.returns.length, { walk, stepMs }));
    return [{ at: point.at, value: valueOfReturns(seen, objective) }];
  });
}

/** Returns the number of steps that a choice may use. */
function cutOf(steps: number, { walk, stepMs }: { walk: Walk; stepMs: Millis }): number {
  const windows = windowsOf(walk, { steps, stepMs });
  return lastWindow(steps, windows).from - windows.gap;
}

export function summaryOf({ axes, trials, isGrid, middle, objective, walk, history, seed, recordLook: look }: Finished): SweepSummary {
  const done = trials.flatMap(({ row }) => (row.outcome.kind === 'done' ? [{ row, outcome: row.outcome }] : []));
  const values = chosenBy(trials, { objective, walk });
  const answer = answerOf(values, axes, isGrid);
  const best = answer === undefined ? -1 : values.indexOf(answer.best);
  const columns = done.map(({ outcome }) => columnOf(outcome));
  const stepMs = trials[0]?.row.stepMs ?? 1;
  const steps = columns[0]?.length ?? 0;
  const sweep = hashOf(trials.map(({ row }) => row.key));
  const search = hashOf(trials.map(({ row }) => JSON.stringify(row.params))); // the same search with another version of the program is not another look
  const isWalked = walk !== undefined && best >= 0;
  const cut = isWalked ? cutOf(steps, { walk, stepMs }) : steps;
  const seen = (column: readonly number[]): readonly number[] => column.slice(0, cut);
  const past = history.flatMap(({ outcome }) => (outcome.kind === 'done' ? [seen(columnOf(outcome))] : []));
  const figures = best < 0 ? undefined : figuresOf({ columns: columns.map(seen), best, count: trials.length, history: past, stepMs, seed });
  const walked = isWalked ? walkForward(columns, { ...windowsOf(walk, { steps, stepMs }), objective }) : undefined;
  const bestRow = done[best]?.row;
  const last =
    isWalked && bestRow !== undefined ? lastOf({ row: bestRow, column: columns[best] ?? [], walk, cut, sweep: search, look }) : undefined;
  const failed = trials.length - done.length;
  const evidence = {
    best: done[best]?.outcome.result,
    points: trials.length,
    failed,
    steps: cut,
    figures,
    edge: answer?.edge ?? [],
    isAlone: answer !== undefined && answer.plateau.at.join() !== answer.best.at.join(),
    walk: walked,
    last,
  };
  const middleValue = middle === undefined ? undefined : values.find(({ at }) => at.join() === middle.at.join());
  return { sweep, points: trials.length, failed, answer, middle: middleValue, figures, walk: walked, last, verdict: verdictOf(evidence) };
}

const hashOf = (texts: readonly string[]): string => createHash('sha256').update(texts.join()).digest('hex');

interface Looked {
  readonly row: Row;
  readonly column: readonly number[];
  readonly walk: Walk;
  readonly cut: number;
  readonly sweep: string;
  readonly look: Finished['recordLook'];
}

/** Returns the best point's result in the last window, which no choice used. */
function lastOf({ row: { span, stepMs }, column, walk, cut, sweep, look }: Looked): LastWindow {
  const { from, to } = lastWindow(column.length, windowsOf(walk, { steps: column.length, stepMs }));
  const begin = Date.parse(span.split('/')[0] ?? '');
  const text = (step: number): string => new Date(begin + step * stepMs).toISOString();
  const expected = (sum(column.slice(0, cut)) / cut) * (to - from);
  const others = look?.({ sweep, span: `${text(from)}/${text(to)}` }) ?? 0;
  return { from: text(from), to: text(to), result: sum(column.slice(from, to)), expected, others };
}

const columnOf = ({ returns }: Done): readonly number[] => [...returns];
