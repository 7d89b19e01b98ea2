// Tracks orders from sending until a poll shows them: the process answers before its lists show the order, and without an order id.
import type { Millis } from '../../../base/clock.ts';
import type { PlaceOrder } from '../../../domain/action.ts';
import type { AccountSeen, OrderOpened, OrderRejected, OrderUnknown } from '../../../domain/event.ts';
import type { ClientOrderId } from '../../../domain/ids.ts';
import type { Fill } from '../../../domain/order.ts';
import { crosses } from '../../../domain/side.ts';

/** Maximum delay of the process's lists behind its answers. */
export const LISTING_LAG: Millis = 2_000;
/** How long the process may hold an order before it signs the order. */
const MAX_HOLD: Millis = 15_000;
/** How long the exchange accepts a signed order. */
const SIGNED_LIFE: Millis = 60_000;
/** How long a sent order may still be placed. */
export const ORDER_LIFE: Millis = MAX_HOLD + SIGNED_LIFE;

/**
 * Returns the second of the local clock after which an order sent at `sent` can no longer be placed. The exchange does not prove it, so the life has a
 * margin.
 */
export const deadAfter = (sent: Millis): number => Math.ceil((sent + ORDER_LIFE) / 1_000);

interface PendingPlacement {
  readonly action: PlaceOrder;
  readonly sent: Millis;
  /** When the process accepted it; undefined until it has answered. */
  acceptedAt?: Millis;
  /** The evidence that a poll showed before the answer. */
  shown?: Evidence;
  /** True once the order was reported as unknown because no poll showed it in time. */
  reportedUnknown: boolean;
}

/** The order in the book, with its order id, or among our fills. */
type Evidence = Pick<OrderOpened, 'orderId' | 'resting'>;

export class PendingPlacements {
  readonly #pending = new Map<ClientOrderId, PendingPlacement>();

  sent(action: PlaceOrder, at: Millis): void {
    this.#pending.set(action.clientOrderId, { action, sent: at, reportedUnknown: false });
  }

  /** Called when the process accepted an order. Returns its event if a poll has already shown the order; otherwise the order stays pending. */
  accepted(clientOrderId: ClientOrderId, at: Millis): readonly OrderOpened[] {
    const pending = this.#pending.get(clientOrderId);
    if (pending === undefined) return [];
    pending.acceptedAt = at;
    return pending.shown === undefined ? [] : [this.#opened(pending, pending.shown, at)];
  }

  /**
   * Called for any other answer, or for a timeout. Returns the answer unless the order was already reported as unknown. An unknown order stays
   * pending, because an answer may still come.
   */
  answered<A extends OrderOpened | OrderRejected | OrderUnknown>(answer: A): readonly A[] {
    if (answer.kind !== 'orderUnknown') {
      this.#pending.delete(answer.clientOrderId);
      return [answer];
    }
    const pending = this.#pending.get(answer.clientOrderId);
    if (pending === undefined || pending.reportedUnknown) return [];
    pending.reportedUnknown = true;
    return [answer];
  }

  /**
   * Reports a listed order as open. Reports an order once as unknown if the account was requested long enough after the answer and does not list it.
   */
  accountSeen({ account, asked, at }: AccountSeen): readonly (OrderOpened | OrderUnknown)[] {
    const listed = new Map(account.orders.map((order) => [order.clientOrderId, order]));
    return [...this.#pending.values()].flatMap((pending): readonly (OrderOpened | OrderUnknown)[] => {
      const { clientOrderId } = pending.action;
      const resting = listed.get(clientOrderId);
      if (resting !== undefined) return this.#seen(pending, { orderId: resting.orderId, resting: resting.size }, at);
      if (asked / 1_000 > deadAfter(pending.sent)) this.#pending.delete(clientOrderId);
      if (pending.acceptedAt === undefined || asked < pending.acceptedAt + LISTING_LAG) return [];
      const reason = `the process accepted it, but neither its orders nor its fills showed it within ${LISTING_LAG / 1_000} s`;
      return this.answered({ kind: 'orderUnknown', at, clientOrderId, reason, deadAfter: deadAfter(pending.sent) });
    });
  }

  /** Attributes each fill, which has no order id, to the first pending order that it fits. */
  filled(fills: readonly Fill[], at: Millis): readonly OrderOpened[] {
    return fills.flatMap((fill) => {
      const pending = [...this.#pending.values()].find(({ action, shown }) => shown === undefined && couldHaveMade(action, fill));
      return pending === undefined ? [] : this.#seen(pending, {}, at);
    });
  }

  #seen(pending: PendingPlacement, evidence: Evidence, at: Millis): readonly OrderOpened[] {
    pending.shown = evidence;
    return pending.acceptedAt === undefined ? [] : [this.#opened(pending, evidence, at)];
  }

  /** The client id is used as the action id, which the process does not provide. */
  #opened({ action: { clientOrderId } }: PendingPlacement, evidence: Evidence, at: Millis): OrderOpened {
    this.#pending.delete(clientOrderId);
    return { kind: 'orderOpened', at, clientOrderId, actionId: clientOrderId, taken: [], ...evidence };
  }
}

/**
 * True if the order could have made the fill: as taker at any price that it crosses, as maker at its own price. An immediate-or-cancel order is never
 * a maker.
 */
export function couldHaveMade({ market, side, price, size, fillMode }: PlaceOrder, fill: Fill): boolean {
  if (fill.market !== market || fill.side !== side || fill.size > size) return false;
  return fill.role === 'taker' ? crosses(side, price, fill.price) : fill.price === price && fillMode !== 'IMMEDIATE_OR_CANCEL';
}
