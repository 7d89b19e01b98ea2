// Runs the jobs of a sweep in worker processes, one a core. A process that dies or takes too long costs its own job only.
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Clock, Millis } from '../../../base/clock.ts';
import { moduleUrl } from '../../../base/package.ts';
import type { Outcome, Result } from '../../../research/sweep/row.ts';
import type { JobFlags } from './plan.ts';

const WORKER = fileURLToPath(moduleUrl('cli/commands/sweep/worker'));
/** Space for short-lived objects. */
const ROOM = '--max-semi-space-size=64';
/** Options of this process that save memory and would make a backtest slower. */
const SLOW = /^--(max-semi-space-size|heap-growing-percent)=/;

/** A process may die during a job so many times. */
const MOST_DEATHS = 3;
const LEAST_LIMIT: Millis = 60_000;
/** A job may take so many times the median of the finished ones. */
const LIMIT_FACTOR = 10;

/** The message to a worker, and its answer. */
export interface Order {
  readonly key: string;
  readonly flags: JobFlags;
}
export type Answer =
  | { readonly kind: 'done'; readonly result: Result; readonly returns: readonly number[] }
  | Extract<Outcome, { kind: 'failed' }>
  | { readonly kind: 'broken'; readonly message: string };

/** One order that waits; `repeat`: it checks the result of an order before it, on another worker where there are several. */
export interface Task {
  readonly order: Order;
  readonly repeat: boolean;
}

/** A job that ended without an answer. It is not stored: the next sweep runs it again. */
export interface Lost {
  readonly kind: 'lost';
  readonly reason: string;
}

export interface FleetOptions {
  readonly workers: number;
  readonly clock: Clock;
  /** Called for each task. What it throws ends the fleet. */
  readonly done: (task: Task, outcome: Outcome | Lost) => void;
}

interface Worker {
  readonly process: ChildProcess;
  readonly ran: Set<string>;
}

export class Fleet {
  readonly #waiting: Task[];
  readonly #options: FleetOptions;
  readonly #processes = new Set<ChildProcess>();
  readonly #deaths = new Map<string, number>();
  readonly #times: Millis[] = [];
  #stopped = false;

  constructor(tasks: readonly Task[], options: FleetOptions) {
    this.#waiting = [...tasks];
    this.#options = options;
  }

  /** Resolves when all tasks are done, or, after `stop`, those that were running. Rejects with the error of a worker. */
  async run(): Promise<void> {
    try {
      await Promise.all(Array.from({ length: this.#options.workers }, () => this.#workOff()));
    } finally {
      this.kill();
    }
  }

  /** Starts no other task. */
  stop(): void {
    this.#stopped = true;
  }

  /** Ends all processes at once. */
  kill(): void {
    this.#stopped = true;
    for (const process of this.#processes) process.kill('SIGKILL');
  }

  /** Median time of a job; undefined before the first. */
  get median(): Millis | undefined {
    return this.#times.toSorted((a, b) => a - b)[Math.floor(this.#times.length / 2)];
  }

  async #workOff(): Promise<void> {
    let worker: Worker | undefined;
    for (let task = this.#next(undefined); task !== undefined; task = this.#next(worker)) {
      worker ??= this.#start();
      const answer = await this.#ask(worker, task);
      if (answer.kind === 'broken') throw new Error(answer.message);
      if (answer.kind === 'dead' || answer.kind === 'late') worker = undefined;
      if (answer.kind === 'dead' && this.#stopped) return;
      if (answer.kind === 'dead' && this.#mayTryAgain(task)) {
        this.#waiting.unshift(task);
        continue;
      }
      worker?.ran.add(task.order.key);
      this.#options.done(task, outcomeOf(answer));
    }
    worker?.process.disconnect();
  }

  /** The next task. A repeat is left to another worker if there is one. */
  #next(worker: Worker | undefined): Task | undefined {
    if (this.#stopped) return undefined;
    const other = this.#waiting.findIndex(({ order, repeat }) => !(repeat && worker?.ran.has(order.key) === true));
    return this.#waiting.splice(Math.max(0, other), 1)[0];
  }

  #mayTryAgain({ order: { key } }: Task): boolean {
    const deaths = (this.#deaths.get(key) ?? 0) + 1;
    this.#deaths.set(key, deaths);
    return deaths < MOST_DEATHS;
  }

  #start(): Worker {
    const execArgv = [...process.execArgv.filter((flag) => !SLOW.test(flag)), ROOM];
    const child = fork(WORKER, { execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
    this.#processes.add(child);
    child.once('exit', () => this.#processes.delete(child));
    return { process: child, ran: new Set() };
  }

  #ask({ process: child }: Worker, { order }: Task): Promise<Answer | { readonly kind: 'dead' | 'late' }> {
    const { clock } = this.#options;
    const began = clock.now();
    return new Promise((resolve) => {
      const over = (answer: Answer | { readonly kind: 'dead' | 'late' }): void => {
        clearInterval(watch);
        child.removeAllListeners('message').removeAllListeners('error');
        child.off('exit', dead);
        if (answer.kind === 'done') this.#times.push(clock.now() - began);
        if (answer.kind === 'late') child.kill('SIGKILL');
        resolve(answer);
      };
      const dead = (): void => over({ kind: 'dead' });
      const watch = setInterval(() => {
        if (clock.now() - began > this.#limit) over({ kind: 'late' });
      }, 1_000);
      child.once('message', (answer: Answer) => over(answer));
      child.once('error', dead);
      child.once('exit', dead);
      child.send(order);
    });
  }

  get #limit(): Millis {
    return this.median === undefined ? Infinity : Math.max(LEAST_LIMIT, LIMIT_FACTOR * this.median);
  }
}

function outcomeOf(answer: Exclude<Answer, { kind: 'broken' }> | { readonly kind: 'dead' | 'late' }): Outcome | Lost {
  switch (answer.kind) {
    case 'done':
      return { ...answer, returns: Float64Array.from(answer.returns) };
    case 'failed':
      return answer;
    case 'dead':
      return { kind: 'lost', reason: `its process ended ${MOST_DEATHS} times` };
    case 'late':
      return { kind: 'lost', reason: `it took more than ${LIMIT_FACTOR} times as long as the others` };
  }
}
