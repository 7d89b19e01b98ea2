// Runs the jobs of a sweep in processes of this machine. If a process dies, its job is played again in a new one. A job is lost, and no other, if its process
// dies three times or if it takes too long.
import type { Clock } from '../../../../base/clock.ts';
import type { JobOutcome } from '../../../../research/sweep/row.ts';
import { JobProcess, JobTimes } from './job-process.ts';
import type { EndedTask, JobAnswer, Lost, Runner, Task } from './messages.ts';

export interface LocalOptions {
  /** Number of processes. */
  readonly workers: number;
  readonly clock: Clock;
  /** Called for each finished task. If it throws, the run ends with that error. */
  readonly done: (task: Task, ended: EndedTask) => void;
}

export class LocalRunner implements Runner {
  readonly #waiting: Task[];
  readonly #done: LocalOptions['done'];
  readonly #times = new JobTimes();
  readonly #processes: readonly JobProcess[];
  #stopped = false;

  constructor(tasks: readonly Task[], { workers, clock, done }: LocalOptions) {
    this.#waiting = [...tasks];
    this.#done = done;
    this.#processes = Array.from({ length: workers }, () => new JobProcess({ clock, times: this.#times }));
  }

  async run(): Promise<void> {
    try {
      await Promise.all(this.#processes.map((process) => this.#runTasks(process)));
    } finally {
      this.kill();
    }
  }

  stop(): void {
    this.#stopped = true;
  }

  kill(): void {
    this.#stopped = true;
    for (const process of this.#processes) process.kill();
  }

  get median(): number | undefined {
    return this.#times.median;
  }

  async #runTasks(process: JobProcess): Promise<void> {
    for (let task = this.#next(process); task !== undefined; task = this.#next(process)) {
      const answer = await process.run(task.request);
      if (answer === undefined) return; // `kill` ended it
      if (answer.kind === 'refused') throw new Error(`${answer.message}; it was changed while the sweep ran: start the sweep again`);
      if (answer.kind === 'broken') throw new Error(answer.message);
      this.#done(task, { outcome: outcomeOf(answer) });
    }
    process.end();
  }

  /** Returns the next task for a process: preferably no repeat of a job that it ran itself. If only such repeats wait, the first of them. */
  #next(process: JobProcess): Task | undefined {
    if (this.#stopped) return undefined;
    const index = this.#waiting.findIndex(({ request, repeat }) => !(repeat && process.ran.has(request.key)));
    return this.#waiting.splice(Math.max(0, index), 1)[0];
  }
}

/** Converts an answer to an outcome: messages carry the returns as a plain list. */
export const outcomeOf = (answer: Exclude<JobAnswer, { kind: 'refused' | 'broken' }> | Lost): JobOutcome | Lost =>
  answer.kind === 'done' ? { ...answer, returns: Float64Array.from(answer.returns) } : answer;
