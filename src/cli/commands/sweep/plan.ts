// Turns the options of `bot sweep` into points, each with its backtest. Every point is checked before the first one runs.
import { messageOf, UserError } from '../../../base/errors.ts';
import { rngFrom } from '../../../base/rng.ts';
import { suggestion } from '../../../base/text/nearest.ts';
import { timeText } from '../../../report/accounting/lines.ts';
import { type Axis, axesOf } from '../../../research/sweep/axes.ts';
import { stepFor } from '../../../research/sweep/equity.ts';
import { type JobSpec, keyOf, nodeMajor, type Sources, sourcesOf } from '../../../research/sweep/key.ts';
import type { Objective } from '../../../research/sweep/objective.ts';
import { gridSize, type Point, pointsOf, settingsOf } from '../../../research/sweep/points.ts';
import type { Job } from '../../../research/sweep/row.ts';
import { type Walk, windowsOf } from '../../../research/sweep/walk.ts';
import { checkTapes, commonSpan } from '../../../run/backtest/tapes.ts';
import type { ParamValue } from '../../../strategy/contract.ts';
import { createdDecider, StrategyError } from '../../../strategy/decide.ts';
import type { Tape } from '../../../tape/reader.ts';
import { type BacktestFlags, planBacktest } from '../backtest/plan.ts';
import { strategyOf } from '../run/plan.ts';

/** The options of a backtest that decide its result. */
export type JobFlags = Omit<BacktestFlags, 'report' | 'band' | 'json'>;

export interface SweepFlags extends JobFlags {
  readonly param: readonly string[];
  readonly sample?: number;
  readonly objective: Objective;
  readonly walk?: Walk;
  readonly workers?: number;
  readonly store: string;
  /** Stores whose rows are taken first. */
  readonly merge?: readonly string[];
  /** Address of the queue whose workers run the points; absent: processes of this machine. */
  readonly jobs?: string | undefined;
  readonly skipInvalid?: true;
  readonly json?: true;
}

export interface PlannedPoint {
  readonly point: Point;
  readonly job: Job;
  readonly spec: JobSpec;
  /** Options of the backtest that is this job. */
  readonly flags: JobFlags;
}

export interface SweepPlan {
  readonly axes: readonly Axis[];
  readonly points: readonly PlannedPoint[];
  /** True if the points are all of a grid. */
  readonly isGrid: boolean;
  /** Why points were left out, one text a point. */
  readonly skipped: readonly string[];
}

/** Throws a UserError that lists every point that is wrong, unless `--skip-invalid` is given. */
export async function planSweep(flags: SweepFlags, tapes: readonly Tape[]): Promise<SweepPlan> {
  const axes = axesOf(flags.param);
  const { strategy, path } = await strategyOf(flags);
  checkNames(axes, Object.keys(strategy.defaults));
  const sources = sourcesOf({ name: strategy.name, path });
  checkWalk(flags, tapes);
  const points: PlannedPoint[] = [];
  const faults: string[] = [];
  for (const point of pointsOf(axes, flags)) {
    const settings = settingsOf(point, axes);
    try {
      points.push(await plannedPoint({ point, flags: jobFlagsOf(flags, settings) }, { axes, tapes, sources, path }));
    } catch (error) {
      if (!(error instanceof UserError || error instanceof StrategyError)) throw error;
      faults.push(`${settings.map((text) => text.replace('params.', '')).join(' ')}: ${withoutPlace(messageOf(error))}`);
    }
  }
  if (faults.length > 0 && (flags.skipInvalid !== true || points.length === 0)) throw invalidPoints(faults, faults.length + points.length);
  return { axes, points, isGrid: points.length === gridSize(axes), skipped: faults };
}

interface Context {
  readonly axes: readonly Axis[];
  readonly tapes: readonly Tape[];
  readonly sources: Sources;
  /** The strategy's file; undefined for a built-in one. */
  readonly path: string | undefined;
}

async function plannedPoint(given: Pick<PlannedPoint, 'point' | 'flags'>, { axes, tapes, sources, path }: Context): Promise<PlannedPoint> {
  const plan = await planBacktest(given.flags, tapes);
  createdDecider(plan.strategy, plan.params, rngFrom(plan.seed).fork('strategy')); // so that the strategy refuses its parameters now
  checkTapes(tapes, plan.assumptions.queue);
  const { strategy, tapes: _, ...settings } = plan;
  const span = commonSpan(tapes, plan.window);
  const [hashes, stepMs] = [tapes.map(({ facts }) => facts.hash), stepFor(span)];
  const spec: JobSpec = { ...settings, strategy: path ?? strategy.name, sources, tapes: hashes, span, stepMs, node: nodeMajor() };
  const params = Object.fromEntries(axes.map(({ name }) => [name, asOne(plan.params[name] ?? '')]));
  const job = {
    key: keyOf(spec),
    strategy: strategy.name,
    params,
    tapes: hashes,
    span: `${timeText(span.from)}/${timeText(span.to)}`,
    stepMs,
  };
  return { ...given, job, spec };
}

/** A list as one text, for a cell of the table. */
const asOne = (value: ParamValue): number | string | boolean => (typeof value === 'object' ? value.join(' ') : value);

/** Without the options of the sweep itself. */
function jobFlagsOf(flags: SweepFlags, settings: readonly string[]): JobFlags {
  const {
    param: _p,
    sample: _s,
    objective: _o,
    walk: _w,
    workers: _n,
    store: _f,
    merge: _m,
    jobs: _q,
    skipInvalid: _i,
    json: _j,
    ...job
  } = flags;
  return { ...job, set: [...(flags.set ?? []), ...settings] };
}

function checkNames(axes: readonly Axis[], known: readonly string[]): void {
  const unknown = axes.find(({ name }) => !known.includes(name));
  if (unknown === undefined) return;
  throw new UserError({
    code: 'params',
    message: `the strategy has no parameter "${unknown.name}"`,
    hint: suggestion(unknown.name, known),
  });
}

/** Throws a UserError if the windows do not fit into the tapes. */
function checkWalk({ walk, from, to }: SweepFlags, tapes: readonly Tape[]): void {
  if (walk === undefined) return;
  const span = commonSpan(tapes, { from, to });
  const stepMs = stepFor(span);
  windowsOf(walk, { steps: Math.floor((span.to - span.from) / stepMs), stepMs });
}

const withoutPlace = (message: string): string => message.replace(/^--set params\.[^:]*: /, '');

/** More are counted and not listed. */
const MOST_LISTED = 200;

function invalidPoints(faults: readonly string[], points: number): UserError {
  const listed = faults.slice(0, MOST_LISTED).map((fault) => `\n  ${fault}`);
  const more = faults.length > MOST_LISTED ? `\n  and ${faults.length - MOST_LISTED} more` : '';
  return new UserError({
    code: 'params',
    message: `${faults.length} of ${points} points are not valid; nothing was run:${listed.join('')}${more}`,
    hint: faults.length < points ? 'change the values, or leave these points out with --skip-invalid' : 'change the values',
  });
}
