// Recorded orders by name, where a tape names them: their levels' totals, and who came before whom.
import type { Stamp } from '../../domain/rows.ts';
import type { Side } from '../../domain/side.ts';

interface Place {
  readonly side: Side;
  readonly price: number;
}

interface NamedOrder extends Place {
  readonly size: number;
  /** Its place among all arrivals, ours included. */
  readonly arrival: number;
}

interface Listener {
  /** So much of this order is no longer where it was; told before the total. */
  readonly onLeave: (order: NamedOrder, size: number, time: Stamp) => void;
  readonly onTotal: (place: Place, total: number, time: Stamp) => void;
}

export class NamedOrders {
  readonly #listener: Listener;
  readonly #totals = { bid: new Map<number, number>(), ask: new Map<number, number>() };
  readonly #resting = new Map<number, NamedOrder>();
  /** What rested before a snapshot that is being told: whom it lists again has kept the place in the queue. */
  readonly #before = new Map<number, NamedOrder>();
  #arrivals = 0;

  constructor(listener: Listener) {
    this.#listener = listener;
  }

  /** The next place among all arrivals. */
  arrive(): number {
    return this.#arrivals++;
  }

  /** An order now rests like this; size 0: it is gone, wherever it was. One that grew or moved has gone to the end of the line. */
  tell(name: number, { side, price, size }: Omit<NamedOrder, 'arrival'>, time: Stamp): void {
    const listed = this.#resting.get(name);
    const known = listed ?? this.#before.get(name);
    this.#resting.delete(name);
    this.#before.delete(name);
    const stays = known !== undefined && known.side === side && known.price === price && size > 0 && size <= known.size;
    const arrival = stays ? known.arrival : this.arrive();
    if (size > 0) this.#resting.set(name, { side, price, size, arrival });
    if (known !== undefined) this.#leave(known, stays ? known.size - size : known.size, time);
    const shared = listed !== undefined && listed.side === side && listed.price === price;
    if (listed !== undefined && !shared) this.#add(listed, -listed.size, time);
    if (size > 0 || shared) this.#add({ side, price }, shared ? size - listed.size : size, time);
  }

  /** A snapshot follows. */
  clear(): void {
    for (const [name, order] of this.#resting) this.#before.set(name, order);
    this.#resting.clear();
    for (const totals of Object.values(this.#totals)) totals.clear();
  }

  /** The snapshot is whole: whom it did not list has left. */
  whole(time: Stamp): void {
    for (const order of this.#before.values()) this.#leave(order, order.size, time);
    this.#before.clear();
  }

  #leave(order: NamedOrder, size: number, time: Stamp): void {
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
