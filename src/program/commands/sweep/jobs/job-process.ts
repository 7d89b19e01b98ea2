// A process that runs jobs one at a time. It is restarted if it dies, and killed if a job takes too long.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock, Millis } from '../../../../base/clock.ts';
import { moduleUrl } from '../../../../base/package.ts';
import { WORKER_OPTIONS } from '../../../process/heap.ts';
import type { JobAnswer, JobRequest, Lost } from './messages.ts';

const MAIN = fileURLToPath(moduleUrl('program/commands/sweep/jobs/job-main'));
/** Options of the parent process that save memory but slow down backtests. */
const SLOW = /^--(max-semi-space-size|heap-growing-percent)=/;

/** A job is given up after this many deaths of its process. */
const MAX_DEATHS = 3;
/** A job is never killed earlier: on a busy machine, its process needs long to start and to compile. */
const MIN_LIMIT: Millis = 300_000;
/** Maximum duration of a job, as a multiple of the median of the finished jobs. */
const LIMIT_FACTOR = 10;

/** Durations of finished jobs. */
export class JobTimes {
  readonly #times: Millis[] = [];

  add(time: Millis): void {
    this.#times.push(time);
  }

  /** Undefined before the first job has finished. */
  get median(): Millis | undefined {
    return this.#times.toSorted((a, b) => a - b)[Math.floor(this.#times.length / 2)];
  }

  /** A job that takes longer is killed. */
  get limit(): Millis {
    return this.median === undefined ? Infinity : Math.max(MIN_LIMIT, LIMIT_FACTOR * this.median);
  }
}

export class JobProcess {
  /** Keys of the jobs that were run in this process. */
  readonly ran = new Set<string>();
  readonly #clock: Clock;
  readonly #times: JobTimes;
  #child: ChildProcess | undefined;
  #isKilled = false;

  constructor({ clock, times }: { clock: Clock; times: JobTimes }) {
    this.#clock = clock;
    this.#times = times;
  }

  /** Runs one job; call it again only after it has resolved. Resolves with undefined if `kill` ended the job. */
  async run(request: JobRequest): Promise<JobAnswer | Lost | undefined> {
    for (let deaths = 0; deaths < MAX_DEATHS; deaths++) {
      const answer = this.#isKilled ? undefined : await this.#ask(request);
      if (this.#isKilled) return undefined;
      if (answer === 'late') return { kind: 'lost', reason: `it took more than ${LIMIT_FACTOR} times as long as the others` };
      if (answer === undefined) continue;
      this.ran.add(request.key);
      return answer;
    }
    return { kind: 'lost', reason: `its process ended ${MAX_DEATHS} times` };
  }

  /** Asks the process to end. */
  end(): void {
    this.#child?.disconnect();
    this.#child = undefined;
  }

  kill(): void {
    this.#isKilled = true;
    this.#child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const execArgv = [...process.execArgv.filter((flag) => !SLOW.test(flag)), ...WORKER_OPTIONS];
    this.ran.clear();
    return fork(MAIN, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  }

  /** Sends the job and resolves with the answer; undefined if the process died. */
  #ask(request: JobRequest): Promise<JobAnswer | 'late' | undefined> {
    this.#child ??= this.#start();
    const child = this.#child;
    const began = this.#clock.now();
    return new Promise((resolve) => {
      const finish = (answer: JobAnswer | 'late' | undefined): void => {
        clearInterval(watch);
        child.removeAllListeners('message').removeAllListeners('error');
        child.off('exit', onDeath);
        if (answer === undefined || answer === 'late') {
          child.kill('SIGKILL');
          this.#child = undefined;
        } else if (answer.kind === 'done') this.#times.add(this.#clock.now() - began);
        resolve(answer);
      };
      const onDeath = (): void => finish(undefined);
      const watch = setInterval(() => {
        if (this.#clock.now() - began > this.#times.limit) finish('late');
      }, 1_000);
      child.once('message', (answer: JobAnswer) => finish(answer));
      child.once('error', onDeath);
      child.once('exit', onDeath);
      child.send(request);
    });
  }
}
