// Brings the rows of a sweep together: the best point, the plateau, the statistics and the verdict.
import { createHash } from 'node:crypto';
import { type Answer, answerOf } from './answer.ts';
import type { Axis } from './axes.ts';
import { type Figures, figuresOf } from './figures.ts';
import { type Objective, valueOf } from './objective.ts';
import type { Point } from './points.ts';
import type { Outcome, Row } from './row.ts';
import { verdictOf } from './verdict.ts';
import { type Walk, type WalkResult, walkForward, windowsOf } from './walk.ts';

export interface Finished {
  readonly axes: readonly Axis[];
  /** Each point with its row, in the order of the points. */
  readonly trials: readonly { readonly point: Point; readonly row: Row }[];
  readonly isGrid: boolean;
  readonly objective: Objective;
  readonly walk: Walk | undefined;
  /** Rows of this and earlier sweeps of the strategy on the same data. */
  readonly history: readonly Row[];
  readonly seed: string;
}

export interface SweepSummary {
  /** A hash of the keys of all points. */
  readonly sweep: string;
  readonly points: number;
  readonly failed: number;
  readonly answer: Answer | undefined;
  readonly figures: Figures | undefined;
  readonly walk: WalkResult | undefined;
  readonly verdict: string;
}

type Done = Extract<Outcome, { kind: 'done' }>;

export function summaryOf({ axes, trials, isGrid, objective, walk, history, seed }: Finished): SweepSummary {
  const done = trials.flatMap(({ point, row }) => (row.outcome.kind === 'done' ? [{ point, row, outcome: row.outcome }] : []));
  const values = done.map(({ point, outcome }) => ({ at: point.at, value: valueOf(outcome.result, objective) }));
  const answer = answerOf(values, axes, isGrid);
  const best = answer === undefined ? -1 : values.indexOf(answer.best);
  const columns = done.map(({ outcome }) => columnOf(outcome));
  const [first] = trials;
  const stepMs = first?.row.stepMs ?? 1;
  const steps = columns[0]?.length ?? 0;
  const past = history.flatMap(({ outcome }) => (outcome.kind === 'done' ? [columnOf(outcome)] : []));
  const figures = best < 0 ? undefined : figuresOf({ columns, best, count: trials.length, history: past, stepMs, seed });
  const walked = walk === undefined || best < 0 ? undefined : walkForward(columns, { ...windowsOf(walk, { steps, stepMs }), objective });
  const failed = trials.length - done.length;
  const evidence = {
    best: done[best]?.outcome.result,
    points: trials.length,
    failed,
    steps,
    figures,
    edge: answer?.edge ?? [],
    isAlone: answer !== undefined && answer.plateau.at.join() !== answer.best.at.join(),
    walk: walked,
  };
  const sweep = createHash('sha256')
    .update(trials.map(({ row }) => row.key).join())
    .digest('hex');
  return { sweep, points: trials.length, failed, answer, figures, walk: walked, verdict: verdictOf(evidence) };
}

const columnOf = ({ returns }: Done): readonly number[] => [...returns];
