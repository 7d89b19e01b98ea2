// Turns a refusal by the exchange into an event; marks the market as frozen if the refusal says so.
import type { Millis } from '../../../../base/clock.ts';
import type { CancelAnswered, OrderRejected } from '../../../domain/event.ts';
import type { ClientOrderId } from '../../../domain/ids.ts';
import { saysFrozen } from '../../errors.ts';

interface Refused {
  readonly at: Millis;
  readonly clientOrderId: ClientOrderId;
}

/** Returns the event of a refused order; `error` is the reason of the exchange. */
export const orderRefused = ({ at, clientOrderId }: Refused, error: string): OrderRejected => ({
  kind: 'orderRejected',
  at,
  clientOrderId,
  error,
  ...(saysFrozen(error) && { frozen: true }),
});

/** Returns the event of an order without an answer of which the exchange has said that it was never admitted and never can be. */
export const neverAdmitted = ({ at, clientOrderId }: Refused): OrderRejected => ({
  kind: 'orderRejected',
  at,
  clientOrderId,
  error: 'NEVER_ADMITTED',
  settled: true,
});

/** Returns the event of a refused cancel. */
export const cancelRefused = ({ at, clientOrderId }: Refused, reason: string): CancelAnswered => ({
  kind: 'cancelAnswered',
  at,
  clientOrderId,
  outcome: 'refused',
  reason,
  ...(saysFrozen(reason) && { frozen: true }),
});
