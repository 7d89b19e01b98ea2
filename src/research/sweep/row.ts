// One row of a sweep: a job and its outcome.
import type { Millis } from '../../base/clock.ts';

/** The result of one backtest. Money is decimal text, in quote tokens. */
export interface Result {
  /** SHA-256 of all actions. */
  readonly fingerprint: string;
  readonly pnl: string;
  readonly fees: string;
  readonly fills: number;
  readonly maxDrawdown: string;
  /** Mean of the returns per step divided by their standard deviation; not annualised. */
  readonly sharpe: number;
  /** Exchange time that was played. */
  readonly seconds: number;
}

/** The answer of a worker. A backtest ended by the strategy counts as failed, because it would fail again. */
export type JobOutcome =
  | { readonly kind: 'done'; readonly result: Result; readonly returns: Float64Array }
  | { readonly kind: 'failed'; readonly reason: string };

export interface Job {
  readonly key: string;
  /** A hash that is equal for the jobs of one point, which differ in their span alone. */
  readonly point: string;
  readonly strategy: string;
  /** The parameters that the sweep varies. */
  readonly params: Readonly<Record<string, string | number | boolean>>;
  /** SHA-256 of each tape. */
  readonly tapes: readonly string[];
  /** `from/to` as RFC 3339. */
  readonly span: string;
  /** Length of the steps of the returns. */
  readonly stepMs: Millis;
}

export interface SweepRow extends Job {
  readonly outcome: JobOutcome;
}
