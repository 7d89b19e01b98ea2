// Reads the reply to a signed action: a receipt, the certainty that nothing was sent, or no definite answer; then the result of the action, or what
// the reply proves about its failure.
import { AssertionError } from '../../base/assert.ts';
import { messageOf } from '../../base/errors.ts';
import { ClientError, type ClientErrorKind } from '../../base/transport/client-error.ts';
import type { Action } from '../../bot/domain/action.ts';
import type { Level } from '../../bot/domain/book.ts';
import { lots, ticks } from '../../bot/domain/numbers.ts';
import { meaningOf } from '../../bot/exchange/errors.ts';
import type { TimeVerdict } from '../../bot/exchange/kit/sending/cancel-times.ts';
import type { ActionResult, PlaceReceipt } from '../../bot/exchange/kit/venue-client.ts';
import type { ActionCodec, Receipt } from '../wire/codec.ts';

export type Reply =
  | { readonly kind: 'receipt'; readonly receipt: Receipt }
  | { readonly kind: 'notSent'; readonly reason: string }
  | { readonly kind: 'noAnswer'; readonly reason: string };

/** Rejects only with an AssertionError. A lost or unreadable reply is `noAnswer`. */
export async function replyOf(bytes: Promise<Uint8Array>, codec: ActionCodec): Promise<Reply> {
  try {
    return { kind: 'receipt', receipt: codec.decodeReceipt(await bytes) };
  } catch (error) {
    if (error instanceof AssertionError) throw error;
    const notSent = error instanceof ClientError && error.kind === 'notSent';
    return { kind: notSent ? 'notSent' : 'noAnswer', reason: messageOf(error) };
  }
}

/** True if an error receipt does not prove that these bytes were not executed: a duplicate, lost inside the exchange, or an unknown error name. */
export const isInconclusive = (error: string): boolean =>
  meaningOf(error) === 'duplicate' || error === 'Dropped' || error.startsWith('UNKNOWN_');

/** Returns what a reply says about the time that was signed; an order that is not there was looked for after that time was checked. */
export function timeVerdictOf(reply: Reply): TimeVerdict {
  if (reply.kind !== 'receipt') return 'unclear';
  if (reply.receipt.kind !== 'err') return 'accepted';
  const meaning = meaningOf(reply.receipt.error);
  return meaning === 'time' ? 'refused' : meaning === 'orderNotFound' ? 'accepted' : 'unclear';
}

/** Throws a ClientError unless the action was executed: `noReply` unless the reply proves that it was refused or never sent. */
export function resultOf({ kind }: Pick<Action, 'kind'>, reply: Reply): ActionResult {
  if (reply.kind === 'notSent') throw failure('notSent', reply.reason);
  if (reply.kind === 'noAnswer') throw failure('noReply', reply.reason);
  const { receipt } = reply;
  if (receipt.kind === 'err') throw refusal(kind, receipt.error);
  if (kind === 'cancel' && receipt.kind === 'cancelOrder') return 'cancelled';
  if (kind !== 'place' || receipt.kind !== 'placeOrder')
    throw failure('noReply', `the receipt belongs to another kind of action (${receipt.kind})`);
  const placed = placedOf(receipt);
  if (placed === undefined) throw failure('noReply', 'the receipt holds impossible sizes or prices');
  return placed;
}

const failure = (kind: ClientErrorKind, reason: string): ClientError => new ClientError({ kind, message: reason, reason });

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
