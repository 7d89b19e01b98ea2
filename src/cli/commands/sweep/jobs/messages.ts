// What is sent to the process of a job, and what comes back.
import type { JobSpec } from '../../../../research/sweep/key.ts';
import type { Outcome, Result } from '../../../../research/sweep/row.ts';

export interface Order {
  readonly key: string;
  readonly spec: JobSpec;
  /** The tapes of the job as files of this machine. */
  readonly files: readonly string[];
}

/** `refused`: this machine cannot run the job, because its code or its tapes differ; `broken`: a bug, or a fault of the machine. */
export type Answer =
  | { readonly kind: 'done'; readonly result: Result; readonly returns: readonly number[] }
  | Extract<Outcome, { kind: 'failed' }>
  | { readonly kind: 'refused'; readonly message: string }
  | { readonly kind: 'broken'; readonly message: string };

/** A job that ended without an answer. It is not stored: the next sweep runs it again. */
export interface Lost {
  readonly kind: 'lost';
  readonly reason: string;
}

/** One order that waits; `repeat`: it checks the result of an order before it, on another worker where there are several. */
export interface Task {
  readonly order: Order;
  readonly repeat: boolean;
}

/** What came of a task, and on which machine. */
export interface Ended {
  readonly outcome: Outcome | Lost;
  /** Absent: this one. */
  readonly machine?: string | undefined;
}

/** Where the jobs of a sweep run: in processes of this machine, or on others through a queue. */
export interface Runner {
  /** Resolves when all tasks are done, or, after `stop`, those that were running. Rejects if a job cannot be run at all. */
  run(): Promise<void>;
  /** Starts no other task. */
  stop(): void;
  /** Ends what this process has started, at once. */
  kill(): void;
  /** Median time of a job in milliseconds; undefined before the first. */
  readonly median: number | undefined;
}
