// The options of `bot fleet` as they were typed.
import type { Millis } from '../../../base/clock.ts';

export interface FleetFlags {
  /** How long the runs last; absent: until they are stopped. */
  readonly for?: Millis;
  readonly startTimeout?: Millis;
  /** Folder of the state directories; default .bot. */
  readonly state?: string;
  /** True if runs of the file may trade real money. */
  readonly live?: true;
  /** Port of the page; true: any that is free. */
  readonly ui?: number | true;
  readonly uiControl?: true;
  readonly metrics?: number | true;
  readonly notify?: readonly string[];
  readonly json?: true;
}
