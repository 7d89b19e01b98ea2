// Messages to and from the process of a job, and the interface of a runner.
import type { JobSpec } from '../../../../research/sweep/job-key.ts';
import type { JobOutcome, Result } from '../../../../research/sweep/row.ts';

export interface JobRequest {
  readonly key: string;
  readonly spec: JobSpec;
  /** The tapes of the job, as files on this machine. */
  readonly files: readonly string[];
}

/**
 * `done`: the backtest ran to its end. `failed`: it ended early, and would again. `refused`: this machine cannot run the job, because its code or its tapes
 * differ. `broken`: a bug, or an error of the machine.
 */
export type JobAnswer =
  | { readonly kind: 'done'; readonly result: Result; readonly returns: readonly number[] }
  | Extract<JobOutcome, { kind: 'failed' }>
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string };

/** A job that ended without an answer. Not stored, so the next sweep runs it again. */
export interface Lost {
  readonly kind: 'lost';
  readonly reason: string;
}

/** A job to run. `repeat`: runs a job a second time to check its result, preferably on another worker. */
export interface Task {
  readonly request: JobRequest;
  readonly repeat: boolean;
}

/** The outcome of a task, and its machine. */
export interface EndedTask {
  readonly outcome: JobOutcome | Lost;
  /** Default: this machine. */
  readonly machine?: string | undefined;
}

/** Runs the jobs of a sweep, in processes of this machine or on other machines through a queue. */
export interface Runner {
  /** Resolves when all tasks are done; after `stop`, when the running tasks are done. Rejects if jobs cannot be run at all. */
  run(): Promise<void>;
  /** Starts no further tasks. */
  stop(): void;
  /** Kills all running jobs of this process. */
  kill(): void;
  /** Median duration of a job in milliseconds; undefined before the first has finished. */
  readonly median: number | undefined;
}
