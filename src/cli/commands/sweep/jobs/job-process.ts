// A process that runs jobs one after the other. It is started again if it dies, and ended if a job takes too long.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock, Millis } from '../../../../base/clock.ts';
import { moduleUrl } from '../../../../base/package.ts';
import type { Answer, Lost, Order } from './messages.ts';

const MAIN = fileURLToPath(moduleUrl('cli/commands/sweep/jobs/job-main'));
/** Space for short-lived objects. */
const ROOM = '--max-semi-space-size=64';
/** Options of this process that save memory and would make a backtest slower. */
const SLOW = /^--(max-semi-space-size|heap-growing-percent)=/;

/** How often a process may die during one job. */
const MOST_DEATHS = 3;
const LEAST_LIMIT: Millis = 60_000;
/** How long a job may take, as a multiple of the median of the finished ones. */
const LIMIT_FACTOR = 10;

/** How long the jobs of one machine took. */
export class JobTimes {
  readonly #times: Millis[] = [];

  add(time: Millis): void {
    this.#times.push(time);
  }

  /** Undefined before the first. */
  get median(): Millis | undefined {
    return this.#times.toSorted((a, b) => a - b)[Math.floor(this.#times.length / 2)];
  }

  /** A job that takes longer is ended. */
  get limit(): Millis {
    return this.median === undefined ? Infinity : Math.max(LEAST_LIMIT, LIMIT_FACTOR * this.median);
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

  /** Runs one job; the next one only after it. Returns undefined if `kill` ended it. */
  async run(order: Order): Promise<Answer | Lost | undefined> {
    for (let deaths = 0; deaths < MOST_DEATHS; deaths++) {
      const answer = this.#isKilled ? undefined : await this.#ask(order);
      if (this.#isKilled) return undefined;
      if (answer === 'late') return { kind: 'lost', reason: `it took more than ${LIMIT_FACTOR} times as long as the others` };
      if (answer === undefined) continue;
      this.ran.add(order.key);
      return answer;
    }
    return { kind: 'lost', reason: `its process ended ${MOST_DEATHS} times` };
  }

  /** Lets the process end. */
  end(): void {
    this.#child?.disconnect();
    this.#child = undefined;
  }

  kill(): void {
    this.#isKilled = true;
    this.#child?.kill('SIGKILL');
  }

  #start(): ChildProcess {
    const execArgv = [...process.execArgv.filter((flag) => !SLOW.test(flag)), ROOM];
    this.ran.clear();
    return fork(MAIN, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  }

  /** Undefined: the process died. */
  #ask(order: Order): Promise<Answer | 'late' | undefined> {
    const child = (this.#child ??= this.#start());
    const began = this.#clock.now();
    return new Promise((resolve) => {
      const over = (answer: Answer | 'late' | undefined): void => {
        clearInterval(watch);
        child.removeAllListeners('message').removeAllListeners('error');
        child.off('exit', dead);
        if (answer === undefined || answer === 'late') {
          child.kill('SIGKILL');
          this.#child = undefined;
        } else if (answer.kind === 'done') this.#times.add(this.#clock.now() - began);
        resolve(answer);
      };
      const dead = (): void => over(undefined);
      const watch = setInterval(() => {
        if (this.#clock.now() - began > this.#times.limit) over('late');
      }, 1_000);
      child.once('message', (answer: Answer) => over(answer));
      child.once('error', dead);
      child.once('exit', dead);
      child.send(order);
    });
  }
}
