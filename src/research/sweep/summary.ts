// Summarises the rows of a sweep: the best point, the plateau, the statistics and the verdict.
import { createHash } from 'node:crypto';
import { stepEnds } from '../../base/calendar-steps.ts';
import { sum } from '../../base/statistics/moments.ts';
import { timeText } from '../../base/text/duration.ts';
import type { Valued } from '../statistics/plateau.ts';
import { answerOf, type SweepAnswer } from './answer.ts';
import type { Axis } from './axes.ts';
import { type Objective, valueOf, valueOfReturns } from './objective.ts';
import type { Point } from './points.ts';
import type { JobOutcome, SweepRow } from './row.ts';
import { figuresOf, type SweepFigures } from './sweep-statistics.ts';
import { type LastWindow, verdictOf } from './verdict.ts';
import { lastWindow, type Walk, type WalkResult, type Windows, walkForward, windowsOf } from './walk.ts';

export interface Trial {
  readonly point: Point;
  /** The result of all its days, as one row. */
  readonly row: SweepRow;
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
  readonly history: readonly SweepRow[];
  readonly seed: string;
  /**
   * Records that this search has used the last window; `search` is a hash of the parameters of all points, whatever the version of the program. Returns how
   * many other sweeps have used it before.
   */
  readonly recordUse?: (use: { readonly search: string; readonly span: string }) => number;
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

type Done = Extract<JobOutcome, { kind: 'done' }>;

/** Returns each point with a result, and the value by which it is chosen. */
export function chosenBy(trials: readonly Trial[], { objective, walk }: Choice): readonly Valued[] {
  return trials.flatMap(({ point, row: { outcome, stepMs } }) => {
    if (outcome.kind !== 'done') return [];
    if (walk === undefined) return [{ at: point.at, value: valueOf(outcome.result, objective) }];
    const steps = outcome.returns.length;
    const used = returnsOf(outcome).slice(0, usedBy(windowsOf(walk, { steps, stepMs }), steps));
    return [{ at: point.at, value: valueOfReturns(used, objective) }];
  });
}

/** Returns the number of steps that the choice uses: those before the last window and its gap. */
const usedBy = (windows: Windows, steps: number): number => lastWindow(steps, windows).from - windows.gap;

export function summaryOf({ axes, trials, isGrid, middle, objective, walk, history, seed, recordUse }: Finished): SweepSummary {
  const done = trials.flatMap(({ row }) =>
    row.outcome.kind === 'done' ? [{ row, returns: returnsOf(row.outcome), outcome: row.outcome }] : [],
  );
  const values = chosenBy(trials, { objective, walk });
  const answer = answerOf(values, axes, isGrid);
  const best = answer === undefined ? -1 : values.indexOf(answer.best);
  const bestTrial = done[best];
  const stepMs = trials[0]?.row.stepMs ?? 1;
  const steps = done[0]?.returns.length ?? 0;
  const windows = bestTrial && walk && windowsOf(walk, { steps, stepMs });
  const usedSteps = windows === undefined ? steps : usedBy(windows, steps);
  const used = (returns: readonly number[]): readonly number[] => returns.slice(0, usedSteps);
  const columns = done.map(({ returns }) => returns);
  const past = history.flatMap(({ outcome }) => (outcome.kind === 'done' ? [used(returnsOf(outcome))] : []));
  const figures = bestTrial && figuresOf({ columns: columns.map(used), best, count: trials.length, history: past, stepMs, seed });
  const walked = windows && walkForward(columns, { ...windows, objective });
  // The version of the program is not part of this hash: a sweep repeated with another version counts as the same.
  const search = hashOf(trials.map(({ row }) => JSON.stringify(row.params)));
  const last =
    bestTrial && windows && lastOf({ ...bestTrial, windows, usedSteps, recordUse: (span) => recordUse?.({ search, span }) ?? 0 });
  const failed = trials.length - done.length;
  const evidence = {
    best: bestTrial?.outcome.result,
    points: trials.length,
    failed,
    steps: usedSteps,
    figures,
    edge: answer?.edge ?? [],
    isPlateauElsewhere: answer !== undefined && answer.plateau.at.join() !== answer.best.at.join(),
    walk: walked,
    last,
  };
  return {
    sweep: hashOf(trials.map(({ row }) => row.key)),
    points: trials.length,
    failed,
    answer,
    middle: middle && values.find(({ at }) => at.join() === middle.at.join()),
    figures,
    walk: walked,
    last,
    verdict: verdictOf(evidence),
  };
}

const hashOf = (texts: readonly string[]): string => createHash('sha256').update(texts.join()).digest('hex');

interface LastOptions {
  readonly row: SweepRow;
  readonly returns: readonly number[];
  readonly windows: Windows;
  readonly usedSteps: number;
  readonly recordUse: (span: string) => number;
}

/** Returns the best point's result in the last window, which no choice used. */
function lastOf({ row: { span, stepMs }, returns, windows, usedSteps, recordUse }: LastOptions): LastWindow {
  const { from, to } = lastWindow(returns.length, windows);
  const [begin = 0, end = 0] = span.split('/').map(Date.parse);
  const ends = [begin, ...stepEnds({ from: begin, to: end }, stepMs)];
  const text = (step: number): string => timeText(ends[step] ?? end);
  const expected = (sum(returns.slice(0, usedSteps)) / usedSteps) * (to - from);
  return { from: text(from), to: text(to), result: sum(returns.slice(from, to)), expected, looks: recordUse(`${text(from)}/${text(to)}`) };
}

const returnsOf = ({ returns }: Done): readonly number[] => [...returns];
