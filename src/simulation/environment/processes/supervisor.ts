// Whoever looks after the bot's processes: which of their ends are as they should be, and after which they are simply started again.
import type { Millis } from '../../../base/clock.ts';
import { DiskError } from '../../../base/disk.ts';
import { messageOf, UserError } from '../../../base/errors.ts';
import { rngFrom } from '../../../base/rng.ts';
import { START_TIMEOUT } from '../../../exchange/kit/start-questions.ts';
import { KillSwitch } from '../../../journal/kill-switch.ts';
import { CLOSING, type Ending } from '../../../run/core/run.ts';
import type { ForeignOrders } from '../../../run/core/start-check.ts';
import type { Scene } from '../../invariants/scene.ts';
import { oneOf } from '../../plan/options.ts';
import { stackOf } from './stack.ts';

const PASSING: ReadonlySet<string> = new Set(['exchange', 'session', 'engine-time']);
const LAST_MODES: ReadonlySet<string> = new Set(['cancel-all', 'flatten']);

/** A start that failed for what will pass. A proxy that answers 404 for the exchange denies the account. */
const isPassing = (error: unknown, { faults, now }: Scene): boolean =>
  error instanceof DiskError ||
  (error instanceof UserError && (PASSING.has(error.code) || (error.code === 'account' && isDenying(faults, now()))));

/** A start takes no longer. */
const A_START: Millis = 60_000;
/** Statuses by which a server says that the request itself is wrong. */
const DENIALS: ReadonlySet<number> = new Set([302, 307, 400, 404, 413]);
const isDenying = (faults: Scene['faults'], now: Millis): boolean =>
  faults.of('status').some(({ amount = 0, from, until }) => DENIALS.has(amount) && from <= now && now <= until + A_START);

/** A start gives up where the next pause would be longer than the time that is left. */
const LONGEST_PAUSE: Millis = 10_000;

/**
 * Judges a start that failed after asking for so long by its own clock. Returns what a person chooses for orders that it has refused to trade beside: those of others stay; after a loss of the state,
 * when others have taken theirs back, they are taken over or cancelled, as the seed decides. Undefined where it is simply started again.
 */
export function choiceAfter(error: unknown, { asked, scene }: { asked: Millis; scene: Scene }): ForeignOrders | undefined {
  const choice = chosenAfter(error, scene);
  if (choice !== undefined) scene.met('start refused beside orders that the state does not know');
  else if (!isPassing(error, scene)) scene.fail('V23', `the bot cannot start: ${stackOf(error)}`);
  else if (error instanceof UserError && asked < START_TIMEOUT - LONGEST_PAUSE && !isDenying(scene.faults, scene.now()))
    scene.fail('V23', `the bot gave up its start after ${asked} ms: ${messageOf(error)}`);
  else scene.met('start failed and was tried again');
  return choice;
}

function chosenAfter(error: unknown, { options, venue, record }: Scene): ForeignOrders | undefined {
  if (!(error instanceof UserError) || (error.code !== 'foreign' && error.code !== 'state')) return undefined;
  if (record.losses === 0) return error.code === 'foreign' && venue.hands.hasTraded ? 'ignore' : undefined;
  venue.hands.holdFor(A_START);
  return oneOf(rngFrom(`${options.seed}/choice ${record.losses}`), ['adopt', 'cancel'] as const);
}

/**
 * After the last modes there is nothing more to do. Whoever asked for one may have been told by a bad disk that it failed, and it is there. Where an order
 * has no answer, the end is settled only if the exchange's time, by which its bytes die, has gone on meanwhile.
 */
export const mayEnd = ({ kind }: Ending, { disk, faults, now }: Scene): boolean =>
  LAST_MODES.has(new KillSwitch(disk).get().mode) && (kind === 'settled' || (kind === 'unsettled' && timeLost(faults, now()) > SPARE));

/** So much longer than bytes live a closing may last. */
const SPARE: Millis = 20_000;

/** How much of its time the exchange stood still or went back since a closing that ends now began. */
function timeLost(faults: Scene['faults'], now: Millis): Millis {
  const within = (from: Millis, until: Millis): Millis => Math.max(0, Math.min(until, now) - Math.max(from, now - CLOSING));
  const stood = faults.of('stall').reduce((sum, { from, until }) => sum + within(from, until), 0);
  const wentBack = faults.of('backward').filter(({ from }) => from >= now - CLOSING && from <= now);
  return stood + wentBack.reduce((sum, { amount = 0 }) => sum + amount * 1_000, 0);
}
