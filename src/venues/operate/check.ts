// One line of `bot doctor`: the check, its result, and what a person can do.
import { UserError } from '../../base/errors.ts';

export interface DoctorCheck {
  /** Name of the run, for a check of a run. */
  readonly run?: string;
  readonly check: string;
  readonly verdict: 'ok' | 'warn' | 'fail';
  readonly says: string;
  /** What the user can do about it. */
  readonly fix?: string | undefined;
}

/** Returns a UserError as a failed check with its hint; rethrows any other error. */
export function failed(check: string, error: unknown): DoctorCheck {
  if (!(error instanceof UserError)) throw error;
  return { check, verdict: 'fail', says: error.message, fix: error.hint };
}
