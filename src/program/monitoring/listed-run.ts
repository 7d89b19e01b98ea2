// One run in a list of runs: what it is, how it ended, and a view of what it is doing now.
import type { Mode } from '../../bot/domain/mode.ts';
import type { RunOutcome } from '../../bot/domain/outcome.ts';
import type { RunHistory } from '../../bot/run/core/history-file.ts';
import type { Now } from '../../bot/run/core/now.ts';
import type { RunIdentity } from './identity.ts';

/** A line of `status --json`. */
export interface RunLine extends RunIdentity, Partial<ListedFigures> {
  readonly kind: 'run';
  readonly run: string;
  readonly strategy: string;
  /** Of a paper run the exchange whose data it follows. */
  readonly exchange: string;
  readonly paper?: true | undefined;
  readonly markets: readonly string[];
  /** RFC 3339. */
  readonly started: string;
  /** `hangs`: its process is alive and has written nothing for 5 s. */
  readonly process: 'alive' | 'hangs' | 'ended';
  readonly outcome: RunOutcome;
  /** Why it ended; absent if it is done or lives. */
  readonly reason?: string | undefined;
  /** The mode of the run; after its end, the mode of the kill switch. */
  readonly mode: Mode;
  /** What the public data is worth, as sentences; absent if nothing is to be said. */
  readonly quality?: string | undefined;
}

/** The part that a run has once it has traded. */
export interface ListedFigures extends Pick<Now['status'], 'equity' | 'pnl' | 'positions' | 'openOrders' | 'dataAgeMs'> {
  /** The time of the figures, RFC 3339. */
  readonly at: string;
  /** Number of orders without a definite answer. */
  readonly unknown: number;
  readonly alarms: number;
}

export interface ListedRun {
  readonly line: RunLine;
  /** Identifies the run in requests. */
  readonly id: string;
  /** Profit since 00:00 UTC of the day of its figures. */
  readonly today?: string | undefined;
  /** Undefined for a run that never traded. */
  readonly history: RunHistory | undefined;
}
