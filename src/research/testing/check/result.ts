// The names of the checks of a strategy, their verdicts, and the types of their options and results.
import type { Millis } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { StrategyError } from '../../../bot/strategy/decide.ts';
import type { Subject } from './subject.ts';

/** In the order in which they run. */
export const CHECK_NAMES = [
  'determinism',
  'restart',
  'warm-up',
  'look-ahead',
  'parameters',
  'inputs',
  'markets',
  'random-walk',
  'simulation',
  'cost',
] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** `warn`: needs attention, but is not a failure. `skip`: the check was not applicable. */
export type CheckVerdict = 'pass' | 'fail' | 'warn' | 'skip';

/** The verdict of one check. */
export interface CheckResult {
  /** The name of a check; `orders` is about all of them. */
  readonly name: CheckName | 'orders';
  readonly verdict: CheckVerdict;
  /** The reason in one line. */
  readonly reason: string;
  readonly seed: string;
}

/** A value of an input. */
export interface InputValue {
  /** The time since the start, such as `5s`. */
  readonly after: string;
  readonly value: unknown;
}

export interface CheckOptions {
  /** Overrides of the default parameters. */
  readonly params?: Readonly<Record<string, unknown>>;
  /** Overrides of the default limits, as in a configuration. */
  readonly limits?: Readonly<Record<string, unknown>>;
  /** Values of the strategy's inputs, by name, used in every check. */
  readonly inputs?: Readonly<Record<string, readonly InputValue[]>>;
  /** The checks to run. Default: all. */
  readonly only?: readonly CheckName[];
  /** The same seed gives the same result. Default `check`. */
  readonly seed?: string;
}

// What one check of a strategy found.

/** The verdict of a check, with its reason. */
export interface CheckFinding {
  readonly verdict: CheckVerdict;
  /** The reason in one line. */
  readonly reason: string;
  /** Number of orders placed in the check; absent if it does not count them. */
  readonly placed?: number;
}

export type StrategyCheck = (subject: Subject) => Promise<CheckFinding>;

/** How many backtests a check plays if it finds nothing: of the subject's tapes, and short ones of its own; and runs of the whole bot. */
export interface Plays {
  readonly ofTapes?: number;
  readonly own?: number;
  readonly simulated?: number;
}

export const pass = (reason: string): CheckFinding => ({ verdict: 'pass', reason });
export const fail = (reason: string): CheckFinding => ({ verdict: 'fail', reason });
export const warn = (reason: string): CheckFinding => ({ verdict: 'warn', reason });
export const skip = (reason: string): CheckFinding => ({ verdict: 'skip', reason });

/** Returns the message of an error of the strategy; undefined for other errors. */
export const thrownText = (thrown: unknown): string | undefined => (thrown instanceof StrategyError ? messageOf(thrown) : undefined);

/** `12:00:03.250`, in UTC. */
export const clockText = (at: Millis): string => new Date(at).toISOString().slice(11, 23);
