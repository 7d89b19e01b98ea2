// Settings of the local process. Every setting can change while it runs.
import { NO_FAULTS, type Settings } from '../faults.ts';
import type { Differences } from './differences.ts';

/** Includes the faults of the hosted exchange, as far as they apply to the local API. */
export interface ProcessSettings extends Settings {
  differences: Differences;
  /** Delay of a queued cancel in milliseconds, if cancels are not awaited. */
  cancelMs: number;
  /** Number of the next cancels that fail. `loseReplies` counts the next write requests. */
  failCancels: number;
}

export const settingsWith = (differences: Differences, changes: Partial<ProcessSettings> = {}): ProcessSettings => ({
  ...NO_FAULTS,
  differences,
  cancelMs: 400,
  failCancels: 0,
  ...changes,
});
