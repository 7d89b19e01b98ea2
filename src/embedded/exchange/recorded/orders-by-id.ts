// Recorded orders by id, for tapes with order ids: the totals of their levels, and their order of arrival.

import type { Side } from '../../../bot/domain/book.ts';
import type { Stamp } from '../../rows/rows.ts';

interface Place {
  readonly side: Side;
  readonly price: number;
}

interface RecordedOrder extends Place {
  readonly size: number;
  /** The order's number among all arrivals, including ours. */
  readonly arrival: number;
}

interface Listener {
  /** Called with the size by which an order was reduced, before the total changes. */
  readonly onLeave: (order: RecordedOrder, size: number, time: Stamp) => void;
  readonly onTotal: (place: Place, total: number, time: Stamp) => void;
}

export class OrdersById {
  readonly #listener: Listener;
  readonly #totals = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  readonly #resting = new Map<number, RecordedOrder>();
  /** The orders before the snapshot being read: orders that it lists again keep their places in the queue. */
  readonly #before = new Map<number, RecordedOrder>();
  #arrivals = 0;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** Returns the next number among all arrivals. */
  arrive(): number {
    return this.#arrivals++;
  }

  /** Applies a row about an order; size 0 removes the order. An order that grew or moved goes to the end of the queue. */
  apply(id: number, { side, price, size }: Omit<RecordedOrder, 'arrival'>, time: Stamp): void {
    const listed = this.#resting.get(id);
    const known = listed ?? this.#before.get(id);
    this.#resting.delete(id);
    this.#before.delete(id);
    const stays = known !== undefined && known.side === side && known.price === price && size > 0 && size <= known.size;
    const arrival = stays ? known.arrival : this.arrive();
    if (size > 0) this.#resting.set(id, { side, price, size, arrival });
    if (known !== undefined) this.#leave(known, stays ? known.size - size : known.size, time);
    const shared = listed !== undefined && listed.side === side && listed.price === price;
    if (listed !== undefined && !shared) this.#add(listed, -listed.size, time);
    if (size > 0 || shared) this.#add({ side, price }, shared ? size - listed.size : size, time);
  }

  /** Starts a snapshot. */
  beginSnapshot(): void {
    for (const [id, order] of this.#resting) this.#before.set(id, order);
    this.#resting.clear();
    for (const totals of Object.values(this.#totals)) totals.clear();
  }

  /** Ends a snapshot: orders that it did not list have left the book. */
  endSnapshot(time: Stamp): void {
    for (const order of this.#before.values()) this.#leave(order, order.size, time);
    this.#before.clear();
  }

  #leave(order: RecordedOrder, size: number, time: Stamp): void {
    if (size > 0) this.#listener.onLeave(order, size, time);
  }

  #add(place: Place, size: number, time: Stamp): void {
    const totals = this.#totals[place.side];
    const total = (totals.get(place.price) ?? 0) + size;
    if (total > 0) totals.set(place.price, total);
    else totals.delete(place.price);
    this.#listener.onTotal(place, total, time);
  }
}
