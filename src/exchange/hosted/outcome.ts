// What a reply means for the order or the cancel that asked for it.
import type { Millis } from '../../base/clock.ts';
import type { CancelOrder, PlaceOrder } from '../../domain/action.ts';
import type { Level } from '../../domain/book.ts';
import type { CancelAnswered, OrderOpened, OrderRejected, OrderUnknown } from '../../domain/event.ts';
import type { Lots, Ticks } from '../../domain/numbers.ts';
import type { Receipt } from '../../wire/codec.ts';
import { meaningOf } from '../../wire/errors.ts';
import { leavesOpen, type Reply } from './receipt.ts';

/** How far from its timestamp the exchange accepts an action; one more because it counts whole seconds, two for one it took in time and executes late. */
const ACCEPTED_FOR = 60 + 1 + 2;

export interface When {
  readonly at: Millis;
  /** Engine time that was signed, in seconds. */
  readonly timestamp: number;
}

/** `orderUnknown` unless the reply proves that the order was taken, or that it was not. */
export function placed({ clientOrderId }: PlaceOrder, reply: Reply, { at, timestamp }: When): OrderOpened | OrderRejected | OrderUnknown {
  const rejected = (error: string): OrderRejected => ({ kind: 'orderRejected', at, clientOrderId, error });
  const unknown = (reason: string): OrderUnknown => ({ kind: 'orderUnknown', at, clientOrderId, reason, deadAfter: timestamp + ACCEPTED_FOR });
  if (reply.kind === 'notSent') return rejected('NOT_SENT');
  if (reply.kind === 'noAnswer') return unknown(reply.reason);
  const { receipt } = reply;
  if (receipt.kind === 'err') return leavesOpen(receipt.error) ? unknown(receipt.error) : rejected(receipt.error);
  if (receipt.kind !== 'placeOrder') return unknown(foreign(receipt));
  const result = resultOf(receipt);
  return result === undefined ? unknown('the receipt holds impossible numbers') : { kind: 'orderOpened', at, clientOrderId, actionId: receipt.actionId, ...result };
}

/** A cancel that did not leave, or was refused, leaves the order where it is; one without a definite answer may or may not. */
export function cancelled({ clientOrderId }: CancelOrder, reply: Reply, at: Millis): CancelAnswered {
  const answered = (outcome: CancelAnswered['outcome'], reason?: string): CancelAnswered => ({
    kind: 'cancelAnswered',
    at,
    clientOrderId,
    outcome,
    ...(reason !== undefined && { reason }),
  });
  if (reply.kind === 'notSent') return answered('refused', `NOT_SENT: ${reply.reason}`);
  if (reply.kind === 'noAnswer') return answered('unknown', reply.reason);
  const { receipt } = reply;
  if (receipt.kind === 'cancelOrder') return answered('cancelled');
  if (receipt.kind !== 'err') return answered('unknown', foreign(receipt));
  if (meaningOf(receipt.error) === 'orderNotFound') return answered('notFound');
  return answered(leavesOpen(receipt.error) ? 'unknown' : 'refused', receipt.error);
}

const foreign = (receipt: Receipt): string => `the receipt is one of another kind (${receipt.kind})`;

/** Undefined where a number is beyond what an order can have. */
function resultOf({ posted, fills }: Extract<Receipt, { kind: 'placeOrder' }>): Pick<OrderOpened, 'orderId' | 'taken' | 'resting'> | undefined {
  const taken: Level[] = [];
  for (const fill of fills) {
    const [price, size] = [Number(fill.price), Number(fill.size)];
    if (!Number.isSafeInteger(price) || !Number.isSafeInteger(size)) return undefined;
    taken.push({ price: price as Ticks, size: size as Lots });
  }
  if (posted === undefined) return fills.length === 0 ? { taken } : { taken, resting: 0 as Lots };
  const resting = Number(posted.size);
  if (!Number.isSafeInteger(resting)) return undefined;
  return { orderId: posted.orderId, taken, ...(resting > 0 && { resting: resting as Lots }) };
}
