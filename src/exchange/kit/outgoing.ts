// What is about to leave for the exchange, as it is written down before its first byte does.
import type { Millis } from '../../base/clock.ts';
import type { Action } from '../../domain/action.ts';
import type { ClientOrderId, UpdateId } from '../../domain/ids.ts';

/** What the local process signs has no bytes, time or nonce that we know. */
export interface SealedAction {
  readonly action: 'place' | 'cancel' | 'createSession';
  /** Absent for a session, and for a cancel that concerns no order of ours. */
  readonly clientOrderId?: ClientOrderId | undefined;
  /** Engine time in seconds that the bytes are signed with. */
  readonly timestamp?: number | undefined;
  /** The engine time in seconds that was last heard then: later than the timestamp where that is back-dated. */
  readonly heard?: number | undefined;
  readonly nonce?: number | undefined;
  /** The number of the newest account by then: what shows an older one is older than this action. */
  readonly account?: UpdateId | undefined;
  /** Exactly as they will be sent. */
  readonly body?: Uint8Array | undefined;
}

/** Returns when all of it is durable, or could not be made so. */
export type WriteAhead = (sealed: readonly SealedAction[]) => SendPermit;

/** Asked once for each order, right before it leaves, which may be a while later: why it may not, or undefined. Cancels leave in any case. */
export type SendPermit = () => string | undefined;

/** An order that had to wait longer than this for the cancels before it was decided on what may no longer be so. */
const LONGEST_WAIT: Millis = 3_500;
const TOO_LATE = 'the cancels before it took too long';

/** What the actions of one submission may leave by: when it was decided, and the word of the journal. */
export interface Leave {
  readonly clearance: SendPermit;
  readonly asked: Millis;
}

/** Why an action may not leave now, though it was submitted; undefined if it may. Orders may not leave late; cancels leave in any case. */
export function whyNotLeave({ kind }: Action, { clearance, asked }: Leave, now: Millis): string | undefined {
  if (kind === 'cancel') return undefined;
  return now > asked + LONGEST_WAIT ? TOO_LATE : clearance();
}

/** For what is forgotten with the process. */
export const NO_WRITE_AHEAD: WriteAhead = () => () => undefined;
