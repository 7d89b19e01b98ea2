// `bot sweep`: runs many backtests of one strategy on all cores, and gives a verdict on the best. It calls:
//   command.ts           the options, and the parsers of their values
//   plan.ts              converts the options to points and jobs, and checks all before the first runs
//   repeat-command.ts    the command that repeats one point
//   results.ts           stored rows and new rows
//   jobs/, queue/        runners of jobs: processes of this machine, or workers of a queue
//   worker.ts            `bot sweep worker`
//   json-lines.ts, words.ts   the result as JSON lines and as text
// The points, the store and the statistics are in src/research/.

import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { type Millis, systemClock } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { COMMAND } from '../../../base/package.ts';
import { withTapes } from '../../../embedded/recording/tapes.ts';
import { joinDays } from '../../../research/sweep/days.ts';
import type { Point } from '../../../research/sweep/points.ts';
import type { Job, SweepRow } from '../../../research/sweep/row.ts';
import { ResultStore } from '../../../research/sweep/store.ts';
import { chosenBy, type SweepSummary, summaryOf } from '../../../research/sweep/summary.ts';
import { middlePoint, roundSize, ZOOM_ROUNDS, zoomPoints } from '../../../research/sweep/zoom.ts';
import { sweepHtml } from '../../../research/sweep-page/sweep-page.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { redirectConsole } from '../../output/console.ts';
import { type Progress, withProgress } from '../../output/progress.ts';
import { pageLine } from '../../output/words.ts';
import { requireOwnPage, writePage } from '../../report-files.ts';
import { wrongValue } from '../../values.ts';
import { tapeFilesOf } from '../tapes/tape-files.ts';
import type { SweepFlags } from './command.ts';
import { type LocalOptions, LocalRunner } from './jobs/local-runner.ts';
import type { EndedTask, Runner, Task } from './jobs/messages.ts';
import { summaryLine } from './json-lines.ts';
import { planSweep, type SweepPlan } from './plan.ts';
import { commandOf } from './repeat-command.ts';
import { type JobPart, mergeInto, Results, type ResultsOptions } from './results.ts';
import { paramsWords, ranksWords, spanWords, sweepWords } from './words.ts';

/** Runs a sweep. With `part`, runs and stores a part of its jobs, without a verdict. */
export async function sweep(given: SweepFlags, host: Host, part?: JobPart): Promise<ExitCode> {
  const restoreConsole = redirectConsole((text) => say(host.stderr, text));
  try {
    checkZoom(given, part);
    if (given.report !== undefined) requireOwnPage(given.report);
    const flags = { ...given, tape: await tapeFilesOf(given.tape, host) };
    return await withTapes(flags.tape, async (tapes) => {
      const plan = await planSweep(flags, tapes);
      printNotes(plan, host);
      const store = new ResultStore(flags.store);
      try {
        for (const file of flags.merge ?? []) mergeInto(store, file);
        return await new Sweep({ plan, flags, store, host, part }).run();
      } finally {
        store.close();
      }
    });
  } finally {
    restoreConsole();
  }
}

function checkZoom({ zoom, sample }: SweepFlags, part: JobPart | undefined): void {
  if (zoom !== true) return;
  if (part !== undefined)
    throw wrongValue(
      '--zoom cannot be used with --index: each round depends on the results of the one before',
      'leave out --zoom, or use --queue',
    );
  if (sample === undefined) throw wrongValue('--zoom needs --sample', 'write how many points it may run, as in --sample 100');
}

function printNotes({ skipped, days }: SweepPlan, { stderr }: Host): void {
  for (const fault of skipped) say(stderr, `left out: ${fault}`);
  if (days > 1)
    say(
      stderr,
      `each point is played on ${days} days, and begins each day with the deposit and without positions; --no-days plays them as one`,
    );
}

interface SweepContext extends ResultsOptions {
  readonly plan: SweepPlan;
}

class Sweep {
  readonly #context: SweepContext;
  readonly #results: Results;
  #skipped: number;
  #runner: Runner | undefined;
  #isStopped = false;
  #middle: Point | undefined;

  constructor(context: SweepContext) {
    this.#context = context;
    this.#results = new Results(context);
    this.#skipped = context.plan.skipped.length;
  }

  async run(): Promise<ExitCode> {
    const { plan, flags, host, part } = this.#context;
    host.onExit(() => this.#runner?.kill());
    host.onSignal(({ again }) => {
      if (again) return host.exitNow(1);
      this.#isStopped = true;
      this.#runner?.stop();
      say(host.stderr, 'stopping: running points will be finished; Ctrl-C again ends them at once');
    });
    try {
      await this.#runTasks(this.#results.add(plan.points));
      if (flags.zoom) await this.#zoom();
    } catch (error) {
      if (error instanceof UserError) throw error;
      say(host.stderr, `error: ${messageOf(error)}`);
      return 1;
    }
    const { done, all } = this.#results;
    if (done < all || this.#isStopped) {
      say(host.stderr, `stopped: ${done} of ${all} points are in ${flags.store}; the same command runs the rest`);
      return 1;
    }
    if (part === undefined) this.#printResult();
    return 0;
  }

  /**
   * Runs the rounds of `--zoom`. A round depends on all earlier results in the order of their points, not in the order of arrival, so it is
   * reproducible.
   */
  async #zoom(): Promise<void> {
    const {
      plan: { axes, walk },
      flags,
    } = this.#context;
    const { sample = 0, objective, seed } = flags;
    const results = () => chosenBy(this.#results.trials(), { objective, walk });
    for (let round = 1; round <= ZOOM_ROUNDS && !this.#isStopped && results().length > 0; round++)
      await this.#addPoints(zoomPoints(results(), axes, { round, count: roundSize(sample, round), seed }));
    if (this.#isStopped || results().length === 0) return;
    const middle = middlePoint(results(), axes);
    await this.#addPoints([middle]);
    this.#middle = middle;
  }

  async #addPoints(points: readonly Point[]): Promise<void> {
    const taken = new Set(this.#results.points.map(({ point }) => point.at.join()));
    const { points: planned, skipped } = await this.#context.plan.planMore(points.filter(({ at }) => !taken.has(at.join())));
    for (const fault of skipped) say(this.#context.host.stderr, `left out: ${fault}`);
    this.#skipped += skipped.length;
    await this.#runTasks(this.#results.add(planned));
  }

  async #runTasks(tasks: readonly Task[]): Promise<void> {
    if (tasks.length === 0 || this.#isStopped) return;
    const [began, before] = [systemClock.now(), this.#results.done];
    await withProgress('sweep', this.#context.host, async (progress) => {
      const done = (task: Task, ended: EndedTask): void => {
        this.#results.take(task, ended);
        this.#show(progress, { began, before, median: runner.median });
      };
      const runner = await runnerOf(tasks, done, this.#context);
      this.#runner = runner;
      await runner.run();
    });
  }

  #show(progress: Progress['at'], { began, before, median }: { began: Millis; before: number; median: Millis | undefined }): void {
    const { done, all, best } = this.#results;
    const left = done > before ? ((systemClock.now() - began) / (done - before)) * (all - done) : undefined;
    const notes = [
      `${done} of ${all}`,
      ...(median === undefined ? [] : [`${spanWords(median)} each`]),
      ...(left === undefined ? [] : [`${spanWords(left)} left`]),
      ...(best === undefined
        ? []
        : [
            `best ${this.#context.flags.objective} ${best.value.toPrecision(4)} at ${paramsWords(best.row.params)}${ranksWords(this.#results.ranksOf(best.at))}`,
          ]),
    ];
    progress(done / all, notes.join(', '));
  }

  #printResult(): void {
    const { plan, flags, store, host } = this.#context;
    const { objective, report } = flags;
    const trials = this.#results.trials();
    const history = store.history(this.#firstJobs()).map(joinDays);
    const summary = this.#summarize(history);
    const { reused, all } = this.#results;
    const values = chosenBy(trials, { objective, walk: plan.walk });
    const ranks = summary.answer === undefined ? [] : this.#results.ranksOf(summary.answer.best.at);
    const command = this.#repeatCommand(summary);
    const rows = trials.map(({ row }) => row);
    const counts = { reused, jobs: all, days: plan.days, skipped: this.#skipped };
    const shown = { summary, ranks, trials: rows, values, objective, ...counts, store: flags.store, command, ...this.#paramLookups() };
    say(host.stdout, flags.json ? JSON.stringify(summaryLine(shown)) : sweepWords(shown));
    if (report === undefined) return;
    const facts = { objective, trials, values, summary, command, axes: plan.axes, days: plan.days };
    const page = sweepHtml({
      ...facts,
      strategy: this.#firstJobs()[0]?.strategy ?? '',
      tapes: flags.tape.map((tape) => basename(tape)),
      everTried: new Set(history.map(({ params }) => JSON.stringify(params))).size,
    });
    writePage(report, page, HINT);
    if (!flags.json) say(host.stdout, pageLine(['report', report]));
  }

  #summarize(history: readonly SweepRow[]): SweepSummary {
    const { plan, flags, store } = this.#context;
    const jobs = this.#firstJobs();
    const [first] = jobs;
    const allTapes = [...new Set(jobs.flatMap(({ tapes }) => tapes))];
    return summaryOf({
      axes: plan.axes,
      walk: plan.walk,
      objective: flags.objective,
      seed: flags.seed,
      isGrid: plan.isGrid && flags.zoom !== true,
      trials: this.#results.trials(),
      middle: this.#middle,
      history,
      // Records that this sweep has used the last window. Returns how many other sweeps have used it before.
      recordUse: (use) => (first === undefined ? 0 : store.recordUse({ ...first, tapes: allTapes, ...use })),
    });
  }

  /** Returns the jobs of the first point, one for each of its days; those of the other points have the same strategy, tapes and days. */
  #firstJobs(): readonly Job[] {
    return this.#results.points[0]?.jobs.map(({ job }) => job) ?? [];
  }

  /** Returns functions that find the parameters of a point, by its coordinates or by its index among the points with a result. */
  #paramLookups(): { paramsOf: (at: readonly number[]) => SweepRow['params']; paramsOfTrial: (trial: number) => SweepRow['params'] } {
    const trials = this.#results.trials();
    const done = trials.filter(({ row }) => row.outcome.kind === 'done');
    return {
      paramsOf: (at) => trials.find(({ point }) => point.at.join() === at.join())?.row.params ?? {},
      paramsOfTrial: (trial) => done[trial]?.row.params ?? {},
    };
  }

  /** Returns the command that repeats the chosen point, with all its days as one backtest. */
  #repeatCommand({ answer, middle }: SweepSummary): string | undefined {
    const at = (middle ?? answer?.plateau)?.at.join();
    const flags = this.#results.points.find(({ point }) => point.at.join() === at)?.jobs[0]?.flags;
    if (flags === undefined) return undefined;
    const { from: _from, to: _to, ...whole } = flags;
    const { tape, from, to } = this.#context.flags;
    return commandOf({ ...whole, tape, ...(from !== undefined && { from }), ...(to !== undefined && { to }) }, COMMAND);
  }
}

const HINT = 'the results are in the store: the same command with another --report writes it without running anything';

/** Returns the runner of a sweep: processes of this machine, or the workers of a queue. Throws a UserError if the queue cannot be used. */
async function runnerOf(tasks: readonly Task[], done: LocalOptions['done'], { flags, host }: SweepContext): Promise<Runner> {
  if (flags.queueUrl !== undefined) {
    const { QueueRunner } = await import('./queue/queue-runner.ts');
    const queued = (): void => {
      if (flags.json) say(host.stdout, JSON.stringify({ kind: 'queued', jobs: tasks.length }));
    };
    return new QueueRunner(tasks, { url: flags.queueUrl, clock: systemClock, done, queued, say: (message) => say(host.stderr, message) });
  }
  return new LocalRunner(tasks, { workers: Math.min(flags.workers ?? availableParallelism(), tasks.length), clock: systemClock, done });
}
