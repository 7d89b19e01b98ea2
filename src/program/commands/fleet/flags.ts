// The options of `bot fleet`, as its command gets them.
import type { Millis } from '../../../base/clock.ts';

export interface FleetFlags {
  /** Duration of the runs. Default: until they are stopped. */
  readonly for?: Millis;
  readonly startTimeout?: Millis;
  /** Folder of the state directories; default .bot. */
  readonly state?: string;
  /** True if runs of the file may trade real money. */
  readonly live?: true;
  /** Port of the page; true for a free port. */
  readonly ui?: number | true;
  readonly uiControl?: true;
  readonly metrics?: number | true;
  readonly notify?: readonly string[];
  readonly json?: true;
}
