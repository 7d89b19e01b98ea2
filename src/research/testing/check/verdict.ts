// What one check of a strategy found.
import type { Millis } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { StrategyError } from '../../../bot/strategy/decide.ts';
import type { CheckVerdict } from './result.ts';
import type { Subject } from './subject.ts';

/** The verdict of a check, with its reason. */
export interface CheckFinding {
  readonly verdict: CheckVerdict;
  /** The reason in one line. */
  readonly reason: string;
  /** Number of orders placed in the check; absent if it does not count them. */
  readonly placed?: number;
}

export type StrategyCheck = (subject: Subject) => Promise<CheckFinding>;

/** What a check plays if it finds nothing. */
export interface PlayCounts {
  /** Backtests on the subject's tapes. */
  readonly tapeBacktests?: number;
  /** Short backtests on markets that the check makes. */
  readonly shortBacktests?: number;
  /** Runs of the whole bot. */
  readonly simulatedRuns?: number;
}

export const pass = (reason: string): CheckFinding => ({ verdict: 'pass', reason });
export const fail = (reason: string): CheckFinding => ({ verdict: 'fail', reason });
export const warn = (reason: string): CheckFinding => ({ verdict: 'warn', reason });
export const skip = (reason: string): CheckFinding => ({ verdict: 'skip', reason });

/** Returns the message of an error of the strategy; undefined for other errors. */
export const thrownText = (thrown: unknown): string | undefined => (thrown instanceof StrategyError ? messageOf(thrown) : undefined);

/** `12:00:03.250`, in UTC. */
export const clockText = (at: Millis): string => new Date(at).toISOString().slice(11, 23);
