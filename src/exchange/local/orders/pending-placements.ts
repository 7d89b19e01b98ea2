// Orders from sending until a poll shows them: the process answers before its own lists do, and its answer does not name the order.
import type { Millis } from '../../../base/clock.ts';
import type { PlaceOrder } from '../../../domain/action.ts';
import type { AccountSeen, OrderOpened, OrderRejected, OrderUnknown } from '../../../domain/event.ts';
import type { ClientOrderId } from '../../../domain/ids.ts';
import type { Fill } from '../../../domain/order.ts';
import { crosses } from '../../../domain/side.ts';

/** How late the process's lists may show what it has already answered. */
export const LISTING_LAG: Millis = 2_000;
/** How long the process may hold an order before signing it, and how long the exchange then still accepts it. */
const PROCESS: Millis = 15_000;
const WINDOW: Millis = 60_000;
export const LIFE_OF_ORDER: Millis = PROCESS + WINDOW;

/** Returns the second of the local clock after which an order sent at `sent` can no longer be placed: no external proof, but enough time. */
export const deadAfter = (sent: Millis): number => Math.ceil((sent + LIFE_OF_ORDER) / 1_000);

interface PendingPlacement {
  readonly action: PlaceOrder;
  readonly sent: Millis;
  /** When the process accepted it; undefined until it has answered. */
  taken?: Millis;
  /** What showed the order before that. */
  shown?: Evidence;
  /** True once it was reported as unknown, because nothing showed it in time. */
  reportedUnknown: boolean;
}

/** In the book, with its order id, or among our fills. */
type Evidence = Pick<OrderOpened, 'orderId' | 'resting'>;

export class PendingPlacements {
  readonly #pending = new Map<ClientOrderId, PendingPlacement>();

  sent(action: PlaceOrder, at: Millis): void {
    this.#pending.set(action.clientOrderId, { action, sent: at, reportedUnknown: false });
  }

  /** Called when the process accepted an order. Returns its event if a poll has already shown the order; otherwise the order stays pending. */
  taken(clientOrderId: ClientOrderId, at: Millis): readonly OrderOpened[] {
    const pending = this.#pending.get(clientOrderId);
    if (pending === undefined) return [];
    pending.taken = at;
    return pending.shown === undefined ? [] : [this.#opened(pending, pending.shown, at)];
  }

  /**
   * Called for any other answer, or none. Returns the answer unless it adds nothing. An unknown order stays watched, because it may still be
   * answered.
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
      if (pending.taken === undefined || asked < pending.taken + LISTING_LAG) return [];
      const reason = `the process accepted it, but neither its orders nor its fills showed it within ${LISTING_LAG / 1_000} s`;
      return this.answered({ kind: 'orderUnknown', at, clientOrderId, reason, deadAfter: deadAfter(pending.sent) });
    });
  }

  /** A fill names no order: it is taken for the first pending order that it could belong to. */
  filled(fills: readonly Fill[], at: Millis): readonly OrderOpened[] {
    return fills.flatMap((fill) => {
      const pending = [...this.#pending.values()].find(({ action, shown }) => shown === undefined && couldBeOf(action, fill));
      return pending === undefined ? [] : this.#seen(pending, {}, at);
    });
  }

  #seen(pending: PendingPlacement, evidence: Evidence, at: Millis): readonly OrderOpened[] {
    pending.shown = evidence;
    return pending.taken === undefined ? [] : [this.#opened(pending, evidence, at)];
  }

  /** The client id is used as the action id, which the process does not provide. */
  #opened({ action: { clientOrderId } }: PendingPlacement, evidence: Evidence, at: Millis): OrderOpened {
    this.#pending.delete(clientOrderId);
    return { kind: 'orderOpened', at, clientOrderId, actionId: clientOrderId, taken: [], ...evidence };
  }
}

/** A taker is filled at any price that it crosses, a maker at its own price; an immediate-or-cancel order is never a maker. */
export function couldBeOf({ market, side, price, size, fillMode }: PlaceOrder, fill: Fill): boolean {
  if (fill.market !== market || fill.side !== side || fill.size > size) return false;
  return fill.role === 'taker' ? crosses(side, price, fill.price) : fill.price === price && fillMode !== 'IMMEDIATE_OR_CANCEL';
}
