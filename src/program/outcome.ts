// How a run ended: for its alerts, and in outcome.json, for the commands and pages that list runs. Written once, at the end.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DiskError } from '../base/files/disk.ts';
import { nodeDisk } from '../base/files/node-disk.ts';
import { JSON_LIMITS, readJson } from '../base/text/json.ts';
import { OUTCOMES, type RunOutcome } from '../bot/domain/outcome.ts';
import type { KillSwitchState } from '../bot/journal/kill-switch.ts';
import { type Ending, reasonOf } from '../bot/run/core/ending.ts';
import type { Now } from '../bot/run/core/now.ts';
import { STOPS_BY_LOSS } from '../bot/world/position/losses.ts';

const FILE = 'outcome.json';

export interface EndedRun {
  readonly outcome: Exclude<RunOutcome, 'running'>;
  /** Absent if the run is done. */
  readonly reason?: string | undefined;
}

/** Who sets the kill switch because of a limit; anyone else is a person, or the watchdog. A stop by loss sets it under its own name. */
const LIMITERS: ReadonlySet<string> = new Set(['bot', 'fleet', ...STOPS_BY_LOSS]);

/** Returns the outcome of a run, from how it ended and who set its kill switch. `ending` is undefined if the run was stopped before it traded. */
export function outcomeOf(ending: Ending | undefined, { mode, cause }: KillSwitchState): EndedRun {
  if (ending?.kind === 'failed') return { outcome: 'failed', reason: reasonOf(ending.error) };
  if (ending?.kind === 'unsettled') return { outcome: 'failed', reason: `not every order is proved gone: ${ending.reason}` };
  if (mode === 'active') return { outcome: 'done' };
  const reason = cause?.reason ?? `the kill switch is set to ${mode}`;
  if (LIMITERS.has(cause?.by ?? '')) return { outcome: 'limit', reason };
  return mode === 'close-only' ? { outcome: 'done' } : { outcome: 'killed', reason };
}

/** Writes the outcome. A failed write is ignored: readers then see the outcome that follows from the other files. */
export function keepOutcome(directory: string, { started, ...ended }: EndedRun & { readonly started: string }): void {
  try {
    nodeDisk(directory).replace(FILE, new TextEncoder().encode(`${JSON.stringify({ version: 1, started, ...ended })}\n`));
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
  }
}

/** The reason if a process left no outcome. */
const NO_OUTCOME = 'its process ended without a stop: it was killed, or the machine went down';

/**
 * Returns how the process that began at `started` ended. A process that left no outcome was killed, unless its last state says that it was stopping,
 * as with runs of earlier versions.
 */
export function endedOf(directory: string, { started, now }: { readonly started: string; readonly now: Now | undefined }): EndedRun {
  const kept = read(directory);
  if (kept?.started === started) return { outcome: kept.outcome, reason: kept.reason };
  return now?.stopping === undefined || now.at < started ? { outcome: 'killed', reason: NO_OUTCOME } : { outcome: 'done' };
}

/** Returns the content of the file; undefined if it is missing or not valid. */
function read(directory: string): (EndedRun & { readonly started: string }) | undefined {
  try {
    const kept = readJson(readFileSync(join(directory, FILE), 'utf8'), JSON_LIMITS.state) as ReturnType<typeof read> & { version: number };
    return kept.version === 1 && OUTCOMES.includes(kept.outcome) ? kept : undefined;
  } catch {
    return undefined;
  }
}
