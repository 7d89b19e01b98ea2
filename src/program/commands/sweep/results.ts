// The rows of a running sweep: stored and new ones, printed in the order of the jobs.
import { existsSync } from 'node:fs';
import { UserError } from '../../../base/errors.ts';
import { joinDays } from '../../../research/sweep/days.ts';
import type { SweepRow } from '../../../research/sweep/row.ts';
import { type Conflict, ResultStore } from '../../../research/sweep/store.ts';
import { chosenBy, type Trial } from '../../../research/sweep/summary.ts';
import { foldValues, ranksAmong } from '../../../research/sweep/walk.ts';
import { type Host, say } from '../../host.ts';
import type { SweepFlags } from './command.ts';
import type { EndedTask, Task } from './jobs/messages.ts';
import { rowLine } from './json-lines.ts';
import type { PlannedJob, PlannedPoint, SweepPlan } from './plan.ts';
import { commandOf } from './repeat-command.ts';
import { paramsWords } from './words.ts';

/** The first job, and then one of every this many, is run twice to check that results are reproducible. */
const CHECKED_SHARE = 100;

/** A part of the jobs: those whose number modulo `count` is `index`. */
export interface JobPart {
  readonly index: number;
  readonly count: number;
}

interface Best {
  readonly row: SweepRow;
  readonly at: readonly number[];
  /** The value of the objective. */
  readonly value: number;
}

export interface ResultsOptions {
  readonly plan: Pick<SweepPlan, 'walk'>;
  readonly flags: SweepFlags;
  readonly store: ResultStore;
  readonly host: Host;
  readonly part: JobPart | undefined;
}

export class Results {
  readonly #options: ResultsOptions;
  readonly #points: PlannedPoint[] = [];
  readonly #jobs = new Map<string, { readonly planned: PlannedJob; readonly point: PlannedPoint; readonly number: number }>();
  /** By key. */
  readonly #rows = new Map<string, SweepRow>();
  readonly #reused = new Set<string>();
  /** By key: the machine that ran the job, if it was another one. */
  readonly #machines = new Map<string, string>();
  #best: Best | undefined;
  /** The objective's values in the folds, by the coordinates of each point with a result. */
  readonly #folds = new Map<string, readonly number[]>();
  /** Number of jobs whose lines were printed. */
  #printed = 0;
  /** The number of the next job, also counting those of other parts. */
  #nextNumber = 0;

  constructor(options: ResultsOptions) {
    this.#options = options;
  }

  /** Adds points, reuses their stored rows, and returns tasks for the missing ones. */
  add(points: readonly PlannedPoint[]): readonly Task[] {
    const { store, part = { index: 0, count: 1 } } = this.#options;
    const tasks: Task[] = [];
    for (const point of points) {
      this.#points.push(point);
      for (const planned of point.jobs) {
        const number = this.#nextNumber++;
        if (number % part.count !== part.index) continue;
        const { key } = planned.job;
        this.#jobs.set(key, { planned, point, number });
        const row = store.get(key);
        if (row === undefined) tasks.push(...tasksOf(planned, number));
        else this.#keep(row, point);
        if (row !== undefined) this.#reused.add(key);
      }
    }
    this.#print();
    return tasks;
  }

  /** Stores an outcome. Throws if the same job has produced two different results. A lost repeat changes nothing: the first result stands. */
  take({ request: { key }, repeat }: Task, { outcome, machine }: EndedTask): void {
    const job = this.#jobs.get(key);
    if (job === undefined || (outcome.kind === 'lost' && repeat)) return;
    const row: SweepRow = { ...job.planned.job, outcome: outcome.kind === 'lost' ? { kind: 'failed', reason: outcome.reason } : outcome };
    const conflict = outcome.kind === 'lost' ? undefined : this.#options.store.put(row);
    if (conflict !== undefined) throw conflictError(row, conflict, [this.#machines.get(key), machine]);
    if (machine !== undefined) this.#machines.set(key, machine);
    if (this.#rows.get(key)?.outcome.kind !== 'done') this.#keep(row, job.point);
    this.#print();
  }

  /** Keeps a row. Once a point has the rows of all its days, its values in the folds are computed, and it may become the best. */
  #keep(row: SweepRow, { point, jobs }: PlannedPoint): void {
    this.#rows.set(row.key, row);
    const rows = jobs.flatMap(({ job }) => this.#rows.get(job.key) ?? []);
    if (rows.length < jobs.length) return;
    const whole = joinDays(rows);
    if (whole.outcome.kind !== 'done') return;
    const choice = { objective: this.#options.flags.objective, walk: this.#options.plan.walk };
    const [chosen] = chosenBy([{ point, row: whole }], choice);
    this.#folds.set(point.at.join(), foldValues(rows, whole, choice));
    if (chosen !== undefined && (this.#best === undefined || chosen.value > this.#best.value))
      this.#best = { row: whole, at: point.at, value: chosen.value };
  }

  /** The best point so far; undefined before the first result. */
  get best(): Best | undefined {
    return this.#best;
  }

  /** Returns the rank of a point in each fold, among the points with a result. */
  ranksOf(at: readonly number[]): readonly number[] {
    return ranksAmong(this.#folds.get(at.join()) ?? [], this.#folds.values());
  }

  /** Number of jobs with a result. */
  get done(): number {
    return this.#rows.size;
  }

  /** Number of jobs. */
  get all(): number {
    return this.#jobs.size;
  }

  /** Number of jobs whose result was in the store. */
  get reused(): number {
    return this.#reused.size;
  }

  get points(): readonly PlannedPoint[] {
    return this.#points;
  }

  /** Returns the complete points, each with its days merged into one row. */
  trials(): readonly Trial[] {
    return this.#points.flatMap(({ point, jobs }) => {
      const rows = jobs.flatMap(({ job }) => {
        const row = this.#rows.get(job.key);
        return row === undefined ? [] : [{ ...row, params: job.params }];
      });
      return rows.length === jobs.length ? [{ point, row: joinDays(rows) }] : [];
    });
  }

  /** Prints the lines of finished jobs in order, up to the first unfinished job. */
  #print(): void {
    const { flags, host } = this.#options;
    if (flags.json !== true) return;
    const jobs = [...this.#jobs.values()];
    for (; this.#printed < jobs.length; this.#printed++) {
      const planned = jobs[this.#printed]?.planned;
      const row = planned === undefined ? undefined : this.#rows.get(planned.job.key);
      if (planned === undefined || row === undefined) return;
      const facts = { reused: this.#reused.has(row.key), command: commandOf(planned.flags) };
      say(host.stdout, JSON.stringify(rowLine({ ...row, params: planned.job.params }, facts)));
    }
  }
}

function tasksOf({ job: { key }, spec, flags: { tape: files } }: PlannedJob, number: number): readonly Task[] {
  const task = { request: { key, spec, files }, repeat: false };
  return number % CHECKED_SHARE === 0 ? [task, { ...task, repeat: true }] : [task];
}

const onMachine = (machine: string | undefined): string => (machine === undefined ? '' : ` on ${machine}`);

/** `machines`: those of the two results, if known. */
function conflictError({ params }: SweepRow, { first, second }: Conflict, machines: readonly (string | undefined)[] = []): Error {
  const [one, other] = machines;
  return new Error(
    `two runs of one backtest gave different results, so no row can be trusted: ${paramsWords(params)} gave ${first}${onMachine(one)} and ${second}${onMachine(other)}; ` +
      'a strategy must take the time from its view and random numbers from its rng, and keep no state outside of create',
  );
}

/** Throws a UserError if the file is missing, and an error if the two stores have different results for one key. */
export function mergeInto(store: ResultStore, file: string): void {
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
