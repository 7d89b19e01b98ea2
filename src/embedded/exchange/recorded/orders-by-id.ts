// Recorded orders by id, for tapes with order ids: the totals of their levels, and their order of arrival.

import type { Side } from '../../../bot/domain/book.ts';
import type { Stamp } from '../../rows/rows.ts';

interface LevelKey {
  readonly side: Side;
  readonly price: number;
}

interface RecordedOrder extends LevelKey {
  readonly size: number;
  /** The order's number among all arrivals, including ours. */
  readonly arrival: number;
}

interface Listener {
  /** Called with the size by which an order was reduced, before the total changes. */
  readonly onLeave: (order: RecordedOrder, size: number, time: Stamp) => void;
  readonly onTotal: (level: LevelKey, total: number, time: Stamp) => void;
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

  /**
   * Applies a row about an order; size 0 removes the order. An order that grew or moved goes to the end of the queue. While a snapshot is read, the
   * earlier orders wait in `#before` and do not rest. One that the snapshot lists again at its price, no larger, keeps its priority.
   */
  apply(id: number, { side, price, size }: Omit<RecordedOrder, 'arrival'>, time: Stamp): void {
    const resting = this.#resting.get(id);
    const previous = resting ?? this.#before.get(id);
    this.#resting.delete(id);
    this.#before.delete(id);
    const keepsPriority = previous !== undefined && previous.side === side && previous.price === price && size > 0 && size <= previous.size;
    const arrival = keepsPriority ? previous.arrival : this.arrive();
    if (size > 0) this.#resting.set(id, { side, price, size, arrival });
    if (previous !== undefined) this.#reportLeave(previous, keepsPriority ? previous.size - size : previous.size, time);
    // The old level loses the order and the new one gains it. On the same level both are one step, so that no listener sees the total in between.
    // After `beginSnapshot` there is no old level: the totals are cleared.
    const isSameLevel = resting !== undefined && resting.side === side && resting.price === price;
    if (resting !== undefined && !isSameLevel) this.#changeTotal(resting, -resting.size, time);
    if (size > 0 || isSameLevel) this.#changeTotal({ side, price }, isSameLevel ? size - resting.size : size, time);
  }

  /** Starts a snapshot. */
  beginSnapshot(): void {
    for (const [id, order] of this.#resting) this.#before.set(id, order);
    this.#resting.clear();
    for (const totals of Object.values(this.#totals)) totals.clear();
  }

  /** Ends a snapshot: orders that it did not list have left the book. */
  endSnapshot(time: Stamp): void {
    for (const order of this.#before.values()) this.#reportLeave(order, order.size, time);
    this.#before.clear();
  }

  #reportLeave(order: RecordedOrder, size: number, time: Stamp): void {
    if (size > 0) this.#listener.onLeave(order, size, time);
  }

  #changeTotal(level: LevelKey, size: number, time: Stamp): void {
    const totals = this.#totals[level.side];
    const total = (totals.get(level.price) ?? 0) + size;
    if (total > 0) totals.set(level.price, total);
    else totals.delete(level.price);
    this.#listener.onTotal(level, total, time);
  }
}
