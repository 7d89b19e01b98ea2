// Reads the reply to a signed action: its receipt, and the result of the action, or what the reply proves about its failure.
import { AssertionError, messageOf } from '../../base/errors.ts';
import { ClientError, type ClientErrorKind } from '../../base/transport/client-error.ts';
import type { Action } from '../../bot/domain/action.ts';
import type { Level } from '../../bot/domain/book.ts';
import { lots, ticks } from '../../bot/domain/numbers.ts';
import { meaningOf } from '../../bot/exchange/error-meanings.ts';
import type { ActionResult, PlaceReceipt } from '../../bot/exchange/kit/venue-client.ts';
import type { TimeVerdict } from '../shared/cancel-times.ts';
import type { ActionCodec, Receipt } from '../wire/codec.ts';

/** Rejects with a ClientError `notSent`, or `noReply` for a lost or unreadable reply, and with an AssertionError. */
export async function receiptOf(bytes: Promise<Uint8Array>, codec: ActionCodec): Promise<Receipt> {
  try {
    return codec.decodeReceipt(await bytes);
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    const notSent = error instanceof ClientError && error.kind === 'notSent';
    throw failure(notSent ? 'notSent' : 'noReply', messageOf(error));
  }
}

/** True if an error receipt does not prove that these bytes were not executed: a duplicate, lost inside the exchange, or an unknown error name. */
export const isInconclusive = (error: string): boolean =>
  meaningOf(error) === 'duplicate' || error === 'Dropped' || error.startsWith('UNKNOWN_');

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

export const failure = (kind: ClientErrorKind, reason: string): ClientError => new ClientError({ kind, message: reason, reason });

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
