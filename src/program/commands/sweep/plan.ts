// Converts the parsed options of `bot sweep` (`command.ts`) to points, each with its backtests. Checks every point before the first one runs.
import { stepEnds } from '../../../base/calendar-steps.ts';
import type { Millis } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { rngFrom } from '../../../base/rng.ts';
import { timeText } from '../../../base/text/duration.ts';
import { suggestion } from '../../../base/text/phrases.ts';
import type { ParamValue } from '../../../bot/strategy/contract.ts';
import { createdDecider, StrategyError } from '../../../bot/strategy/decide.ts';
import { historyOf } from '../../../bot/strategy/schedule.ts';
import { checkTapes, commonSpan, partsFor, type Span } from '../../../embedded/recording/tapes.ts';
import type { Tape } from '../../../embedded/tape/reader.ts';
import { type Axis, axesOf } from '../../../research/sweep/axes.ts';
import { daysOf } from '../../../research/sweep/days.ts';
import { stepFor } from '../../../research/sweep/equity.ts';
import { type JobSpec, jobKeyOf, nodeMajor, pointKeyOf, type Sources, sourcesOf } from '../../../research/sweep/job-key.ts';
import { gridSize, type Point, pointsOf, settingsOf } from '../../../research/sweep/points.ts';
import type { Job } from '../../../research/sweep/row.ts';
import { type Walk, windowsOf } from '../../../research/sweep/walk.ts';
import { firstSampleSize } from '../../../research/sweep/zoom.ts';
import { strategyOf } from '../../configuration.ts';
import { type BacktestFlags, planBacktest } from '../backtest/plan.ts';
import type { SweepFlags } from './command.ts';

/** The options of a backtest that determine its result. */
export type JobFlags = Omit<BacktestFlags, 'report' | 'band' | 'json' | 'past'>;

export interface PlannedJob {
  readonly job: Job;
  readonly spec: JobSpec;
  /** Options of this job's backtest. */
  readonly flags: JobFlags;
}

/** A point with one job for each day, or one job for all days. */
export interface PlannedPoint {
  readonly point: Point;
  readonly jobs: readonly PlannedJob[];
}

export interface SweepPlan {
  readonly axes: readonly Axis[];
  readonly points: readonly PlannedPoint[];
  /** True if the points are a complete grid. */
  readonly isGrid: boolean;
  /** One text for each skipped point, with the reason. */
  readonly skipped: readonly string[];
  readonly walk: Walk | undefined;
  /** Number of jobs per point, one for each day; 1: the whole span is one job. */
  readonly days: number;
  /** Plans further points, without those that the strategy does not accept. */
  readonly planMore: (points: readonly Point[]) => Promise<Pick<SweepPlan, 'points' | 'skipped'>>;
}

/** Throws a UserError that lists every invalid point, unless `--skip-invalid` is given. */
export async function planSweep(flags: SweepFlags, tapes: readonly Tape[]): Promise<SweepPlan> {
  const axes = axesOf(flags.param);
  const { strategy, path } = await strategyOf(flags);
  checkParamNames(axes, Object.keys(strategy.defaults));
  checkTapes(tapes, { kind: 'conservative' });
  const whole = commonSpan(tapes, flags);
  const isSplit = flags.days ?? tapes.every(({ header }) => header.books !== 'candles');
  const spans = isSplit ? daysOf(whole) : [whole];
  const context = { axes, tapes, path, spans, stepMs: stepFor(whole), sources: sourcesOf({ name: strategy.name, path }) };
  const walk = walkOf(flags, { whole, stepMs: context.stepMs });
  const sample = flags.zoom === true && flags.sample !== undefined ? firstSampleSize(flags.sample) : flags.sample;
  const { points, skipped } = await planPoints(pointsOf(axes, { sample, seed: flags.seed }), flags, context);
  if (skipped.length > 0 && (flags.skipInvalid !== true || points.length === 0))
    throw invalidPoints(skipped, skipped.length + points.length);
  const planMore = (others: readonly Point[]) => planPoints(others, flags, context);
  return { axes, points, isGrid: points.length === gridSize(axes), skipped, walk, days: spans.length, planMore };
}

interface PlanContext {
  readonly axes: readonly Axis[];
  readonly tapes: readonly Tape[];
  readonly sources: Sources;
  /** The strategy's file; undefined for a built-in one. */
  readonly path: string | undefined;
  /** One job for each span. */
  readonly spans: readonly Span[];
  readonly stepMs: Millis;
}

async function planPoints(
  points: readonly Point[],
  flags: SweepFlags,
  context: PlanContext,
): Promise<Pick<SweepPlan, 'points' | 'skipped'>> {
  const planned: PlannedPoint[] = [];
  const skipped: string[] = [];
  for (const point of points) {
    const settings = settingsOf(point, context.axes);
    try {
      planned.push(await plannedPoint(point, jobFlagsOf(flags, settings), context));
    } catch (error) {
      if (!(error instanceof UserError || error instanceof StrategyError)) throw error;
      skipped.push(`${settings.map((text) => text.replace('params.', '')).join(' ')}: ${withoutPlace(messageOf(error))}`);
    }
  }
  return { points: planned, skipped };
}

async function plannedPoint(
  point: Point,
  flags: JobFlags,
  { axes, tapes, sources, path, spans, stepMs }: PlanContext,
): Promise<PlannedPoint> {
  const plan = await planBacktest(flags, tapes);
  createdDecider(plan.strategy, plan.params, rngFrom(plan.seed).fork('strategy')); // created now, so that the strategy can refuse its parameters
  checkTapes(tapes, plan.assumptions.queue);
  const { strategy, tapes: _, ...settings } = plan;
  const params = Object.fromEntries(axes.map(({ name }) => [name, cellOf(plan.params[name] ?? '')]));
  const shared = { ...settings, strategy: path ?? strategy.name, sources, stepMs, node: nodeMajor() };
  const historyMs = Math.max(0, ...historyOf(plan.strategy, plan.params).map(({ span, count }) => span * count));
  const jobs = spans.map((span) => {
    const parts = partsFor(tapes, { from: span.from - historyMs, to: span.to });
    const hashes = parts.map(({ facts }) => facts.hash);
    const spec: JobSpec = { ...shared, tapes: hashes, span, ...(spans.length > 1 && { window: span }) };
    const text = `${timeText(span.from)}/${timeText(span.to)}`;
    const job = { key: jobKeyOf(spec), point: pointKeyOf(spec), strategy: strategy.name, params, tapes: hashes, span: text, stepMs };
    const own = { ...flags, tape: parts.map(({ file }) => file) };
    return { job, spec, flags: spans.length > 1 ? { ...own, ...span } : own };
  });
  return { point, jobs };
}

/** Returns the value; a list as one text, for a cell of the table. */
const cellOf = (value: ParamValue): number | string | boolean => (typeof value === 'object' ? value.join(' ') : value);

/** Returns the options of the backtests, without those of the sweep itself. */
function jobFlagsOf(flags: SweepFlags, settings: readonly string[]): JobFlags {
  const { strategy, tape, input, latency, poll, queue, deposit, fees, config, set = [], from, to, seed } = flags;
  const job = { strategy, tape, input, latency, poll, queue, deposit, fees, config, from, to, seed };
  return { ...(job as JobFlags), set: [...set, ...settings] };
}

function checkParamNames(axes: readonly Axis[], names: readonly string[]): void {
  const unknown = axes.find(({ name }) => !names.includes(name));
  if (unknown === undefined) return;
  throw new UserError({
    code: 'params',
    message: `the strategy has no parameter "${unknown.name}"`,
    hint: suggestion(unknown.name, names),
  });
}

/** Throws a UserError if the windows do not fit into the tapes. */
function walkOf({ walk, purge = 0, embargo = 0 }: SweepFlags, { whole, stepMs }: { whole: Span; stepMs: Millis }): Walk | undefined {
  if (walk === undefined) return undefined;
  const withGap = { ...walk, gapMs: purge + embargo };
  windowsOf(withGap, { steps: stepEnds(whole, stepMs).length, stepMs });
  return withGap;
}

/** Removes the option in which the value was set from a message: the point names the value. */
const withoutPlace = (message: string): string => message.replace(/^--set params\.[^:]*: /, '');

/** Maximum number of listed points; further ones are only counted. */
const MAX_LISTED = 200;

function invalidPoints(faults: readonly string[], points: number): UserError {
  const listed = faults.slice(0, MAX_LISTED).map((fault) => `\n  ${fault}`);
  const more = faults.length > MAX_LISTED ? `\n  and ${faults.length - MAX_LISTED} more` : '';
  return new UserError({
    code: 'params',
    message: `${faults.length} of ${points} points are not valid; nothing was run:${listed.join('')}${more}`,
    hint: faults.length < points ? 'change the values, or leave these points out with --skip-invalid' : 'change the values',
  });
}
