// `bot sweep worker --queue`: takes jobs of sweeps from a queue, runs each in a separate process, and returns the result.

import { realpathSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import type { Job } from 'bullmq';
import { type Millis, systemClock } from '../../../../base/clock.ts';
import { assert, messageOf, UserError } from '../../../../base/errors.ts';
import { printable } from '../../../../base/text/visible.ts';
import { isStrategyPath } from '../../../../bot/strategy/loading/loader.ts';
import { type QueuedJob, queuedJobIn } from '../../../../research/sweep/job-shape.ts';
import { TapeCache } from '../../../../research/tapes/cache.ts';
import { tapeSourceOf } from '../../../../research/tapes/sources.ts';
import type { ExitCode } from '../../../exit-codes.ts';
import { type Host, say } from '../../../host.ts';
import type { WorkerFlags } from '../command.ts';
import { JobProcess, JobTimes } from '../jobs/job-process.ts';
import { type Connected, connect, type JobWorker, placeOf, QUEUE, type Returned } from './redis.ts';

/** `queue`: the address of the queue. `tapes`: the place of the tapes. */
export type QueueWorkerFlags = Pick<WorkerFlags, 'strategies' | 'cache' | 'cacheSize' | 'lease' | 'json'> &
  Readonly<{ queue: string; tapes: string; workers: number }>;

/** A job that has ended more workers than this is given up. */
const MAX_STALLS = 2;
/**
 * A repeat (the second run of a job, which checks its result) should not run on the worker of the first run (`avoid`). How often that worker puts it back
 * before it runs it itself.
 */
const MAX_PUT_BACK = 50;
/** The delay of a job that is put back. */
const PUT_BACK_MS = 200;
/** Maximum number of printed reasons. */
const MAX_REPORTED = 100;
/** How often a refused job is put back before it fails. Each delay is twice the one before, up to LONGEST_PAUSE: nearly seven minutes together. */
const MAX_REFUSALS = 13;
const LONGEST_PAUSE: Millis = 60_000;
/** Uncollected results are kept for a week. */
const KEPT = { age: 7 * 24 * 3_600 } as const;

export async function queueWorker(flags: QueueWorkerFlags, host: Host): Promise<ExitCode> {
  const source = await tapeSourceOf(flags.tapes, host.env);
  const cache = new TapeCache({
    source,
    place: flags.tapes,
    folder: flags.cache,
    mostBytes: flags.cacheSize,
    clock: systemClock,
    pid: host.pid,
  });
  const losses = new Set<string>();
  const connected = await connect(flags.queue, (message) => {
    if (!losses.has(message)) say(host.stderr, `the connection to the queue was lost, and is tried again: ${message}`);
    losses.add(message);
  });
  try {
    return await new QueueWorker({ flags, host, cache, connected }).run();
  } finally {
    connected.redis.disconnect();
  }
}

interface Parts {
  readonly flags: QueueWorkerFlags;
  readonly host: Host;
  readonly cache: TapeCache;
  readonly connected: Connected;
}

export class QueueWorker {
  readonly #parts: Parts;
  readonly #name: string;
  readonly #processes: readonly JobProcess[];
  readonly #idle: JobProcess[];
  readonly #worker: JobWorker;
  /** Reasons that were printed. */
  readonly #refusals = new Set<string>();
  #close: () => void = () => undefined;

  constructor(parts: Parts) {
    const { flags, host, connected } = parts;
    this.#parts = parts;
    this.#name = `${hostname()}:${host.pid}`;
    const times = new JobTimes();
    this.#processes = Array.from({ length: flags.workers }, () => new JobProcess({ clock: systemClock, times }));
    this.#idle = [...this.#processes];
    this.#worker = new connected.bull.Worker<QueuedJob, Returned>(QUEUE, (job, token) => this.#run(job, token ?? ''), {
      connection: connected.redis,
      autorun: false,
      concurrency: flags.workers,
      lockDuration: flags.lease,
      stalledInterval: flags.lease / 2,
      maxStalledCount: MAX_STALLS,
      removeOnComplete: KEPT,
      removeOnFail: KEPT,
    });
    this.#worker.on('error', () => undefined); // reported by the connection; if a lock is lost, the job is run again
  }

  async run(): Promise<ExitCode> {
    const { host } = this.#parts;
    const closed = new Promise<void>((resolve) => {
      this.#close = resolve;
    });
    host.onExit(() => this.#kill());
    host.onSignal(({ again }) => {
      if (again) return host.exitNow(1);
      say(host.stderr, 'stopping: the jobs that are running are finished; Ctrl-C again ends them at once');
      this.#close();
    });
    void this.#worker.run().catch(() => undefined);
    this.#announce();
    await closed;
    await this.#worker.close();
    this.#kill();
    return 0;
  }

  #announce(): void {
    const { flags, host } = this.#parts;
    const place = placeOf(flags.queue);
    if (flags.json) return say(host.stdout, JSON.stringify({ kind: 'ready', queue: place, worker: this.#name, workers: flags.workers }));
    say(host.stdout, `worker ${this.#name} takes jobs from ${place}, ${flags.workers} at a time; Ctrl-C ends it`);
    const { password, hostname: server } = new URL(flags.queue);
    if (password === '' && !/^(localhost|127\.|\[::1\])/.test(server))
      say(host.stderr, 'the queue has no password: anyone who can reach it decides what this machine computes');
  }

  async #run(job: Job<QueuedJob, Returned>, token: string): Promise<Returned> {
    const { cache, connected } = this.#parts;
    const { key, spec, avoid, left: putBack = 0 } = this.#checked(job.data);
    if (avoid === this.#name && putBack < MAX_PUT_BACK && (await this.#hasOthers())) {
      return this.#putBack(job, { ...job.data, left: putBack + 1 }, PUT_BACK_MS, token);
    }
    const process = this.#idle.pop();
    assert(process !== undefined, 'no process is idle'); // `concurrency` is the number of processes
    try {
      const answer = await cache.use(spec.tapes, (files) => process.run({ key, spec, files }));
      if (answer === undefined) throw new Error('the worker was ended');
      if (answer.kind === 'broken') throw new connected.bull.UnrecoverableError(answer.message);
      if (answer.kind === 'refused') return await this.#refuse(answer.message, job, token);
      return { answer, machine: this.#name };
    } catch (error) {
      if (error instanceof UserError)
        return await this.#refuse([messageOf(error), error.hint].filter((text) => text !== undefined).join('; '), job, token);
      throw error;
    } finally {
      this.#idle.push(process);
    }
  }

  /** Returns the job, with the file of its strategy. A job that no worker should run fails at once; the worker continues. */
  #checked(data: unknown): QueuedJob {
    try {
      const job = queuedJobIn(data);
      return { ...job, spec: { ...job.spec, strategy: strategyBelow(this.#parts.flags.strategies, job.spec.strategy) } };
    } catch (error) {
      this.#report(messageOf(error));
      throw new this.#parts.connected.bull.UnrecoverableError(messageOf(error));
    }
  }

  /** Puts a job back for another worker, because its program, strategy or tapes differ from this worker's. After MAX_REFUSALS times it fails. */
  async #refuse(message: string, job: Job<QueuedJob, Returned>, token: string): Promise<never> {
    this.#report(message);
    const refused = (job.data.refused ?? 0) + 1;
    if (refused > MAX_REFUSALS) throw new this.#parts.connected.bull.UnrecoverableError(message);
    return this.#putBack(job, { ...job.data, refused }, Math.min(LONGEST_PAUSE, PUT_BACK_MS * 2 ** refused), token);
  }

  async #putBack(job: Job<QueuedJob, Returned>, data: QueuedJob, pause: Millis, token: string): Promise<never> {
    await job.updateData(data);
    await job.moveToDelayed(systemClock.now() + pause, token);
    throw new this.#parts.connected.bull.DelayedError();
  }

  /** Prints each reason once. A job of someone else could have many. */
  #report(reason: string): void {
    if (this.#refusals.has(reason) || this.#refusals.size === MAX_REPORTED) return;
    this.#refusals.add(reason);
    say(
      this.#parts.host.stderr,
      `a job is not run: ${printable(reason)}\n  this machine needs the program and the strategy file (at the same path) of the machine that started the sweep, and ${this.#parts.flags.tapes} must have its tapes`,
    );
  }

  async #hasOthers(): Promise<boolean> {
    const { connected } = this.#parts;
    const queue = new connected.bull.Queue(QUEUE, { connection: connected.redis });
    try {
      return (await queue.getWorkersCount().catch(() => 1)) > 1;
    } finally {
      await queue.close();
    }
  }

  #kill(): void {
    for (const process of this.#processes) process.kill();
  }
}

/**
 * Returns the strategy that a job names: the name of a built-in one, or the real path of a file below `folder`. Throws a UserError `job` for a file that is
 * missing, that is not below the folder once symbolic links are followed, or that is in a package or a hidden folder there.
 */
export function strategyBelow(folder: string, named: string): string {
  if (!isStrategyPath(named)) return named;
  if (named.split(/[/\\]/).includes('..')) throw refused(named, 'its path contains ".."');
  const root = realPathOf(folder);
  const file = realPathOf(resolve(folder, named));
  if (root === undefined || file === undefined) throw refused(named, `there is no such file below ${folder}`);
  const below = relative(root, file);
  const parts = below.split(sep);
  if (below === '' || isAbsolute(below) || parts[0] === '..')
    throw refused(named, `it is not below ${folder}, the folder of this worker's strategies`);
  if (parts.some((part) => part === 'node_modules' || part.startsWith('.'))) throw refused(named, 'it is in a package or a hidden folder');
  return file;
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const refused = (named: string, reason: string): UserError =>
  new UserError({
    code: 'job',
    message: `the strategy ${named} is refused: ${reason}`,
    hint: 'put it below the folder that --strategies names',
  });
