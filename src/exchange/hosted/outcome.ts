// Converts the replies to orders and cancels into outcome events.
import type { Millis } from '../../base/clock.ts';
import { type Action, type CancelOrder, DEFAULT_ORDER_LIFE, type PlaceOrder } from '../../domain/action.ts';
import type { Level } from '../../domain/book.ts';
import type { CancelAnswered, OrderOpened } from '../../domain/event.ts';
import { lots, ticks } from '../../domain/numbers.ts';
import type { Receipt } from '../../wire/codec.ts';
import { meaningOf } from '../../wire/errors.ts';
import { cancelRefused, orderRefused } from '../kit/sending/refusal.ts';
import { notSent, type Outcome } from '../kit/sending/sender.ts';
import { isInconclusive, type Reply } from './client/receipt.ts';

/** ReplyTime a reply came, and the signed timestamp of its action in engine seconds. */
export interface ReplyTime {
  readonly at: Millis;
  readonly timestamp: number;
}

/** Returns the outcome of an action: unknown, unless the reply proves that it was executed or refused. */
export function outcomeOf(action: Action, reply: Reply, when: ReplyTime): Outcome {
  if (reply.kind === 'notSent') return notSent(action, { at: when.at, reason: reply.reason });
  return action.kind === 'place' ? placeOutcome(action, reply, when) : cancelOutcome(action, reply, when);
}

type Sent = Exclude<Reply, { kind: 'notSent' }>;

function placeOutcome({ clientOrderId }: PlaceOrder, reply: Sent, { at, timestamp }: ReplyTime): Outcome {
  const unknown = (reason: string): Outcome => ({
    kind: 'orderUnknown',
    at,
    clientOrderId,
    reason,
    deadAfter: timestamp + DEFAULT_ORDER_LIFE,
  });
  if (reply.kind === 'noAnswer') return unknown(reply.reason);
  const { receipt } = reply;
  if (receipt.kind === 'err')
    return isInconclusive(receipt.error) ? unknown(receipt.error) : orderRefused({ at, clientOrderId }, receipt.error);
  if (receipt.kind !== 'placeOrder') return unknown(otherKind(receipt));
  const result = resultOf(receipt);
  if (result === undefined) return unknown('the receipt holds impossible sizes or prices');
  return { kind: 'orderOpened', at, clientOrderId, actionId: receipt.actionId, ...result };
}

function cancelOutcome({ clientOrderId }: CancelOrder, reply: Sent, { at }: ReplyTime): Outcome {
  const answered = (outcome: CancelAnswered['outcome'], reason: string): Outcome => ({
    kind: 'cancelAnswered',
    at,
    clientOrderId,
    outcome,
    reason,
  });
  if (reply.kind === 'noAnswer') return answered('unknown', reply.reason);
  const { receipt } = reply;
  if (receipt.kind === 'cancelOrder') return { kind: 'cancelAnswered', at, clientOrderId, outcome: 'cancelled' };
  if (receipt.kind !== 'err') return answered('unknown', otherKind(receipt));
  if (meaningOf(receipt.error) === 'orderNotFound') return answered('notFound', receipt.error);
  return isInconclusive(receipt.error) ? answered('unknown', receipt.error) : cancelRefused({ at, clientOrderId }, receipt.error);
}

const otherKind = (receipt: Receipt): string => `the receipt belongs to another kind of action (${receipt.kind})`;

/** Returns the fills and the resting part of a placed order; undefined if a number is out of range. */
function resultOf({
  posted,
  fills,
}: Extract<Receipt, { kind: 'placeOrder' }>): Pick<OrderOpened, 'orderId' | 'taken' | 'resting'> | undefined {
  const numbers = [...fills.flatMap(({ price, size }) => [price, size]), posted?.size ?? 0n].map(Number);
  if (!numbers.every(Number.isSafeInteger)) return undefined;
  const taken = fills.map(({ price, size }): Level => ({ price: ticks(Number(price)), size: lots(Number(size)) }));
  if (posted === undefined) return fills.length === 0 ? { taken } : { taken, resting: lots(0) };
  return {
    taken,
    ...(posted.orderId !== '0' && { orderId: posted.orderId }), // an exchange that omits a field sends 0
    ...(posted.size > 0n && { resting: lots(Number(posted.size)) }),
  };
}
