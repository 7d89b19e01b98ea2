// `bot flatten`: sets the kill switch of a run to flatten, and waits until the run holds nothing. Gives up while it is not known what the run holds.

import { type Millis, sleep, systemClock } from '../../../base/clock.ts';
import { COMMAND } from '../../../base/package.ts';
import { counted } from '../../../base/text/phrases.ts';
import { account } from '../../../bot/risk/gates/account.ts';
import { type Now, readNow } from '../../../bot/run/core/now.ts';
import { ACCEPTED_AFTER } from '../../../bot/world/orders/proof.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { safeText } from '../../output/table.ts';
import { heldWords } from '../../output/words.ts';
import { flagFor, type ResolvedRun, resolveState } from '../../resolve-state.ts';
import { isRunAlive } from '../../run-alive.ts';
import type { FlattenFlags } from './command.ts';
import { KillSwitchSetter } from './set-kill-switch.ts';

const DEFAULT_TIMEOUT: Millis = 300_000;
const POLL: Millis = 500;
/** How long to wait while the exchange and our fills disagree about what the account holds. */
const DISAGREEING_FOR: Millis = 60_000;

/**
 * Returns 0 once the run holds nothing and has no orders; 1 if not in time, if it has ended, or if the position has been uncertain for DISAGREEING_FOR.
 * Throws a UserError `run` if no run matches.
 */
export async function flatten(run: string | undefined, flags: FlattenFlags, host: Host): Promise<ExitCode> {
  const found = resolveState({ run, ...flags }, 'living', host);
  const until = systemClock.now() + (flags.for ?? DEFAULT_TIMEOUT);
  const killSwitch = new KillSwitchSetter(found.directory, host, { mode: 'flatten', command: 'flatten' });
  let [flat, shown] = [false, ''];
  let uncertain: { readonly reason: string; readonly since: Millis } | undefined;
  const show = (text: string): void => {
    if (text !== shown && !flags.json) say(host.stdout, safeText(`${found.facts.run}: ${text}`));
    shown = text;
  };
  do {
    killSwitch.attempt();
    const now = readNow(found.directory);
    const reason = now === undefined ? undefined : uncertaintyIn(now);
    uncertain = reason === undefined ? undefined : { reason, since: uncertain?.since ?? systemClock.now() };
    flat = killSwitch.isSet && now !== undefined && isFlat(now);
    show(killSwitch.isSet ? progressWords(now) : `the kill switch is NOT set: ${killSwitch.failure ?? 'unknown'}`);
    if (flat || !isRunAlive(found.directory)) break;
    if (uncertain !== undefined && systemClock.now() >= uncertain.since + DISAGREEING_FOR) break;
    await sleep(systemClock, POLL);
  } while (systemClock.now() < until);
  const end = { flat, latched: killSwitch.isSet, alive: isRunAlive(found.directory), uncertain: uncertain?.reason };
  say(host.stdout, flags.json ? JSON.stringify({ kind: 'flattened', run: found.facts.run, ...end }) : endWords(found, end));
  return flat ? 0 : 1;
}

/** True if the run is in this mode and certainly has neither positions nor orders. */
const isFlat = (now: Now): boolean => {
  const { mode, status, unknown } = now;
  const isEmpty = Object.keys(status.positions).length === 0 && status.openOrders === 0 && unknown.length === 0;
  return mode === 'flatten' && isEmpty && uncertaintyIn(now) === undefined;
};

/** Returns why it is not known what the account holds; undefined if it is known. */
const uncertaintyIn = ({ holding }: Now): string | undefined => holding.find(({ guard }) => guard === account.name)?.reason;

function progressWords(now: Now | undefined): string {
  if (now === undefined || now.mode !== 'flatten') return 'kill switch set to flatten; the run has not acted on it yet';
  const uncertain = uncertaintyIn(now);
  if (uncertain !== undefined) return `waiting: ${uncertain}`;
  const held = heldWords(now.status.positions);
  const orders = now.status.openOrders === 0 ? '' : `; ${counted(now.status.openOrders, 'order')} left`;
  return held === undefined ? `holds nothing${orders}` : `closing ${held}${orders}`;
}

interface FlattenEnd {
  readonly flat: boolean;
  /** True if the kill switch is set. */
  readonly latched: boolean;
  readonly alive: boolean;
  /** Why it is not known what the account holds. */
  readonly uncertain: string | undefined;
}

/** Returns how it ended. */
function endWords(run: ResolvedRun, { flat, latched, alive, uncertain }: FlattenEnd): string {
  if (!alive)
    return `the run has ended, so nothing was closed; start it again as before and it ${latched ? 'closes what it holds' : 'continues to trade'}`;
  if (flat) return `end the run with Ctrl-C; to let it trade again after that, type: ${COMMAND} resume ${flagFor(run)}`;
  if (uncertain === undefined) return 'not done in time; the run continues to close while it is alive';
  return `not closed: ${uncertain}; look up the position on the exchange's own page, and close it there if it has to be closed now; the run closes it when both agree, and after ${ACCEPTED_AFTER / 1_000} s what the exchange shows`;
}
