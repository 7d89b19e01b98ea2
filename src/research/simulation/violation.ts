// An invariant that did not hold in a simulated run.
import type { Millis } from '../../base/clock.ts';

export interface Violation {
  readonly invariant: string;
  readonly message: string;
  /** Since the start of the run. */
  readonly at: Millis;
}
