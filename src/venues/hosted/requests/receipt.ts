// The reply to one signed action: a receipt, the certainty that nothing was sent, or no definite answer.
import { AssertionError } from '../../../base/assert.ts';
import { messageOf } from '../../../base/errors.ts';
import { ClientError } from '../../../exchange/kit/client-error.ts';
import type { TimeVerdict } from '../../../exchange/kit/sending/cancel-times.ts';
import type { ActionCodec, Receipt } from '../../../wire/codec.ts';
import { meaningOf } from '../../../wire/errors.ts';

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
