// One line of `bot doctor`: what was checked, and what a person can do about it.
import { UserError } from '../../base/errors.ts';

export interface Check {
  /** Name of the run, for a check of a run. */
  readonly run?: string;
  readonly check: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly says: string;
  /** What the user can do about it. */
  readonly fix?: string | undefined;
}

/** A UserError as a failed check with its hint; throws any other error again. */
export function failed(check: string, error: unknown): Check {
  if (!(error instanceof UserError)) throw error;
  return { check, verdict: 'fail', says: error.message, fix: error.hint };
}
