// Actions on their way to the exchange: what is written ahead of them, and the last check before each one is sent.
import type { Millis } from '../../../base/clock.ts';
import type { Action } from '../../../domain/action.ts';
import type { ClientOrderId, UpdateId } from '../../../domain/ids.ts';

/** One action as it is written ahead. An action that the local signing process signs has no bytes, time or nonce known here. */
export interface SealedAction {
  readonly action: 'place' | 'cancel' | 'createSession';
  /** Absent for a session, and for a cancel that concerns no order of ours. */
  readonly clientOrderId?: ClientOrderId | undefined;
  /** Engine time in seconds that the bytes are signed with. */
  readonly timestamp?: number | undefined;
  /** Seconds after which it can never execute, if its exchange does not derive that from the timestamp. */
  readonly deadAfter?: number | undefined;
  /** The engine time in seconds that was last observed then: later than the timestamp if the timestamp is back-dated. */
  readonly heard?: number | undefined;
  readonly nonce?: number | undefined;
  /** The update id of the newest account snapshot then: a snapshot with an older id was made before this action. */
  readonly account?: UpdateId | undefined;
  /** The bytes exactly as they will be sent. */
  readonly body?: Uint8Array | undefined;
}

/** Writes the actions ahead. Returns when all of them are durable, or when that has failed. */
export type WriteAhead = (sealed: readonly SealedAction[]) => SendPermit;

/**
 * Called once for each order, right before it is sent, which may be a while after it was submitted. Returns why it may not be sent, or undefined.
 * Cancels are always sent.
 */
export type SendPermit = () => string | undefined;

/** An order that waited longer than this for the cancels before it is not sent: the data it was decided on may be out of date. */
export const LONGEST_WAIT: Millis = 3_500;
const TOO_LATE = 'the cancels that had to be answered first took too long';

/** The conditions for sending the actions of one submission: when it was decided, and the permit of the journal. */
export interface SendConditions {
  readonly permit: SendPermit;
  readonly asked: Millis;
}

/** Returns why a submitted action may not be sent now, or undefined if it may. Late orders may not; cancels always may. */
export function whyNotSend({ kind }: Action, { permit, asked }: SendConditions, now: Millis): string | undefined {
  if (kind === 'cancel') return undefined;
  return now > asked + LONGEST_WAIT ? TOO_LATE : permit();
}

/** For a process whose actions need not survive it. */
export const NO_WRITE_AHEAD: WriteAhead = () => () => undefined;
