// Reads the receipt of a signed action: the result of the action, or what the receipt proves about its failure.
import type { ClientError } from '../../base/transport/client-error.ts';
import type { Action } from '../../bot/domain/action.ts';
import type { Level } from '../../bot/domain/book.ts';
import { lots, ticks } from '../../bot/domain/numbers.ts';
import { meaningOf } from '../../bot/exchange/error-meanings.ts';
import type { ActionResult, PlaceReceipt } from '../../bot/exchange/kit/venue-client.ts';
import { failure, isInconclusive } from '../client/hosted-actions.ts';
import type { TimeVerdict } from '../shared/cancel-times.ts';
import type { Receipt } from '../wire/codec.ts';

/** Returns what a receipt says about the time that was signed; an order that is not there was looked for after that time was checked. */
export function timeVerdictOf(receipt: Receipt): TimeVerdict {
  if (receipt.kind !== 'err') return 'accepted';
  const meaning = meaningOf(receipt.error);
  return meaning === 'time' ? 'refused' : meaning === 'orderNotFound' ? 'accepted' : 'unclear';
}

/** Throws a ClientError unless the action was executed: `noReply` unless the receipt proves that it was refused. */
export function resultOf({ kind }: Pick<Action, 'kind'>, receipt: Receipt): ActionResult {
  if (receipt.kind === 'err') throw refusal(kind, receipt.error);
  if (kind === 'cancel' && receipt.kind === 'cancelOrder') return 'cancelled';
  if (kind !== 'place' || receipt.kind !== 'placeOrder')
    throw failure('noReply', `the receipt belongs to another kind of action (${receipt.kind})`);
  const placed = placedOf(receipt);
  if (placed === undefined) throw failure('noReply', 'the receipt holds impossible sizes or prices');
  return placed;
}

function refusal(kind: Action['kind'], error: string): ClientError {
  if (kind === 'cancel' && meaningOf(error) === 'orderNotFound') return failure('notFound', error);
  return failure(isInconclusive(error) ? 'noReply' : 'refused', error);
}

/** Returns the fills and the resting part of a placed order; undefined if a number is out of range. */
function placedOf({ actionId, posted, fills }: Extract<Receipt, { kind: 'placeOrder' }>): PlaceReceipt | undefined {
  const numbers = [...fills.flatMap(({ price, size }) => [price, size]), posted?.size ?? 0n].map(Number);
  if (!numbers.every(Number.isSafeInteger)) return undefined;
  const taken = fills.map(({ price, size }): Level => ({ price: ticks(Number(price)), size: lots(Number(size)) }));
  if (posted === undefined) return fills.length === 0 ? { actionId, taken } : { actionId, taken, resting: lots(0) };
  return {
    actionId,
    taken,
    ...(posted.orderId !== '0' && { orderId: posted.orderId }), // an exchange that omits a field sends 0
    ...(posted.size > 0n && { resting: lots(Number(posted.size)) }),
  };
}
