// Runs the jobs of a sweep on other machines: adds them to the queue, and collects the results.
import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Millis } from '../../../../base/clock.ts';
import type { QueuedJob } from '../../../../research/sweep/job-shape.ts';
import { JobTimes } from '../jobs/job-process.ts';
import { outcomeOf } from '../jobs/local-runner.ts';
import type { EndedTask, Runner, Task } from '../jobs/messages.ts';
import { connect, type JobQueue, QUEUE } from './redis.ts';

/** Interval between collections of results. */
const COLLECT_MS = 500;
/** Interval at which all unfinished jobs are added again, because Redis may lose the last second before a crash. Adding is idempotent. */
const ADD_AGAIN_MS: Millis = 10_000;
/** Interval between checks for connected workers while no results arrive. */
const WORKER_CHECK_MS: Millis = 5_000;
/** Maximum number of jobs in the queue. */
const MAX_QUEUED = 2_000;
/** Number of results that are read at once. */
const PAGE = 200;
/** Retries of a job that failed because of its machine, for example by a failed download. */
const ATTEMPTS = { attempts: 3, backoff: { type: 'exponential', delay: 1_000 } } as const;

export interface QueueOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly done: (task: Task, ended: EndedTask) => void;
  /** Called once, when the first jobs have been added. */
  readonly queued: () => void;
  /** Prints a message for the user. */
  readonly say: (message: string) => void;
}

export class QueueRunner implements Runner {
  readonly #options: QueueOptions;
  /** Tasks that are not yet in the queue. */
  readonly #waiting: Task[];
  /** Repeats by the key of their job; a repeat is added when the job is done. */
  readonly #repeats: ReadonlyMap<string, Task>;
  /** Tasks in the queue, by id. */
  readonly #queued = new Map<string, { readonly task: Task; readonly payload: QueuedJob }>();
  readonly #times = new JobTimes();
  #addedAt: Millis = 0;
  #hasAdded = false;
  #stopping: 'no' | 'requested' | 'withdrawn' = 'no';
  #isKilled = false;

  constructor(tasks: readonly Task[], options: QueueOptions) {
    this.#options = options;
    this.#waiting = tasks.filter(({ repeat }) => !repeat);
    this.#repeats = new Map(tasks.filter(({ repeat }) => repeat).map((task) => [task.request.key, task]));
  }

  get median(): Millis | undefined {
    return this.#times.median;
  }

  stop(): void {
    if (this.#stopping === 'no') this.#stopping = 'requested';
  }

  kill(): void {
    this.#isKilled = true;
  }

  async run(): Promise<void> {
    const { url, clock, say } = this.#options;
    const silence = new SilenceReporter(say);
    const { redis, bull } = await connect(url, (message) => silence.lost(message));
    const queue: JobQueue = new bull.Queue(QUEUE, { connection: redis });
    queue.on('error', () => undefined); // reported by the connection
    try {
      while (!this.#isKilled && (this.#waiting.length > 0 || this.#queued.size > 0)) {
        if (this.#stopping === 'requested') await this.#withdraw(queue);
        else if (this.#stopping === 'no') await this.#add(queue);
        const found = await this.#collect(queue);
        if (found > 0) continue;
        await silence.check(queue, clock.now());
        await pause(COLLECT_MS);
      }
    } finally {
      if (!this.#isKilled) await this.#withdraw(queue);
      await queue.close();
      redis.disconnect();
    }
  }

  /** Fills the queue; at intervals, adds all its jobs again. */
  async #add(queue: JobQueue): Promise<void> {
    const fresh = this.#waiting.splice(0, MAX_QUEUED - this.#queued.size);
    for (const task of fresh) this.#queue(task, { key: task.request.key, spec: task.request.spec });
    const now = this.#options.clock.now();
    const isTime = now - this.#addedAt >= ADD_AGAIN_MS;
    if (isTime) this.#addedAt = now;
    const added = isTime ? [...this.#queued.keys()] : fresh.map(({ request }) => request.key);
    await this.#send(queue, added);
    if (!this.#hasAdded) this.#options.queued();
    this.#hasAdded = true;
  }

  #queue(task: Task, payload: QueuedJob): string {
    const id = task.repeat ? `${payload.key}-again` : payload.key;
    this.#queued.set(id, { task, payload });
    return id;
  }

  async #send(queue: JobQueue, ids: readonly string[]): Promise<void> {
    const jobs = ids.flatMap((jobId) => {
      const data = this.#queued.get(jobId)?.payload;
      return data === undefined ? [] : [{ name: 'point', data, opts: { jobId, ...ATTEMPTS } }];
    });
    if (jobs.length > 0) await queue.addBulk(jobs);
  }

  /** Collects the available results, and returns their number. */
  async #collect(queue: JobQueue): Promise<number> {
    let taken = 0;
    for (let from = 0; ; from += PAGE) {
      const jobs = await queue.getJobs(['completed', 'failed'], from, from + PAGE - 1, true);
      for (const job of jobs) {
        const queued = this.#queued.get(job.id ?? '');
        if (queued === undefined) continue;
        const { task } = queued;
        const machine = job.returnvalue?.machine;
        const outcome =
          job.returnvalue === null ? { kind: 'lost' as const, reason: reasonOf(job.failedReason) } : outcomeOf(job.returnvalue.answer);
        if (job.processedOn !== undefined && job.finishedOn !== undefined) this.#times.add(job.finishedOn - job.processedOn);
        this.#options.done(task, { outcome, machine });
        this.#queued.delete(job.id ?? '');
        await job.remove();
        const repeat = task.repeat ? undefined : this.#repeats.get(task.request.key);
        if (repeat !== undefined && outcome.kind === 'done' && this.#stopping === 'no')
          await this.#send(queue, [this.#queue(repeat, { key: task.request.key, spec: task.request.spec, avoid: machine })]);
        taken++;
      }
      if (jobs.length < PAGE) return taken;
    }
  }

  /** Removes the jobs that no worker has started. */
  async #withdraw(queue: JobQueue): Promise<void> {
    this.#stopping = 'withdrawn';
    this.#waiting.length = 0;
    for (const id of this.#queued.keys()) if ((await queue.remove(id)) > 0) this.#queued.delete(id);
  }
}

const reasonOf = (reason = ''): string => (reason.includes('stalled') ? 'its worker ended before it, several times' : reason);

/** Reports the reason when no results arrive: no worker, or no connection. */
class SilenceReporter {
  readonly #say: (message: string) => void;
  #lastLoss = '';
  #checkedAt = 0;
  #hasSaid = false;

  constructor(say: (message: string) => void) {
    this.#say = say;
  }

  lost(message: string): void {
    if (message !== this.#lastLoss) this.#say(`the connection to the queue was lost, and is tried again: ${message}`);
    this.#lastLoss = message;
  }

  async check(queue: JobQueue, now: Millis): Promise<void> {
    if (this.#hasSaid || now - this.#checkedAt < WORKER_CHECK_MS) return;
    this.#checkedAt = now;
    if ((await queue.getWorkersCount().catch(() => 1)) > 0) return;
    this.#hasSaid = true;
    this.#say('no worker is connected to the queue; start one with: sweep worker --queue URL --tapes FOLDER|URL');
  }
}
