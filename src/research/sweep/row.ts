// One row of a sweep: what a job was, and what came of it.
import type { Millis } from '../../base/clock.ts';

/** The result of one backtest. Money is decimal text, in quote tokens. */
export interface Result {
  /** SHA-256 of all actions. */
  readonly fingerprint: string;
  readonly pnl: string;
  readonly fees: string;
  readonly fills: number;
  readonly maxDrawdown: string;
  /** Mean of the returns a step over their standard deviation; not annualised. */
  readonly sharpe: number;
  /** Exchange time that was played. */
  readonly seconds: number;
}

/** What a worker answers. A backtest that the strategy itself ended has failed: the same job fails again. */
export type Outcome =
  | { readonly kind: 'done'; readonly result: Result; readonly returns: Float64Array }
  | { readonly kind: 'failed'; readonly reason: string };

export interface Job {
  readonly key: string;
  /** Equal for the jobs of one point, which differ in their span alone: a hash of what they share. */
  readonly point: string;
  readonly strategy: string;
  /** The parameters that the sweep varies. */
  readonly params: Readonly<Record<string, string | number | boolean>>;
  /** Their SHA-256. */
  readonly tapes: readonly string[];
  /** `from/to` as RFC 3339. */
  readonly span: string;
  /** Length of the steps of the returns. */
  readonly stepMs: Millis;
}

export interface Row extends Job {
  readonly outcome: Outcome;
}
