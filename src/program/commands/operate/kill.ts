// `bot kill`: sets the kill switch of a run, cancels all orders of its account and proves that none is left, even if the bot hangs or is dead.
import { every, type Millis, SECOND, sleep, systemClock } from '../../../base/clock.ts';
import { COMMAND, PROGRAM } from '../../../base/package.ts';
import { isSilent, readNow } from '../../../bot/run/core/now.ts';
import type { VenueKind } from '../../../venues/kind/venue-kind.ts';
import type { CancelAllEnd } from '../../../venues/operate/cancel-all.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { endWords, progressPrinter } from '../../output/cancel-all-words.ts';
import { safeText } from '../../output/table.ts';
import { flagFor } from '../../resolve-state.ts';
import { processOf } from '../../run-alive.ts';
import { isSimulated } from '../../venues.ts';
import { cancelAccount } from './cancel-account.ts';
import type { KillFlags } from './command.ts';
import { type KillTarget, killTarget } from './kill-target.ts';
import { KillSwitchSetter } from './set-kill-switch.ts';

const DEFAULT_TIMEOUT: Millis = 300_000;
const POLL: Millis = 200;

/**
 * Returns 0 if it is proved in time that no order is left and the kill switch is set, which a simulated exchange does not need; else 1. Throws a
 * UserError if no run matches.
 */
export async function kill(run: string | undefined, flags: KillFlags, host: Host): Promise<ExitCode> {
  const target = killTarget({ run, ...flags }, host);
  const until = systemClock.now() + (flags.for ?? DEFAULT_TIMEOUT);
  const killSwitch = new KillSwitchSetter(target.directory, host);
  killSwitch.attempt();
  if (!flags.json) say(host.stdout, beginning(target, killSwitch));
  for (const doubt of target.doubts) say(host.stderr, safeText(`not sure: ${doubt}`));
  const stopTrying = every(systemClock, SECOND, () => killSwitch.attempt());
  try {
    const cleared = await clear(target, until, flags, host);
    while (!killSwitch.isSet && systemClock.now() < until) await sleep(systemClock, POLL);
    return reportEnd(cleared, { target, killSwitch, host, json: flags.json });
  } finally {
    stopTrying();
  }
}

function beginning({ directory, run }: KillTarget, { isSet }: KillSwitchSetter): string {
  const state = isSet ? 'kill switch set to cancel-all' : 'kill switch NOT set, so the bot may continue to place orders';
  return `${run}: ${state}; ${processWords(directory)}`;
}

function processWords(directory: string): string {
  const holder = processOf(directory);
  if (holder === undefined) return 'its process is gone';
  return holder === 'unknown' ? 'it is not known whether its process is alive' : `its process is ${holder.pid}${hangingWords(directory)}`;
}

function hangingWords(directory: string): string {
  const [now, at] = [readNow(directory), systemClock.now()];
  return now !== undefined && isSilent(now, at)
    ? `, which hangs: it last reported ${Math.round((at - Date.parse(now.at)) / 1_000)} s ago`
    : '';
}

interface Cleared {
  /** True if it is proved that no order is left. */
  readonly empty: boolean;
  /** Absent if the exchange is simulated or not known. */
  readonly result?: CancelAllEnd | undefined;
}

/** Cancels all orders. If the exchange is simulated or not known, only waits for the end of the process. */
async function clear({ directory, exchange }: KillTarget, until: Millis, flags: KillFlags, host: Host): Promise<Cleared> {
  if (exchange === undefined || isSimulated(host.venues.of(exchange))) {
    const gone = await processEnded(directory, until);
    return { empty: gone && exchange !== undefined };
  }
  const print = (text: string, more: object): void => say(host.stdout, flags.json ? JSON.stringify(more) : text);
  const result = await cancelAccount(
    { directory, exchange },
    {
      host,
      forMs: Math.max(0, until - systemClock.now()),
      onProgress: progressPrinter(systemClock, (text, progress) => print(text, { kind: 'progress', ...progress })),
      onDamage: (why) => say(host.stderr, `the run's journal cannot be read, so kill waits for the longest life of an order: ${why}`),
    },
  );
  return { empty: result?.kind === 'empty', result };
}

async function processEnded(directory: string, until: Millis): Promise<boolean> {
  while (processOf(directory) !== undefined && systemClock.now() < until) await sleep(systemClock, POLL);
  return processOf(directory) === undefined;
}

interface Ending {
  readonly target: KillTarget;
  readonly killSwitch: KillSwitchSetter;
  readonly host: Host;
  readonly json: true | undefined;
}

/** Prints how it ended; returns the exit code. */
function reportEnd({ empty, result }: Cleared, { target, killSwitch, host, json }: Ending): ExitCode {
  const { directory, run, doubts, exchange } = target;
  const living = processOf(directory);
  const kind = exchange && host.venues.of(exchange);
  const { isSet } = killSwitch;
  const proved = empty && (isSet || (kind !== undefined && isSimulated(kind)));
  if (json) {
    const { cancelled = 0, foreign = 0, resting = 0 } = result ?? {};
    const alive = living !== undefined;
    say(host.stdout, JSON.stringify({ kind: 'killed', run, empty, latched: isSet, cancelled, foreign, resting, alive, doubts }));
    return proved ? 0 : 1;
  }
  say(host.stdout, result === undefined ? unreadWords(kind, empty) : endWords(result));
  if (living !== undefined && living !== 'unknown')
    say(
      host.stdout,
      `process ${living.pid} is still alive; ${isSet ? 'it places no orders, and ends by itself when it can' : MAY_PLACE_ORDERS}`,
    );
  if (!isSet)
    say(
      host.stdout,
      `the kill switch is NOT set (${killSwitch.failure ?? 'unknown'}): free some space in ${directory}, and run ${PROGRAM} kill again`,
    );
  else if (result !== undefined || kind?.outlivesRun !== false)
    say(host.stdout, `to let it trade again, type: ${COMMAND} resume ${flagFor({ directory, facts: { run } })}`);
  return proved ? 0 : 1;
}

const MAY_PLACE_ORDERS = 'it may place more orders: end it yourself';

/** What is printed if the account was not read. */
function unreadWords(kind: VenueKind | undefined, empty: boolean): string {
  const { ended, alive } = kind?.killTexts ?? UNREAD;
  return empty ? ended : alive;
}

const UNREAD_TEXT = 'the account could not be read: kill cancelled nothing itself, and nothing is proved';
const UNREAD = { ended: UNREAD_TEXT, alive: UNREAD_TEXT };
