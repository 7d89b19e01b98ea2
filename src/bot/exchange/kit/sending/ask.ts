// Asks whether an order is gone: a read of the order comes first, and a cancel is sent only if the read does not show it open.
import type { Millis } from '../../../../base/clock.ts';
import { orElse } from '../../../../base/transport/client-error.ts';
import type { Action } from '../../../domain/action.ts';
import type { CancelAnswered } from '../../../domain/event.ts';

/** True for a cancel that asks whether its order is gone. */
export const isQuestion = (action: Action): boolean => action.kind === 'cancel' && action.unlessOpen === true;

/** Returns true if the read shows the order open. A read that fails shows nothing: the exchange may have no such read. */
export const showsOpen = (read: Promise<boolean>): Promise<boolean> => orElse(read, false);

/** Returns the outcome of a cancel that was not sent, because the exchange shows its order open. */
export const stillOpen = ({ clientOrderId }: Pick<Action, 'clientOrderId'>, at: Millis): CancelAnswered => ({
  kind: 'cancelAnswered',
  at,
  clientOrderId,
  outcome: 'open',
});
