// `bot watchdog`: a process that each run on a real exchange starts. It cancels the run's orders if the run dies or hangs.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { type Millis, SECOND, sleep, systemClock } from '../../../base/clock.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { DiskError } from '../../../base/files/disk.ts';
import { nodeDisk } from '../../../base/files/node-disk.ts';
import { COMMAND } from '../../../base/package.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { Holder } from '../../../bot/journal/directory-lock.ts';
import { KillSwitch } from '../../../bot/journal/kill-switch.ts';
import { FACTS_FILE } from '../../../venues/kind/facts.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { receivedTargets } from '../../monitoring/alerts/addresses.ts';
import type { Severity } from '../../monitoring/alerts/alert.ts';
import { AlertSender } from '../../monitoring/alerts/alerts.ts';
import type { AlertTarget } from '../../monitoring/alerts/targets.ts';
import { endWords, progressPrinter } from '../../output/cancel-all-words.ts';
import { type ResolvedRun, resolveState } from '../../resolve-state.ts';
import { liveProcessIn } from '../../run-alive.ts';
import { cancelAccount } from './cancel-account.ts';
import type { WatchdogFlags } from './command.ts';
import { ANSWER, ENDED, ENDED_WITH_ORDERS } from './start-watchdog.ts';

const SILENCE: Millis = 30_000;
/** How long to retry cancelling: an exchange may be down for hours. */
const RETRY_FOR: Millis = 24 * 3_600_000;

/** Returns 0 when nothing is left to do, 1 if it gave up. */
export async function watchdog(flags: WatchdogFlags, host: Host): Promise<ExitCode> {
  if (host.stdin.isTTY === true || flags.state === undefined) throw notForPeople();
  const resolved = resolveState(flags, 'living', host);
  const watchedProcess = liveProcessIn(resolved.directory);
  const log = (text: string): void => say(host.stderr, `${timeText(systemClock.now())} ${text}`);
  log(`watchdog ${process.pid} watches ${resolved.facts.run}, process ${watchedProcess?.pid ?? resolved.facts.pid}`);
  const silence = flags.silence ?? SILENCE;
  const targets = receivedTargets(host.stdin);
  host.stdin.on('data', () => host.stdout.write(ANSWER)); // answers every heartbeat, so that the run knows that its watchdog is alive
  const cause = await waitForSilence(host.stdin, silence);
  if (cause === 'settled') {
    log('the run has ended and left no orders');
    return 0;
  }
  const why = cause === 'silent' ? `the run has been silent for ${silence / SECOND} s` : CAUSES[cause];
  log(why);
  const alerts = alertsTo(targets(), { run: resolved.facts.run, log });
  alerts.send(
    'alarm',
    `${why}; ${cause === 'died' ? `its orders are cancelled in ${silence / SECOND} s, unless it is started again` : 'its orders are cancelled now'}`,
  );
  try {
    const isSuperseded = supersededCheck(resolved, watchedProcess);
    if (cause === 'died') await waitForRestart(isSuperseded, silence);
    if (isSuperseded() || isHalted(resolved)) {
      log(SUPERSEDED);
      alerts.send('info', SUPERSEDED);
      return 0;
    }
    const { code, words } = await cancelOrders(resolved, { watchedProcess, hangs: cause !== 'unsettled', isSuperseded, host, log });
    log(words);
    alerts.send(code === 0 ? 'info' : 'alarm', words);
    return code;
  } finally {
    await alerts.close();
  }
}

/** Logged if the watchdog has nothing left to do. */
const SUPERSEDED = 'another process, or a person, takes care of its orders';

/** How long to retry the last message, which no other process sends. */
const SEND_FOR: Millis = 10 * 60_000;

function alertsTo(targets: readonly AlertTarget[], { run, log }: { run: string; log: (text: string) => void }) {
  const sender = new AlertSender(run, { clock: systemClock, log: { warn: log }, targets, groupMs: 0, mostAnHour: 60 });
  return {
    send: (severity: Severity, text: string): void =>
      sender.send({ at: systemClock.now(), kind: 'alarm', severity, text: `watchdog: ${text}` }),
    close: () => sender.close(SEND_FOR),
  };
}

type Cause = 'settled' | 'unsettled' | 'died' | 'silent';

const CAUSES = {
  unsettled: 'the run has ended without the proof that all its orders are gone',
  died: 'the run has died without reporting its end',
} as const;

/** Resolves when the run has ended or has sent nothing for too long, not counting time in which this process was suspended. */
function waitForSilence(stdin: Readable, silence: Millis): Promise<Cause> {
  return new Promise((resolve) => {
    let [lastByte, silentMs, isOver] = ['', 0, false];
    const settle = (cause: Cause): void => {
      isOver = true;
      resolve(cause);
    };
    const ended = (): void => settle(lastByte === ENDED ? 'settled' : lastByte === ENDED_WITH_ORDERS ? 'unsettled' : 'died');
    stdin.on('data', (chunk: Buffer) => {
      [lastByte, silentMs] = [chunk.toString('latin1').slice(-1), 0];
    });
    stdin.once('end', ended).once('close', ended).once('error', ended);
    const check = (): void => {
      if (isOver) return;
      if (silentMs >= silence) return settle('silent');
      silentMs += SECOND;
      systemClock.at(systemClock.now() + SECOND, check);
    };
    check();
  });
}

/** Gives a dead run time to be restarted before its orders are cancelled: as long as a silent run has. */
async function waitForRestart(isSuperseded: () => boolean, silence: Millis): Promise<void> {
  for (let waited = 0; waited < silence && !isSuperseded(); waited += SECOND) await sleep(systemClock, SECOND);
}

/** Returns a check that is true once another process holds the state directory, or the directory has been deleted. */
function supersededCheck({ directory }: ResolvedRun, watchedProcess: Holder | undefined): () => boolean {
  return () => {
    const holder = liveProcessIn(directory);
    return !existsSync(join(directory, FACTS_FILE)) || (holder !== undefined && !isSame(holder, watchedProcess));
  };
}

/** True in mode `halted`: nothing may be sent, because a person has taken over. */
const isHalted = ({ directory }: ResolvedRun): boolean => new KillSwitch(nodeDisk(directory)).get().mode === 'halted';

const isSame = (holder: Holder | undefined, watchedProcess: Holder | undefined): boolean =>
  holder !== undefined && holder.pid === watchedProcess?.pid && holder.started === watchedProcess.started;

interface CancelOptions {
  readonly watchedProcess: Holder | undefined;
  /** True if the run hangs; false if it has handed over its orders. */
  readonly hangs: boolean;
  readonly isSuperseded: () => boolean;
  readonly host: Host;
  readonly log: (text: string) => void;
}

interface Cancelled {
  readonly code: 0 | 1;
  readonly words: string;
}

async function cancelOrders(resolved: ResolvedRun, { watchedProcess, hangs, isSuperseded, host, log }: CancelOptions): Promise<Cancelled> {
  if (hangs && isSame(liveProcessIn(resolved.directory), watchedProcess)) setKillSwitch(resolved, log);
  const onProgress = progressPrinter(systemClock, log);
  try {
    const { directory, facts } = resolved;
    const result = await cancelAccount(
      { directory, exchange: facts.exchange },
      {
        host,
        onProgress,
        isSuperseded,
        forMs: RETRY_FOR,
        onDamage: (why) => log(`the journal cannot be read: ${why}`),
      },
    );
    const words = result === undefined ? 'the embedded exchange of this run ended with it' : endWords(result);
    return { code: result?.kind === 'late' ? 1 : 0, words };
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    return { code: 1, words: `the watchdog cannot cancel anything: ${messageOf(error)}` };
  }
}

/** Sets the kill switch of a process that is alive but hangs, so that it does not trade when it continues. After a dead one, a restart may trade. */
function setKillSwitch({ directory, facts }: ResolvedRun, log: CancelOptions['log']): void {
  const reason = `process ${facts.pid} was silent for too long`;
  log(`${reason}: setting the kill switch to cancel-all`);
  try {
    new KillSwitch(nodeDisk(directory)).raise('cancel-all', { reason, at: timeText(systemClock.now()), by: 'watchdog' });
  } catch (error) {
    if (!(error instanceof DiskError)) throw error;
    log(`the kill switch could not be written: ${error.message}`);
  }
}

const notForPeople = (): UserError =>
  new UserError({
    code: 'watchdog',
    message: 'a watchdog is started only by the run that it watches',
    hint: `to cancel all orders of a run, type: ${COMMAND} kill`,
  });
