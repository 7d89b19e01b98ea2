// `bot clean`: removes ended runs of the embedded exchange, and recordings, that are past their retention; never a file that a restart needs.

import { existsSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { DAY, type Millis, systemClock } from '../../../base/clock.ts';
import { messageOf } from '../../../base/errors.ts';
import { makeFolder } from '../../../base/files/folder.ts';
import { counted } from '../../../base/text/phrases.ts';
import { machineFolder } from '../../../bot/run/state/machine.ts';
import { recordingsIn } from '../../../bot/run/state/turn-recorder.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { DEFAULT_RUNS_FOLDER } from '../../known-runs.ts';
import { bytesText } from '../../output/words.ts';
import { listedRuns, type ResolvedRun } from '../../resolve-state.ts';
import { isRunAlive } from '../../run-alive.ts';
import type { Venues } from '../../venues.ts';
import type { CleanFlags } from './command.ts';

/** Something to remove: a state directory, or one recording. */
export interface Expired {
  readonly kind: 'run' | 'recording';
  readonly path: string;
  readonly bytes: number;
}

export async function clean(flags: CleanFlags, host: Host): Promise<ExitCode> {
  const { stdout, stderr, venues } = host;
  let failed = false;
  const removed = expiredOf(listedRuns(host), { ...flags, venues, now: systemClock.now() }).filter((expired) => {
    const why = flags.dryRun ? undefined : remove(expired);
    if (why !== undefined) say(stderr, `${expired.path} was not removed: ${why}`);
    failed ||= why !== undefined;
    return why === undefined;
  });
  if (flags.json) for (const { kind, path, bytes } of removed) say(stdout, JSON.stringify({ kind: 'removed', what: kind, path, bytes }));
  else for (const { path, bytes } of removed) say(stdout, `${path}  ${bytesText(bytes)}`);
  if (!flags.json) say(stdout, `${flags.dryRun ? 'would remove' : 'removed'} ${summaryWords(removed)}`);
  return failed ? 1 : 0;
}

/** Returns for example `12 runs, 3 recordings, 34 MB`. */
export function summaryWords(removed: readonly Expired[]): string {
  const count = (kind: Expired['kind']): number => removed.filter((expired) => expired.kind === kind).length;
  const bytes = removed.reduce((sum, expired) => sum + expired.bytes, 0);
  return removed.length === 0
    ? 'nothing'
    : `${counted(count('run'), 'run')}, ${counted(count('recording'), 'recording')}, ${bytesText(bytes)}`;
}

type Retention = Pick<CleanFlags, 'runs' | 'recordings'> & Pick<Host, 'venues'> & { readonly now: Millis };

/**
 * Returns everything past its retention. Runs at an exchange keep their journal. Never removed: a directory chosen with --state, and the recording that a
 * live run writes.
 */
export function expiredOf(
  runs: readonly ResolvedRun[],
  { runs: runDays, recordings: recordingDays, venues, now }: Retention,
): readonly Expired[] {
  return runs.flatMap((run): readonly Expired[] => {
    const { directory } = run;
    const [newest, alive] = [newestIn(directory), isRunAlive(directory)];
    if (isOwnFolder(run, venues) && newest !== undefined && newest <= now - runDays * DAY && !alive)
      return [{ kind: 'run', path: directory, bytes: bytesIn(directory) }];
    const recordings = recordingsIn(namesIn(directory));
    return (alive ? recordings.slice(0, -1) : recordings).flatMap((name): readonly Expired[] => {
      const path = join(directory, name);
      const { mtimeMs = now, size = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {};
      return mtimeMs <= now - recordingDays * DAY && mtimeMs !== newest ? [{ kind: 'recording', path, bytes: size }] : [];
    });
  });
}

/** True for a run of the embedded exchange in a folder with the default name: it cannot be continued, because its exchange has ended. */
const isOwnFolder = ({ directory, facts: { run, exchange } }: ResolvedRun, venues: Venues): boolean =>
  !venues.of(exchange).outlivesRun && basename(directory) === run && basename(dirname(resolve(directory))) === DEFAULT_RUNS_FOLDER;

/** Removes a run or a recording; returns the reason if that fails. Keeps a run that was restarted since it was listed. */
function remove({ kind, path }: Expired): string | undefined {
  try {
    if (kind === 'run' && isRunAlive(path)) return 'a process has it again';
    rmSync(path, { recursive: true });
    return undefined;
  } catch (error) {
    return messageOf(error);
  }
}

/** Returns no names if the directory is gone: another start may clean at the same time. */
const namesIn = (directory: string): readonly string[] => (existsSync(directory) ? readdirSync(directory) : []);

const filesIn = (directory: string) =>
  namesIn(directory).flatMap((name) => statSync(join(directory, name), { throwIfNoEntry: false }) ?? []);

const bytesIn = (directory: string): number => filesIn(directory).reduce((sum, { size }) => sum + size, 0);

/** Returns the latest modification time of the files in a directory; undefined if there are none. */
function newestIn(directory: string): Millis | undefined {
  const times = filesIn(directory).map(({ mtimeMs }) => mtimeMs);
  return times.length === 0 ? undefined : Math.max(...times);
}

/** A file in the machine's folder, whose modification time is that of the last cleaning at a start. */
const CLEANED = 'cleaned';

/**
 * Removes and reports expired files before a run starts; only at the first start of a day, because it reads the directory of every run of the
 * machine. Failures are ignored; `bot clean` reports them.
 */
export function cleanBeforeStart(retention: { readonly runDays: number; readonly recordingDays: number }, host: Host): void {
  const now = systemClock.now();
  if (!isFirstOfDay(host.env, now)) return;
  const { runDays: runs, recordingDays: recordings } = retention;
  const expired = expiredOf(listedRuns(host), { runs, recordings, venues: host.venues, now });
  const removed = expired.filter((item) => remove(item) === undefined);
  if (removed.length > 0) say(host.stderr, `removed what was past its retention: ${summaryWords(removed)}`);
}

/** True once in 24 hours; always if the file cannot be written. */
function isFirstOfDay(env: Host['env'], now: Millis): boolean {
  const folder = machineFolder(env);
  const file = join(folder, CLEANED);
  const before = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
  if (before !== undefined && before <= now && before > now - DAY) return false;
  try {
    makeFolder(folder, 0o700);
    writeFileSync(file, '', { mode: 0o600 });
    utimesSync(file, now / 1_000, now / 1_000);
  } catch {
    // the next start cleans again
  }
  return true;
}
