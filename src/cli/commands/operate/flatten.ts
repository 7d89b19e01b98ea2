// `bot flatten`: sets the kill switch of a run to flatten, and waits until the run holds nothing.

import { type Millis, sleep, systemClock } from '../../../base/clock.ts';
import { COMMAND } from '../../../base/package.ts';
import { counted } from '../../../base/text/counted.ts';
import { type Now, readNow } from '../../../run/state/now.ts';
import type { ExitCode } from '../../exit-codes.ts';
import { type Host, say } from '../../host.ts';
import { heldWords } from '../../output/words.ts';
import { safeText } from '../../terminal/safe-text.ts';
import { flagFor, type ResolvedRun, resolveState, type StateFlags } from './resolve-state.ts';
import { isRunAlive } from './run-alive.ts';
import { KillSwitchSetter } from './set-kill-switch.ts';

export interface FlattenFlags extends StateFlags {
  readonly for?: Millis;
  readonly json?: true;
}

const DEFAULT_TIMEOUT: Millis = 300_000;
const POLL: Millis = 500;

/** Returns 0 once the run holds nothing and has no orders, 1 if not in time or if it has ended. Throws a UserError `run` if no run matches. */
export async function flatten(run: string | undefined, flags: FlattenFlags, host: Host): Promise<ExitCode> {
  const found = resolveState({ run, ...flags }, 'living', host);
  const until = systemClock.now() + (flags.for ?? DEFAULT_TIMEOUT);
  const killSwitch = new KillSwitchSetter(found.directory, host, { mode: 'flatten', command: 'flatten' });
  let [flat, shown] = [false, ''];
  const show = (text: string): void => {
    if (text !== shown && !flags.json) say(host.stdout, safeText(`${found.facts.run}: ${text}`));
    shown = text;
  };
  do {
    killSwitch.attempt();
    const now = readNow(found.directory);
    flat = killSwitch.isSet && now !== undefined && isFlat(now);
    show(killSwitch.isSet ? progressWords(now) : `the kill switch is NOT set: ${killSwitch.failure ?? 'unknown'}`);
    if (flat || !isRunAlive(found.directory)) break;
    await sleep(systemClock, POLL);
  } while (systemClock.now() < until);
  return end(found, { flat, isSet: killSwitch.isSet, alive: isRunAlive(found.directory), json: flags.json }, host);
}

/** True if the run is in this mode and has neither positions nor orders. */
const isFlat = ({ mode, status, unknown }: Now): boolean =>
  mode === 'flatten' && Object.keys(status.positions).length === 0 && status.openOrders === 0 && unknown.length === 0;

function progressWords(now: Now | undefined): string {
  if (now === undefined || now.mode !== 'flatten') return 'kill switch set to flatten; the run has not acted on it yet';
  const held = heldWords(now.status.positions);
  const orders = now.status.openOrders === 0 ? '' : `; ${counted(now.status.openOrders, 'order')} left`;
  return held === undefined ? `holds nothing${orders}` : `closing ${held}${orders}`;
}

interface End {
  readonly flat: boolean;
  readonly isSet: boolean;
  readonly alive: boolean;
  readonly json: true | undefined;
}

function end({ directory, facts: { run } }: ResolvedRun, { flat, isSet, alive, json }: End, { stdout }: Host): ExitCode {
  const flag = flagFor({ directory, facts: { run } });
  if (json) say(stdout, JSON.stringify({ kind: 'flattened', run, flat, latched: isSet, alive }));
  else if (!alive)
    say(
      stdout,
      `the run has ended, so nothing was closed; start it again as before and it ${isSet ? 'closes what it holds' : 'continues to trade'}`,
    );
  else if (!flat) say(stdout, 'not done in time; the run continues to close while it is alive');
  else say(stdout, `end the run with Ctrl-C; to let it trade again after that, type: ${COMMAND} resume ${flag}`);
  return flat ? 0 : 1;
}
