// Converts the process's answers to orders and cancels into events.
import type { Millis } from '../../../base/clock.ts';
import type { CancelOrder, PlaceOrder } from '../../../domain/action.ts';
import type { CancelAnswered, OrderOpened, OrderRejected, OrderUnknown } from '../../../domain/event.ts';
import type { Market } from '../../../domain/market.ts';
import { lots } from '../../../domain/numbers.ts';
import type { OrderEcho } from '../../../wire/json/local.ts';
import { cancelRefused, orderRefused } from '../../kit/sending/refusal.ts';
import { noAnswerWithin } from '../../kit/sending/sender.ts';
import { LocalError, type NewOrder } from '../client/client.ts';
import type { ListedMarket } from '../market/listing.ts';
import { tradeSideOf } from '../market/snapshots.ts';
import { FLAGS } from './flag-verifier.ts';
import { deadAfter } from './pending-placements.ts';

/** Maximum length of a refusal's text; the log has the full text. */
const MAX_REASON = 120;

/** Converts an order to the request body of the process. */
export function newOrderOf(
  { clientOrderId, side, price, size, fillMode, reduceOnly }: PlaceOrder,
  { name, market }: ListedMarket,
): NewOrder {
  const flag = FLAGS[fillMode];
  return {
    market: name,
    side: tradeSideOf(side),
    price: market.price(price),
    type: 'limit',
    size: market.size(size),
    clientId: clientOrderId,
    ...(flag !== undefined && { [flag]: true }),
    ...(reduceOnly === true && { reduceOnly }),
  };
}

/**
 * Returns the event of an order that is already closed, with its filled size, if the answer reports it. Undefined for all other orders, which polled
 * events show.
 */
export function closedEvent(
  { clientOrderId, price }: PlaceOrder,
  { echo, market, at }: { echo: OrderEcho; market: Market; at: Millis },
): OrderOpened | undefined {
  const filled = echo.filledSize === undefined ? undefined : market.lotsOf(echo.filledSize);
  if (echo.status !== 'closed' || filled === undefined) return undefined;
  const taken = filled === 0 ? [] : [{ price, size: filled }];
  return { kind: 'orderOpened', at, clientOrderId, actionId: clientOrderId, taken, resting: lots(0) };
}

/** Returns why the echo belongs to another order; undefined if no field contradicts. */
export function echoMismatch(
  { clientOrderId, side, price, size }: PlaceOrder,
  echo: OrderEcho,
  { name, market }: ListedMarket,
): string | undefined {
  const differs =
    (echo.clientId !== undefined && echo.clientId !== clientOrderId) ||
    (echo.market !== undefined && echo.market !== name) ||
    (echo.side !== undefined && echo.side !== tradeSideOf(side)) ||
    (echo.price !== undefined && market.ticksOf(echo.price) !== price) ||
    (echo.size !== undefined && market.lotsOf(echo.size) !== size);
  if (!differs) return undefined;
  const what = [echo.side, echo.size, echo.market, echo.price, echo.clientId].filter((value) => value !== undefined).join(' ');
  return `the answer belongs to another order (${what})`;
}

/** Returns the outcome after a failed request: unknown, unless the answer proves that the order was refused. Rethrows any error but a LocalError. */
export function placeFailed(action: PlaceOrder, thrown: unknown, { at, sent }: { at: Millis; sent: Millis }): OrderRejected | OrderUnknown {
  const error = localError(thrown);
  const { clientOrderId } = action;
  if (error.kind === 'notSent') return { kind: 'orderRejected', at, clientOrderId, error: 'NOT_SENT' };
  if (isRefusal(error)) return orderRefused({ at, clientOrderId }, reasonOf(error));
  return { kind: 'orderUnknown', at, clientOrderId, reason: reasonOf(error), deadAfter: deadAfter(sent) };
}

export const placeUnanswered = (
  { clientOrderId }: PlaceOrder,
  { at, sent, waited }: { at: Millis; sent: Millis; waited: Millis },
): OrderUnknown => ({
  kind: 'orderUnknown',
  at,
  clientOrderId,
  reason: noAnswerWithin(waited),
  deadAfter: deadAfter(sent),
});

/** Returns the outcome of a cancel whose request failed. Rethrows any error but a LocalError. */
export function cancelFailed({ clientOrderId }: CancelOrder, thrown: unknown, at: Millis): CancelAnswered {
  const error = localError(thrown);
  const answered = (outcome: CancelAnswered['outcome'], reason: string): CancelAnswered => ({
    kind: 'cancelAnswered',
    at,
    clientOrderId,
    outcome,
    reason,
  });
  if (error.kind === 'notSent') return answered('refused', `NOT_SENT: ${reasonOf(error)}`);
  if (error.kind === 'notFound') return answered('notFound', reasonOf(error));
  return isRefusal(error) ? cancelRefused({ at, clientOrderId }, reasonOf(error)) : answered('unknown', reasonOf(error));
}

export const cancelUnanswered = ({ clientOrderId }: CancelOrder, { at, waited }: { at: Millis; waited: Millis }): CancelAnswered => ({
  kind: 'cancelAnswered',
  at,
  clientOrderId,
  outcome: 'unknown',
  reason: noAnswerWithin(waited),
});

function localError(thrown: unknown): LocalError {
  if (thrown instanceof LocalError) return thrown;
  throw thrown;
}

/**
 * True if the process refused before signing: in its envelope, or by a status of 4xx except 408. After a failure of its own (5xx) the order may have
 * been sent.
 */
function isRefusal({ kind, status = 0 }: LocalError): boolean {
  if (kind !== 'refused' && kind !== 'http' && kind !== 'notFound') return false;
  return status < 500 && status !== REQUEST_TIMEOUT && (kind === 'refused' || status >= 400);
}

const REQUEST_TIMEOUT = 408;

function reasonOf({ reason, message }: LocalError): string {
  const words = reason ?? message;
  return words.length <= MAX_REASON ? words : `${words.slice(0, MAX_REASON - 1)}…`;
}
