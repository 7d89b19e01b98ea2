// Writes facts.json of a run, which kill, doctor, why and the watchdog read.
import type { Millis } from '../../../base/clock.ts';
import { UserError } from '../../../base/errors.ts';
import { DiskError } from '../../../base/files/disk.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { packageVersion } from '../../../base/package.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { AccountRef } from '../../../bot/domain/ids.ts';
import { type RunFacts, writeFacts } from '../../../venues/kind/facts.ts';
import type { RunPlan } from './plan.ts';

type Planned = Pick<RunPlan, 'facts' | 'venue'>;

/**
 * Writes the facts before anything is sent, and returns the time of the start in them. Throws a UserError `state` if they cannot be written. `account` is used if the plan names none, so that
 * other commands find the account of the journal even after a start that was refused because the exchange now gives another one.
 */
export function keepFacts(plan: Planned, { now, account }: { now: Millis; account: AccountRef | undefined }): string {
  const { state: directory } = plan.facts;
  const started = timeText(now);
  try {
    writeFacts(nodeDisk(directory), runFacts(plan, started, account));
    return started;
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    const message = `the state directory ${directory} cannot be written: ${error.message}`;
    throw new UserError({ code: 'state', message, hint: 'free some space, or choose another directory with --state DIR' });
  }
}

/** `at` in RFC 3339; `account` is that of the journal. */
export function runFacts({ facts: { run, strategy, markets }, venue }: Planned, at: string, account?: AccountRef): RunFacts {
  return {
    version: 1,
    run,
    strategy,
    markets: [...markets],
    exchange: venue.facts(account),
    pid: process.pid,
    started: at,
    tickwright: packageVersion(),
  };
}
