// Our live orders, by client order id. All changes of their status are made here, by the table in `life-cycle.ts`, and reported.
import type { Millis } from '../../../base/clock.ts';
import type { ClientOrderId, MarketId } from '../../domain/ids.ts';
import { haveSameExposure, type Order, orderWith } from '../../domain/order.ts';
import type { OrderChange } from '../../domain/turn.ts';
import type { Revisions } from '../revisions.ts';
import type { ClosingOrders } from './closing-orders.ts';
import { type OrderEvidence, statusAfter } from './life-cycle.ts';
import { MapWithLists } from './map-with-lists.ts';
import type { PresenceRecords } from './presence-records.ts';

export class LiveOrders {
  readonly #parts: { readonly presence: PresenceRecords; readonly closing: ClosingOrders };
  readonly #orders: MapWithLists<ClientOrderId, Order>;
  /** The changes that have not been taken yet. */
  readonly changes: OrderChange[] = [];

  constructor(revisions: Revisions, parts: { readonly presence: PresenceRecords; readonly closing: ClosingOrders }) {
    this.#parts = parts;
    this.#orders = new MapWithLists(revisions, haveSameExposure);
  }

  get size(): number {
    return this.#orders.size;
  }

  get(clientOrderId: ClientOrderId): Order | undefined {
    return this.#orders.get(clientOrderId);
  }

  list(market?: MarketId): readonly Order[] {
    return this.#orders.list(market);
  }

  /** Adds an order, or changes anything but the status of one. */
  set(order: Order): void {
    this.#orders.set(order.clientOrderId, order);
  }

  report(change: OrderChange): void {
    this.changes.push(change);
  }

  /** Changes the status of an order. Returns the updated order. `at` is used if it leaves the book. */
  move(order: Order, evidence: OrderEvidence, at: Millis): Order {
    const { clientOrderId } = order;
    const status = statusAfter(order.status, evidence);
    if (status === 'closing' || status === 'closed') {
      this.#orders.delete(clientOrderId);
      this.#parts.presence.forget(order);
      if (status === 'closing') this.#parts.closing.begin(order, at, evidence);
      return order;
    }
    // an open order has an answer, so the end of its bytes proves nothing any more
    const moved = orderWith(order, status === 'open' ? { status, deadAfter: undefined, life: undefined } : { status });
    const before = this.#orders.get(clientOrderId);
    this.#orders.set(clientOrderId, moved);
    const isKnown = (before?.status === 'open' || before?.status === 'cancelling') && before.orderId === moved.orderId;
    if (status === 'open' && !isKnown) this.report({ order: moved, status }); // reported again if it has a new order id
    return moved;
  }
}
