// Whoever looks after the bot's processes: which of their ends are as they should be, and after which they are simply started again.
import type { Millis } from '../base/clock.ts';
import { DiskError } from '../base/disk.ts';
import { UserError } from '../base/errors.ts';
import { Latch } from '../journal/latch.ts';
import { CLOSING, type Ending } from '../run/run.ts';
import type { Scene } from './scene.ts';

const PASSING: ReadonlySet<string> = new Set(['exchange', 'session', 'engine-time']);
const LAST_MODES: ReadonlySet<string> = new Set(['cancel-all', 'flatten']);

/** A start that failed for what will pass. A proxy that answers 404 for the exchange denies the account. */
export const isPassing = (error: unknown, { faults, now }: Scene): boolean =>
  error instanceof DiskError ||
  (error instanceof UserError && (PASSING.has(error.code) || (error.code === 'account' && isDenying(faults, now()))));

/** A start takes no longer. */
const A_START: Millis = 60_000;
const isDenying = (faults: Scene['faults'], now: Millis): boolean =>
  faults.of('status').some(({ amount, from, until }) => amount === 404 && from <= now && now <= until + A_START);

/**
 * After the last modes there is nothing more to do. Whoever asked for one may have been told by a bad disk that it failed, and it is there. Where an order
 * has no answer, the end is settled only if the exchange's time, by which its bytes die, has gone on meanwhile.
 */
export const mayEnd = ({ kind }: Ending, { disk, faults, now }: Scene): boolean =>
  LAST_MODES.has(new Latch(disk).get().mode) && (kind === 'settled' || (kind === 'unsettled' && timeLost(faults, now()) > SPARE));

/** So much longer than bytes live a closing may last. */
const SPARE: Millis = 20_000;

/** How much of its time the exchange stood still or went back since a closing that ends now began. */
function timeLost(faults: Scene['faults'], now: Millis): Millis {
  const within = (from: Millis, until: Millis): Millis => Math.max(0, Math.min(until, now) - Math.max(from, now - CLOSING));
  const stood = faults.of('stall').reduce((sum, { from, until }) => sum + within(from, until), 0);
  const wentBack = faults.of('backward').filter(({ from }) => from >= now - CLOSING && from <= now);
  return stood + wentBack.reduce((sum, { amount = 0 }) => sum + amount * 1_000, 0);
}
