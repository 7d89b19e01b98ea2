// Tracks orders from sending until a poll shows them, for an exchange that answers before its lists show the order, and without an order id.
import type { Millis } from '../../base/clock.ts';
import type { PlaceOrder } from '../../bot/domain/action.ts';
import { crosses } from '../../bot/domain/book.ts';
import type { AccountEvent, AccountSeen, OrderOpened } from '../../bot/domain/event.ts';
import type { ClientOrderId } from '../../bot/domain/ids.ts';
import type { Fill } from '../../bot/domain/order.ts';

export interface AcceptedOrdersOptions {
  /** The exchange in messages: `the process`. */
  readonly who: string;
  /** Maximum delay of its lists behind its answers. */
  readonly listingLagMs: Millis;
  /** Returns the second of our clock after which an order sent at this time can no longer be placed. */
  readonly deadAfter: (sent: Millis) => number;
  /** Called with what becomes of an accepted order. */
  readonly emit: (event: AccountEvent) => void;
}

interface SentOrder {
  readonly action: PlaceOrder;
  readonly sent: Millis;
  /** When the exchange accepted it; undefined until it has answered. */
  acceptedAt?: Millis;
  /** The evidence that a poll showed before the answer. */
  shown?: Evidence;
  /** True once the order was reported as unknown because no poll showed it in time. */
  reportedUnknown: boolean;
}

/** The order in the book, with its order id, or among our fills. */
type Evidence = Pick<OrderOpened, 'orderId' | 'resting'>;

/** Finds out from accounts and fills what became of orders whose receipt only said that they were accepted. */
export class AcceptedOrders {
  readonly #options: AcceptedOrdersOptions;
  readonly #pending = new Map<ClientOrderId, SentOrder>();

  constructor(options: AcceptedOrdersOptions) {
    this.#options = options;
  }

  sent(action: PlaceOrder, at: Millis): void {
    this.#pending.set(action.clientOrderId, { action, sent: at, reportedUnknown: false });
  }

  /** Called when the exchange accepted an order. The order stays pending unless a poll has already shown it. */
  accepted(clientOrderId: ClientOrderId, at: Millis): void {
    const pending = this.#pending.get(clientOrderId);
    if (pending === undefined) return;
    pending.acceptedAt = at;
    if (pending.shown !== undefined) this.#opened(pending, pending.shown, at);
  }

  /** Takes the polled events, and the outcomes of orders. An unknown order stays pending, because an answer may still come. */
  observe(event: AccountEvent): void {
    if (event.kind === 'accountSeen') this.#accountSeen(event);
    else if (event.kind === 'fillsSeen') this.#filled(event.fills, event.at);
    else if (event.kind === 'orderOpened' || event.kind === 'orderRejected') this.#pending.delete(event.clientOrderId);
    else if (event.kind === 'orderUnknown') {
      const pending = this.#pending.get(event.clientOrderId);
      if (pending !== undefined) pending.reportedUnknown = true;
    }
  }

  /**
   * Reports a listed order as open. Reports an order once as unknown if the account was requested long enough after the answer and does not list it.
   */
  #accountSeen({ account, asked, at }: AccountSeen): void {
    const { who, listingLagMs, deadAfter, emit } = this.#options;
    const listed = new Map(account.orders.map((order) => [order.clientOrderId, order]));
    for (const pending of this.#pending.values()) {
      const { clientOrderId } = pending.action;
      const resting = listed.get(clientOrderId);
      if (resting !== undefined) this.#recordEvidence(pending, { orderId: resting.orderId, resting: resting.size }, at);
      else if (asked / 1_000 > deadAfter(pending.sent)) this.#pending.delete(clientOrderId);
      else if (!pending.reportedUnknown && pending.acceptedAt !== undefined && asked >= pending.acceptedAt + listingLagMs) {
        pending.reportedUnknown = true;
        const reason = `${who} accepted it, but neither its orders nor its fills showed it within ${listingLagMs / 1_000} s`;
        emit({ kind: 'orderUnknown', at, clientOrderId, reason, deadAfter: deadAfter(pending.sent) });
      }
    }
  }

  /** Attributes each fill, which has no order id, to the first pending order that it fits. */
  #filled(fills: readonly Fill[], at: Millis): void {
    for (const fill of fills) {
      const pending = [...this.#pending.values()].find(({ action, shown }) => shown === undefined && couldHaveMade(action, fill));
      if (pending !== undefined) this.#recordEvidence(pending, {}, at);
    }
  }

  #recordEvidence(pending: SentOrder, evidence: Evidence, at: Millis): void {
    pending.shown = evidence;
    if (pending.acceptedAt !== undefined) this.#opened(pending, evidence, at);
  }

  /** The client id is used as the action id, which an exchange with such answers does not provide. */
  #opened({ action: { clientOrderId } }: SentOrder, evidence: Evidence, at: Millis): void {
    this.#pending.delete(clientOrderId);
    this.#options.emit({ kind: 'orderOpened', at, clientOrderId, actionId: clientOrderId, taken: [], ...evidence });
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
