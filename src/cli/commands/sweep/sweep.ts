// `bot sweep`: many backtests of one strategy on all cores, and a verdict on the best. It calls:
//   plan.ts              the options as points, all checked before the first runs; command.ts: the command that repeats one
//   jobs/                the processes that run the points
//   lines.ts, words.ts   the result as JSON lines and as text
// The points, the store and the statistics are in src/research/.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { type Millis, systemClock } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { COMMAND } from '../../../base/package.ts';
import { valueOf } from '../../../research/sweep/objective.ts';
import type { Row } from '../../../research/sweep/row.ts';
import { type Conflict, ResultStore } from '../../../research/sweep/store.ts';
import { type SweepSummary, summaryOf } from '../../../research/sweep/summary.ts';
import { openTape, type Tape } from '../../../tape/reader.ts';
import { type ExitCode, type Host, say } from '../../host.ts';
import { redirectConsole } from '../../output/console.ts';
import { type Progress, progressOf } from '../../output/progress.ts';
import { LocalRunner } from './jobs/local-runner.ts';
import type { Ended, Runner, Task } from './jobs/messages.ts';
import { rowLine, summaryLine } from './lines.ts';
import { type PlannedPoint, planSweep, type SweepFlags, type SweepPlan } from './plan.ts';
import { commandOf } from './repeat-command.ts';
import { paramsWords, spanWords, sweepWords } from './words.ts';

/** One job in so many is run twice, and the first always. */
const CHECKED_SHARE = 100;

/** A part of the points: those whose number leaves the rest `index` when it is divided by `count`. */
export interface Part {
  readonly index: number;
  readonly count: number;
}

export const sweep = (flags: SweepFlags, host: Host): Promise<ExitCode> => planned(flags, host);

/** Runs and stores a part of the points, without a result of the whole. */
export const sweepPart = (flags: SweepFlags, host: Host, part: Part): Promise<ExitCode> => planned(flags, host, part);

async function planned(flags: SweepFlags, host: Host, part?: Part): Promise<ExitCode> {
  const restoreConsole = redirectConsole((text) => say(host.stderr, text));
  const tapes: Tape[] = [];
  try {
    for (const file of flags.tape) tapes.push(await openTape(file));
    const plan = await planSweep(flags, tapes);
    for (const fault of plan.skipped) say(host.stderr, `left out: ${fault}`);
    const store = new ResultStore(flags.store);
    try {
      for (const file of flags.merge ?? []) mergeInto(store, file);
      return await new Sweep({ plan, flags, store, host, part }).run();
    } finally {
      store.close();
    }
  } finally {
    restoreConsole();
    for (const tape of tapes) await tape.close();
  }
}

/** Throws a UserError if the file is missing, and an error if the two stores have different results for one key. */
function mergeInto(store: ResultStore, file: string): void {
  if (!existsSync(file)) throw new UserError({ code: 'store', message: `--merge: there is no file ${file}`, hint: 'check the path' });
  const other = new ResultStore(file);
  try {
    for (const row of other.all()) {
      const conflict = store.put(row);
      if (conflict !== undefined) throw conflictError(row, conflict);
    }
  } finally {
    other.close();
  }
}

interface Parts {
  readonly part: Part | undefined;
  readonly plan: SweepPlan;
  readonly flags: SweepFlags;
  readonly store: ResultStore;
  readonly host: Host;
}

class Sweep {
  readonly #parts: Parts;
  /** By key. */
  readonly #rows = new Map<string, Row>();
  readonly #reused = new Set<string>();
  readonly #planned: ReadonlyMap<string, PlannedPoint>;
  /** By key: the machine that ran it, if it was another one. */
  readonly #machines = new Map<string, string>();
  /** Points whose lines were printed: all before this index. */
  #printed = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { index, count } = parts.part ?? { index: 0, count: 1 };
    this.#planned = new Map(parts.plan.points.flatMap((point, number) => (number % count === index ? [[point.job.key, point]] : [])));
  }

  async run(): Promise<ExitCode> {
    const { plan, flags, store, host, part } = this.#parts;
    for (const key of this.#planned.keys()) {
      const row = store.get(key);
      if (row === undefined) continue;
      this.#rows.set(key, row);
      this.#reused.add(key);
    }
    this.#print();
    const tasks = plan.points.flatMap((point, number) =>
      this.#planned.has(point.job.key) && !this.#rows.has(point.job.key) ? tasksOf(point, number) : [],
    );
    try {
      if (tasks.length > 0) await this.#play(tasks);
    } catch (error) {
      if (error instanceof UserError) throw error;
      say(host.stderr, `error: ${messageOf(error)}`);
      return 1;
    }
    if (this.#rows.size < this.#planned.size) {
      say(host.stderr, `stopped: ${this.#rows.size} of ${this.#planned.size} points are in ${flags.store}; the same command runs the rest`);
      return 1;
    }
    if (part === undefined) this.#conclude();
    return 0;
  }

  async #play(tasks: readonly Task[]): Promise<void> {
    const { flags, host } = this.#parts;
    const progress = progressOf('sweep', host);
    const began = systemClock.now();
    const done = (task: Task, ended: Ended): void => {
      this.#take(task, ended);
      this.#show(progress, { runner, began });
    };
    const runner = await runnerOf(tasks, { flags, host, done });
    host.onExit(() => runner.kill());
    host.onSignal(({ again }) => {
      if (again) return host.exitNow(1);
      runner.stop();
      say(host.stderr, 'stopping: the points that are running are finished; Ctrl-C again ends them at once');
    });
    try {
      await runner.run();
    } finally {
      progress.end();
    }
  }

  /** Stores an outcome. Throws if the same job came to two different results. */
  #take({ order: { key }, repeat }: Task, { outcome, machine }: Ended): void {
    const planned = this.#planned.get(key);
    if (planned === undefined || (outcome.kind === 'lost' && repeat)) return;
    const row: Row = { ...planned.job, outcome: outcome.kind === 'lost' ? { kind: 'failed', reason: outcome.reason } : outcome };
    const conflict = outcome.kind === 'lost' ? undefined : this.#parts.store.put(row);
    if (conflict !== undefined) throw conflictError(row, conflict, [this.#machines.get(key), machine]);
    if (machine !== undefined) this.#machines.set(key, machine);
    if (this.#rows.get(key)?.outcome.kind !== 'done') this.#rows.set(key, row);
    this.#print();
  }

  /** Prints the lines of points in their order, as far as all before them are known. */
  #print(): void {
    const { flags, host } = this.#parts;
    const points = [...this.#planned.values()];
    for (; this.#printed < points.length; this.#printed++) {
      const planned = points[this.#printed];
      const row = planned === undefined ? undefined : this.#rows.get(planned.job.key);
      if (planned === undefined || row === undefined) return;
      const line = rowLine(
        { ...row, params: planned.job.params },
        { reused: this.#reused.has(row.key), command: commandOf(planned.flags) },
      );
      if (flags.json) say(host.stdout, JSON.stringify(line));
    }
  }

  #show(progress: Progress, { runner: { median }, began }: { runner: Runner; began: Millis }): void {
    const { flags } = this.#parts;
    const [done, all] = [this.#rows.size, this.#planned.size];
    const results = [...this.#rows.values()].flatMap((row) =>
      row.outcome.kind === 'done' ? [{ row, value: valueOf(row.outcome.result, flags.objective) }] : [],
    );
    const best = results.reduce((one, other) => (one === undefined || other.value > one.value ? other : one), results[0]);
    const fresh = done - this.#reused.size;
    const left = fresh > 0 ? ((systemClock.now() - began) / fresh) * (all - done) : undefined;
    const notes = [
      `${done} of ${all}`,
      ...(median === undefined ? [] : [`${spanWords(median)} each`]),
      ...(left === undefined ? [] : [`${spanWords(left)} left`]),
      ...(best === undefined ? [] : [`best ${flags.objective} ${best.value.toPrecision(4)} at ${paramsWords(best.row.params)}`]),
    ];
    progress.at(done / all, notes.join(', '));
  }

  #conclude(): void {
    const { plan, flags, store, host } = this.#parts;
    const trials = plan.points.flatMap(({ point, job }) => {
      const row = this.#rows.get(job.key);
      return row === undefined ? [] : [{ point, row }];
    });
    const [first] = trials;
    const summary = summaryOf({
      ...plan,
      ...flags,
      trials,
      walk: flags.walk,
      history: first === undefined ? [] : store.history(first.row),
    });
    const shown = { summary, objective: flags.objective, reused: this.#reused.size, skipped: plan.skipped.length, ...this.#names() };
    if (flags.json) return say(host.stdout, JSON.stringify(summaryLine(summary, shown)));
    const rows = trials.map(({ row }) => row);
    say(host.stdout, sweepWords({ ...shown, rows, store: flags.store, command: this.#commandOf(summary) }));
  }

  #names(): { paramsOf: (at: readonly number[]) => Row['params']; paramsOfTrial: (trial: number) => Row['params'] } {
    const { points } = this.#parts.plan;
    const done = points.filter(({ job }) => this.#rows.get(job.key)?.outcome.kind === 'done');
    return {
      paramsOf: (at) => points.find(({ point }) => point.at.join() === at.join())?.job.params ?? {},
      paramsOfTrial: (trial) => done[trial]?.job.params ?? {},
    };
  }

  #commandOf({ answer }: SweepSummary): string | undefined {
    const planned = this.#parts.plan.points.find(({ point }) => point.at.join() === answer?.plateau.at.join());
    return planned === undefined ? undefined : commandOf(planned.flags, COMMAND);
  }
}

interface RunnerOptions {
  readonly flags: SweepFlags;
  readonly host: Host;
  readonly done: (task: Task, ended: Ended) => void;
}

async function runnerOf(tasks: readonly Task[], { flags, host, done }: RunnerOptions): Promise<Runner> {
  if (flags.jobs !== undefined) {
    const { QueueRunner } = await import('./queue/queue-runner.ts');
    const queued = (): void => {
      if (flags.json) say(host.stdout, JSON.stringify({ kind: 'queued', jobs: tasks.length }));
    };
    return new QueueRunner(tasks, { url: flags.jobs, clock: systemClock, done, queued, say: (message) => say(host.stderr, message) });
  }
  return new LocalRunner(tasks, { workers: Math.min(flags.workers ?? availableParallelism(), tasks.length), clock: systemClock, done });
}

const onMachine = (machine: string | undefined): string => (machine === undefined ? '' : ` on ${machine}`);

function conflictError({ params }: Row, { first, second }: Conflict, [one, other]: readonly (string | undefined)[] = []): Error {
  return new Error(
    `the same backtest came to two results, so no row can be trusted: ${paramsWords(params)} gave ${first}${onMachine(one)} and ${second}${onMachine(other)}; ` +
      'a strategy must take time from its view and chance from its rng, and keep nothing outside of create',
  );
}

function tasksOf({ job: { key }, spec, flags: { tape: files } }: PlannedPoint, index: number): readonly Task[] {
  const task = { order: { key, spec, files }, repeat: false };
  return index % CHECKED_SHARE === 0 ? [task, { ...task, repeat: true }] : [task];
}
