// Whoever looks after the bot's processes: which of their ends are as they should be, and after which they are simply started again.
import type { Millis } from '../base/clock.ts';
import { DiskError } from '../base/disk.ts';
import { UserError } from '../base/errors.ts';
import { Latch } from '../journal/latch.ts';
import type { Ending } from '../run/run.ts';
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

/** After the last modes there is nothing more to do. Whoever asked for one may have been told by a bad disk that it failed, and it is there. */
export const mayEnd = ({ kind }: Ending, { disk }: Scene): boolean => kind === 'settled' && LAST_MODES.has(new Latch(disk).get().mode);
