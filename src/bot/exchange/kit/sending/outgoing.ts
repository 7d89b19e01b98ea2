// The write-ahead record of outgoing actions, and the last check before each one is sent.
import type { Millis } from '../../../../base/clock.ts';
import type { Action } from '../../../domain/action.ts';
import type { ClientOrderId, UpdateId } from '../../../domain/ids.ts';

/** The write-ahead record of one action. An action signed by the local process has no bytes, timestamp or nonce here. */
export interface SealedAction {
  readonly action: 'place' | 'cancel' | 'createSession';
  /** Absent for a session, and for a cancel of a foreign order. */
  readonly clientOrderId?: ClientOrderId | undefined;
  /** The signed timestamp, in engine seconds. */
  readonly timestamp?: number | undefined;
  /** Exchange time in seconds after which the action can no longer execute, if that does not follow from the timestamp. */
  readonly deadAfter?: number | undefined;
  /** The newest engine time in seconds that was known when the action was signed; later than `timestamp` if that is back-dated. */
  readonly heard?: number | undefined;
  readonly nonce?: number | undefined;
  /** The update id of the newest account that was known then; an account with an older id was read before this action. */
  readonly account?: UpdateId | undefined;
  /** The bytes exactly as they will be sent. */
  readonly body?: Uint8Array | undefined;
}

/** Writes the actions to the write-ahead log. Returns when all are durable, or when writing has failed. */
export type WriteAhead = (sealed: readonly SealedAction[]) => SendPermit;

/**
 * Called once for each order right before it is sent, possibly long after it was submitted. Returns why it may not be sent, or undefined. Cancels are
 * always sent.
 */
export type SendPermit = () => string | undefined;

/** Maximum wait of an order for the cancels before it. After that it is not sent, because the data on which it was decided is too old. */
export const LONGEST_WAIT: Millis = 3_500;
const TOO_LATE = 'the cancels that had to be answered first took too long';

/** The conditions for sending the actions of one submission: the time of the decision, and the permit of the journal. */
export interface SendConditions {
  readonly permit: SendPermit;
  readonly asked: Millis;
}

/** Returns why a submitted action may not be sent now, or undefined if it may. Late orders may not; cancels always may. */
export function whyNotSend({ kind }: Action, { permit, asked }: SendConditions, now: Millis): string | undefined {
  if (kind === 'cancel') return undefined;
  return now > asked + LONGEST_WAIT ? TOO_LATE : permit();
}

/** Writes nothing, for a process whose actions need not survive it. */
export const NO_WRITE_AHEAD: WriteAhead = () => () => undefined;
