// Our orders in the queue of one recorded price: the size ahead of each, and the part of a print that reaches it.
import type { Level } from '../../../bot/domain/book.ts';
import { type Lots, lots, type Ticks } from '../../../bot/domain/numbers.ts';
import type { Stamp } from '../../rows/rows.ts';
import type { Handle } from '../book/ladder.ts';
import type { WatchId } from './depth.ts';

/**
 * How an order of ours moves up in its queue when recorded orders are cancelled. In every model trades move it too, and the size ahead is at most the
 * recorded size at its price.
 *
 * - `conservative`: all cancelled size was behind our order.
 * - `probabilistic`: the part `ahead^power / (ahead^power + behind^power)` of a cancelled size was ahead of it.
 * - `exact`, for tapes with order ids: exactly the orders that came before it are ahead.
 */
export type QueueModel =
  | { readonly kind: 'conservative' }
  | { readonly kind: 'probabilistic'; readonly power: number }
  | { readonly kind: 'exact' };

/** Returns the part of a cancelled size that was ahead; the function is undefined if that is always 0. */
export type CancelShare = ((ahead: number, behind: number) => number) | undefined;

/** Returns the rule of a queue model. */
export function cancelShare(model: QueueModel): CancelShare {
  if (model.kind !== 'probabilistic') return undefined;
  const { power } = model;
  // The same fraction, in a form without overflow.
  return (ahead, behind) => (ahead > 0 ? 1 / (1 + (behind / ahead) ** power) : 0);
}

/** Queue positions are in units of 1/PARTS_PER_LOT lot: a power of two, so that sums are exact up to 2^43 lots. */
const PARTS_PER_LOT = 1 << 10;

export interface OwnOrder {
  readonly handle: Handle;
  readonly queue: Queue;
  /** The order's number among all arrivals, including recorded orders with ids. */
  readonly arrival: number;
  size: number;
  /** Recorded lots ahead; a fraction after a probabilistic cancel. */
  ahead: number;
  /** Lots ahead that rows of the newest stamp removed. A print of the same stamp reports the same lots again; they are counted once. */
  byRows: number;
  /** Lots ahead that prints removed. A later row about an order with an id reports the same lots again; they are counted once. */
  byPrints: number;
}

/** The settings shared by all queues of a side. */
export interface QueueRules {
  readonly share: CancelShare;
  /** Called after the order's size was reduced by `size`. */
  readonly onFill: (order: OwnOrder, size: Lots, time: Stamp) => void;
}

export class Queue {
  readonly price: Ticks;
  readonly watchId: WatchId;
  /** In order of priority: `ahead` never decreases. */
  readonly orders: OwnOrder[] = [];
  readonly #rules: QueueRules;
  #stamp: Stamp = Number.NEGATIVE_INFINITY;
  /** Lots by which rows of the newest stamp lowered the total, and that no print explains yet. A print of the same stamp explains them. */
  #unexplained = 0;
  /** Lots printed while the total was `#totalAtPrints`. The next row that lowers the total reports the same lots again; they are counted once. */
  #printed = 0;
  #totalAtPrints = 0;
  #shown: Level;

  constructor(price: Ticks, watchId: WatchId, rules: QueueRules) {
    this.#shown = { price, size: lots(0) };
    this.price = price;
    this.watchId = watchId;
    this.#rules = rules;
  }

  /** Returns the level: our orders plus the recorded size. */
  level(recorded: number): Level {
    let size = recorded;
    for (const order of this.orders) size += order.size;
    if (this.#shown.size !== size) this.#shown = { price: this.price, size: lots(size) };
    return this.#shown;
  }

  /** The recorded total below which our orders move up. */
  get moveThreshold(): number {
    return this.#rules.share === undefined ? this.#last().ahead : Number.POSITIVE_INFINITY;
  }

  /** Adds an order at the end of the queue. */
  join({ handle, size, arrival, ahead }: Pick<OwnOrder, 'handle' | 'size' | 'arrival' | 'ahead'>): OwnOrder {
    const least = this.orders.length === 0 ? 0 : this.#last().ahead; // may exceed the total while a snapshot is being read
    const order = { handle, queue: this, arrival, size, ahead: Math.max(least, ahead), byRows: 0, byPrints: 0 };
    this.orders.push(order);
    return order;
  }

  /**
   * Applies a row that lowers the recorded total from `before` to `total`. Prints since the last change explain a part of it; the rest was cancelled.
   * Example: the total was 10, a print of 4 came, and the row says 5. Prints explain 10 → 6, so 1 lot was cancelled.
   */
  lowerTotal(before: number, total: number, time: Stamp): void {
    const leftByPrints = before - (before === this.#totalAtPrints ? this.#printed : 0);
    const cancelled = Math.max(0, leftByPrints - total);
    this.#printed = 0;
    if (cancelled === 0 && total >= this.#last().ahead) return;
    this.#startStamp(time);
    this.#unexplained += cancelled;
    const { share } = this.#rules;
    let least = 0; // an order of ours is never ahead of an earlier one
    for (const order of this.orders) {
      const cancelledAhead =
        share === undefined || cancelled === 0 ? 0 : cancelled * share(order.ahead, Math.max(0, leftByPrints - order.ahead));
      const ahead = order.ahead - Math.round(cancelledAhead * PARTS_PER_LOT) / PARTS_PER_LOT;
      least = Math.max(least, Math.min(total, ahead));
      order.byRows += order.ahead - least;
      order.ahead = least;
    }
  }

  /** Applies the reduction of a recorded order with an id. Our later orders move up by the lots that no print has removed before. */
  removeRecorded(size: number, arrival: number, time: Stamp): void {
    this.#startStamp(time);
    for (const order of this.orders) {
      if (order.arrival < arrival) continue;
      const alreadyPrinted = Math.min(size, order.byPrints);
      const moved = Math.min(order.ahead, size - alreadyPrinted);
      order.byPrints -= alreadyPrinted;
      order.ahead -= moved;
      order.byRows += moved;
    }
  }

  /** Applies our own taking of recorded orders at this price; `total` remains. */
  limitAhead(total: number): void {
    this.#printed = 0;
    for (const order of this.orders) order.ahead = Math.min(order.ahead, total);
  }

  /**
   * Applies a print at this price, where `total` was recorded; `left` of it has not filled better orders of ours. It first consumes the size ahead.
   * Returns the filled size. Example: 3 lots are ahead of our order, and a row of the same stamp has already removed 1 lot. Of a print of 5 lots, 1 is
   * that lot, 3 consume the size ahead, and 1 fills our order.
   */
  print({ size, left, total }: { size: number; left: number; total: number }, time: Stamp): number {
    this.#startStamp(time);
    const alreadyLowered = Math.min(size, this.#unexplained);
    this.#unexplained -= alreadyLowered;
    this.#printed = size - alreadyLowered + (total === this.#totalAtPrints ? this.#printed : 0);
    this.#totalAtPrints = total;
    let filled = 0;
    let byRows = 0;
    for (const order of this.orders) {
      byRows = Math.max(byRows, order.byRows); // what was removed ahead of an earlier order was ahead of this one too
      const reaching = left - filled;
      const alreadyRemoved = Math.min(reaching, byRows);
      const consumed = Math.min(order.ahead, reaching - alreadyRemoved);
      order.byRows = byRows - alreadyRemoved;
      order.ahead -= consumed;
      order.byPrints += consumed;
      filled += this.#fill(order, reaching - alreadyRemoved - consumed, time);
    }
    this.#dropFilled();
    return filled;
  }

  /** Applies a print beyond this price: no recorded order can be ahead of ours any more. Returns the filled size. */
  passThrough(left: number, time: Stamp): number {
    for (const order of this.orders) {
      order.ahead = 0;
      order.byRows = 0;
      order.byPrints = 0;
    }
    return this.fillAgainst(left, time);
  }

  /** Applies a recorded order of the other side at or beyond this price: it trades with our orders that have no recorded size ahead. */
  fillAgainst(left: number, time: Stamp): number {
    let filled = 0;
    for (const order of this.orders) {
      if (order.ahead > 0) break;
      filled += this.#fill(order, left - filled, time);
    }
    this.#dropFilled();
    return filled;
  }

  #last(): OwnOrder {
    return this.orders[this.orders.length - 1]!;
  }

  /** Forgets what rows of an earlier stamp removed: a print of another stamp is about other lots. */
  #startStamp(time: Stamp): void {
    if (this.#stamp === time) return;
    this.#stamp = time;
    this.#unexplained = 0;
    for (const order of this.orders) order.byRows = 0;
  }

  /** Fills whole lots only. */
  #fill(order: OwnOrder, most: number, time: Stamp): number {
    const size = Math.min(order.size, Math.floor(most));
    if (size <= 0) return 0;
    order.size -= size;
    this.#rules.onFill(order, size as Lots, time);
    return size;
  }

  #dropFilled(): void {
    while (this.orders[0]?.size === 0) this.orders.shift();
  }
}
