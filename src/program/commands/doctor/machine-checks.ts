// Checks on this machine: Node, the key file, the disk, and the state directory.

import { readFileSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { systemClock } from '../../../base/clock.ts';
import { DiskError } from '../../../base/files/disk.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { publicKeyIn } from '../../../base/keys/key.ts';
import { COMMAND } from '../../../base/package.ts';
import { counted } from '../../../base/text/phrases.ts';
import { toBase58 } from '../../../base/wire/ed25519.ts';
import { holderIn } from '../../../bot/journal/directory-lock.ts';
import { KillSwitch } from '../../../bot/journal/kill-switch.ts';
import { outstandingIn } from '../../../venues/kind/account-canceller.ts';
import { type DoctorCheck, failed } from '../../../venues/operate/check.ts';
import type { Host } from '../../host.ts';
import { killSwitchWords } from '../../output/cancel-all-words.ts';
import { flagFor, type ResolvedRun } from '../../resolve-state.ts';
import { liveProcessIn } from '../../run-alive.ts';
import { isSimulated } from '../../venues.ts';

const ok = (check: string, says: string): DoctorCheck => ({ check, verdict: 'ok', says });
const warn = (check: string, says: string, fix: string): DoctorCheck => ({ check, verdict: 'warn', says, fix });
const fail = (check: string, says: string, fix: string): DoctorCheck => ({ check, verdict: 'fail', says, fix });

/** The oldest supported Node version. */
const MIN_NODE: readonly [number, number] = [20, 19];

export function nodeCheck(version: string): DoctorCheck {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [leastMajor, leastMinor] = MIN_NODE;
  const enough = major > leastMajor || (major === leastMajor && minor >= leastMinor);
  return enough
    ? ok('node', `Node ${version}`)
    : fail('node', `Node ${version} is too old`, `install Node ${MIN_NODE.join('.')} or newer, for example from nodejs.org`);
}

/** Checks a key file without opening a keystore. */
export function keyCheck(file: string): DoctorCheck {
  try {
    return ok('key', `${file}: public key ${shortOf(toBase58(publicKeyIn(file)))}, and only you can read it`);
  } catch (error) {
    return failed('key', error);
  }
}

const shortOf = (key: string): string => `${key.slice(0, 4)}…${key.slice(-4)}`;

const GIBIBYTE = 2 ** 30;
/** With less free space, nothing can be recorded for long. */
const LEAST_FREE = GIBIBYTE / 10;
/** A sync slower than this is reported, because it delays every order. */
const SLOW_MS = 50;

/**
 * Checks free space and the duration of a synced write, and leaves no files. If the directory does not exist yet, checks its nearest existing parent.
 */
export function diskCheck(directory: string): DoctorCheck {
  const where = nearestExisting(resolve(directory));
  const { bavail, bsize } = statfsSync(where);
  const free = bavail * bsize;
  if (free < LEAST_FREE)
    return fail(
      'disk',
      `only ${amountText(free)} are free in ${where}`,
      'free some space: an order is only sent after the journal has been written',
    );
  try {
    const disk = nodeDisk(where, { shared: true });
    const name = `doctor-${process.pid}`;
    disk.create(name, new TextEncoder().encode('x'));
    disk.append(name, new TextEncoder().encode('y'));
    disk.sync(name);
    const before = systemClock.now();
    disk.append(name, new TextEncoder().encode('y'));
    disk.sync(name);
    const took = systemClock.now() - before;
    disk.remove(name);
    const says = `${amountText(free)} free, a synced write takes ${took} ms`;
    if (free < GIBIBYTE) return warn('disk', says, 'free some space: on a full disk the bot places no orders');
    return took > SLOW_MS
      ? warn('disk', says, 'every order waits for the disk: use a faster, local disk with --state DIR')
      : ok('disk', says);
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    return fail('disk', `${where} cannot be written: ${error.message}`, 'choose another directory with --state DIR');
  }
}

const amountText = (bytes: number): string =>
  bytes >= GIBIBYTE ? `${(bytes / GIBIBYTE).toFixed(1)} GiB` : `${Math.floor(bytes / 2 ** 20)} MiB`;

function nearestExisting(path: string): string {
  return statSync(path, { throwIfNoEntry: false }) !== undefined || dirname(path) === path ? path : nearestExisting(dirname(path));
}

/** Checks who can read the state directory, which holds the session key. */
export function permissionsCheck(directory: string): DoctorCheck {
  const { mode, uid } = statSync(directory);
  const octal = (mode & 0o777).toString(8).padStart(4, '0');
  if (process.geteuid !== undefined && uid !== process.geteuid())
    return fail(
      'permissions',
      `${directory} belongs to another user`,
      'run the bot as the user who owns it, or choose another --state DIR',
    );
  if ((mode & 0o077) !== 0) return warn('permissions', `${directory} has mode ${octal}: other users can read it`, `chmod 700 ${directory}`);
  return ok('permissions', `only you can read ${directory}`);
}

/** Checks of a state directory: lock, kill switch, journal, orders without an answer, watchdog. */
export function stateChecks(resolved: ResolvedRun, host: Pick<Host, 'isRunning' | 'venues'>): readonly DoctorCheck[] {
  const { directory, facts } = resolved;
  const disk = nodeDisk(directory);
  try {
    const state = new KillSwitch(disk).get();
    const { deadAfter, open = [], damage } = outstandingIn(disk);
    return [
      lockCheck(resolved),
      state.mode === 'active'
        ? ok('kill switch', `${facts.run} may trade`)
        : warn(
            'kill switch',
            `it is set for ${facts.run}: ${killSwitchWords(state)}`,
            `when the cause is gone: ${COMMAND} resume ${flagFor(resolved)}`,
          ),
      damage === undefined
        ? ok('journal', 'every line is intact')
        : fail('journal', damage, 'restore the file from a copy, or start with another --state DIR and check the account yourself'),
      ordersCheck(resolved, deadAfter?.length),
      watchdogCheck(resolved, { host, open: damage === undefined ? open.length : undefined }),
    ];
  } catch (error) {
    return [failed('state', error)];
  }
}

/** `unanswered`: orders without a definite answer; undefined if the journal cannot be read. */
function ordersCheck(resolved: ResolvedRun, unanswered: number | undefined): DoctorCheck {
  if (unanswered === 0) return ok('orders', 'every order has a definite answer');
  const says =
    unanswered === undefined
      ? 'not known, because the journal cannot be read'
      : `${counted(unanswered, 'order')} without a definite answer`;
  const fix = unanswered === undefined ? '' : 'the next start resolves this; or: ';
  return warn('orders', says, `${fix}${COMMAND} kill ${flagFor(resolved)}`);
}

function lockCheck({ directory, facts }: ResolvedRun): DoctorCheck {
  const holder = holderIn(nodeDisk(directory));
  const living = liveProcessIn(directory);
  if (living !== undefined) return ok('lock', `process ${living.pid} is running ${facts.run}`);
  if (holder === undefined) return ok('lock', `no process is running ${facts.run}; the last one ended normally`);
  return warn(
    'lock',
    `process ${holder.pid} ended without cleaning up`,
    'nothing to do: the next start takes over and resolves its orders',
  );
}

/**
 * Finds the watchdog's process in its log and checks that it runs; every run on a real exchange has one. `open`: orders that were resting at the last
 * journal entry; undefined if the journal cannot be read.
 */
function watchdogCheck(
  resolved: ResolvedRun,
  { host, open }: { host: Pick<Host, 'isRunning' | 'venues'>; open: number | undefined },
): DoctorCheck {
  const { directory, facts } = resolved;
  if (isSimulated(host.venues.of(facts.exchange))) return ok('watchdog', 'not needed: the account of this run is simulated');
  const pid = lastWatchdogPid(join(directory, 'watchdog.log'));
  const watches = pid !== undefined && host.isRunning(pid);
  if (liveProcessIn(directory) === undefined) {
    if (watches) return ok('watchdog', `the run is gone; watchdog process ${pid} waits for a restart, then cancels what the run left`);
    if (open === 0) return ok('watchdog', 'not needed: no process of this run is alive');
    const orders =
      open === undefined ? 'it is not known which orders were resting' : `its last journal entry has ${counted(open, 'resting order')}`;
    const says = `the run and its watchdog are both gone, and ${orders}`;
    return fail('watchdog', says, `start the run again: it takes over its open orders; or: ${COMMAND} kill ${flagFor(resolved)}`);
  }
  if (watches) return ok('watchdog', `process ${pid} watches the run`);
  return warn(
    'watchdog',
    'no watchdog is running: if the bot dies now, its orders stay',
    'the run starts another one by itself: see its warnings',
  );
}

function lastWatchdogPid(file: string): number | undefined {
  try {
    const pid = [...readFileSync(file, 'utf8').matchAll(/ watchdog (\d+) watches /g)].at(-1)?.[1];
    return pid === undefined ? undefined : Number(pid);
  } catch {
    return undefined;
  }
}
