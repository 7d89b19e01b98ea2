// The supervisor of the bot's processes: which endings are correct, and how the next process is started.

import type { Millis } from '../../../../base/clock.ts';
import { messageOf, UserError } from '../../../../base/errors.ts';
import { DiskError } from '../../../../base/files/disk.ts';
import { rngFrom } from '../../../../base/rng.ts';
import { START_TIMEOUT } from '../../../../bot/exchange/kit/start-retries.ts';
import { KillSwitch } from '../../../../bot/journal/kill-switch.ts';
import type { Ending } from '../../../../bot/run/core/run.ts';
import type { ForeignOrdersPolicy } from '../../../../bot/run/state/entries.ts';
import type { Path } from '../../plan/faults.ts';
import { oneOf } from '../../plan/options.ts';
import type { Scene } from '../scene.ts';
import { stackOf } from './make-process.ts';

const TEMPORARY_ERRORS: ReadonlySet<string> = new Set(['exchange', 'session', 'engine-time']);
const ENDING_MODES: ReadonlySet<string> = new Set(['cancel-all', 'flatten']);

/** True if a start failed for a temporary reason. A proxy that answers 404 for the exchange denies the account. */
const isTemporary = (error: unknown, { faults, now }: Scene): boolean =>
  error instanceof DiskError ||
  (error instanceof UserError && (TEMPORARY_ERRORS.has(error.code) || (error.code === 'account' && isDenying(faults, now()))));

/** The longest time that a start takes. */
const MAX_START: Millis = 60_000;
/** Redirects, and statuses by which a server says that the request itself is wrong: a start ends at them, because a retry would not help. */
const DENIALS: ReadonlySet<number> = new Set([302, 307, 400, 404, 413]);
const isDenying = (faults: Scene['faults'], now: Millis): boolean =>
  faults.of('status').some(({ amount = 0, from, until }) => DENIALS.has(amount) && from <= now && now <= until + MAX_START);

/** The longest pause between two requests of a start, which gives up if the next one would be longer than the time that is left. */
const LONGEST_PAUSE: Millis = 10_000;

/**
 * Classifies a start that failed after `asked` milliseconds of requests, by its own clock. Returns what the next start does with the orders beside which
 * this one refused to trade: a person's orders stay; after a loss of the state, orders are taken over or cancelled, as the seed decides. Returns
 * undefined if the bot is started again without a choice.
 */
export function choiceAfter(
  error: unknown,
  { asked, process, scene }: { readonly asked: Millis; readonly process: number; readonly scene: Scene },
): ForeignOrdersPolicy | undefined {
  const choice = chosenAfter(error, scene);
  // An old account may list what ended before the journal was shortened, and a lie may show the orders of somebody else.
  const isMisled =
    (isAboutOrders(error) && (scene.tolerated.isMisled(process) || liesAbout('account', scene))) ||
    (error instanceof UserError && error.code === 'schema' && liesAbout('info', scene));
  if (choice !== undefined) scene.reached('start refused beside orders that the state does not know');
  else if (isMisled) scene.reached('start failed and was tried again');
  else if (!isTemporary(error, scene)) scene.fail('V23', `the bot cannot start: ${stackOf(error)}`);
  else if (error instanceof UserError && asked < START_TIMEOUT - LONGEST_PAUSE && !isDenying(scene.faults, scene.now()))
    scene.fail('V23', `the bot gave up its start after ${asked} ms: ${messageOf(error)}`);
  else scene.reached('start failed and was tried again');
  return choice;
}

/** True if a lie of that endpoint lasts, or has ended while a start could still have read it. */
const liesAbout = (about: Path, { faults, now }: Scene): boolean =>
  faults.of('lie').some(({ path, from, until }) => path === about && from <= now() && now() <= until + MAX_START);

const isAboutOrders = (error: unknown): error is UserError =>
  error instanceof UserError && (error.code === 'foreign' || error.code === 'state');

function chosenAfter(error: unknown, { options, venue, record }: Scene): ForeignOrdersPolicy | undefined {
  if (!isAboutOrders(error)) return undefined;
  if (record.losses === 0) return error.code === 'foreign' && venue.manualTrader.hasTraded ? 'ignore' : undefined;
  venue.manualTrader.holdFor(MAX_START);
  venue.manualTrader.isTakenOver = () => true; // until a process trades: the journal may hold the takeover, and every start continues it
  return oneOf(rngFrom(`${options.seed}/choice ${record.losses}`), ['adopt', 'cancel'] as const);
}

/**
 * True if the run may end by itself: its mode ends it, or a person has stopped it. A broken disk may have reported that setting such a mode failed
 * although it is set. The invariant of endings checks whether it may leave an order without an answer.
 */
export const mayEnd = ({ kind }: Ending, { disk, faults, now }: Scene): boolean =>
  kind !== 'failed' && (ENDING_MODES.has(new KillSwitch(disk).get().mode) || faults.of('stop').some(({ from }) => from <= now()));
