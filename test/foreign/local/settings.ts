// What the local process is set to do, all of which may be changed while it runs.
import { NO_FAULTS, type Settings } from '../faults.ts';
import type { Rows } from './rows.ts';

/** The faults are those of the hosted API's exchange, as far as this surface has a place for them. */
export interface ProcessSettings extends Settings {
  rows: Rows;
  /** How long a queued cancel takes, in milliseconds, where cancels are not awaited. */
  cancelMs: number;
  /** How many of the next cancels fail; `loseReplies` counts the next requests that change something. */
  failCancels: number;
}

export const settingsWith = (rows: Rows, changes: Partial<ProcessSettings> = {}): ProcessSettings => ({
  ...NO_FAULTS,
  rows,
  cancelMs: 400,
  failCancels: 0,
  ...changes,
});
