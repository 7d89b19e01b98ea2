// Our orders in the queue of one recorded price: the size ahead of each, and the part of a print that reaches it.
import type { Level } from '../../../bot/domain/book.ts';
import { type Lots, lots, type Ticks } from '../../../bot/domain/numbers.ts';
import type { Stamp } from '../../rows/rows.ts';
import type { Handle } from '../book/ladder.ts';
import type { Watch } from './depth.ts';

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
  /** Size that rows of the newest stamp took from `ahead`: a print of the same stamp repeats it. */
  byRows: number;
  /** Size that prints took from `ahead`: rows with order ids repeat it. */
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
  readonly watch: Watch;
  /** In order of priority: `ahead` never decreases. */
  readonly orders: OwnOrder[] = [];
  readonly #rules: QueueRules;
  #stamp: Stamp = Number.NEGATIVE_INFINITY;
  /** Size by which rows of the newest stamp lowered the total without a known reason; a print of the same stamp would explain it. */
  #unexplained = 0;
  /** Size printed while the total was `#totalAtPrints`: the next fall of the total repeats it. */
  #printed = 0;
  #totalAtPrints = 0;
  #shown: Level;

  constructor(price: Ticks, watch: Watch, rules: QueueRules) {
    this.#shown = { price, size: lots(0) };
    this.price = price;
    this.watch = watch;
    this.#rules = rules;
  }

  /** Returns the level: our orders plus the recorded size. */
  level(recorded: number): Level {
    let size = recorded;
    for (const order of this.orders) size += order.size;
    if (this.#shown.size !== size) this.#shown = { price: this.price, size: lots(size) };
    return this.#shown;
  }

  /** The total below which our orders move. */
  get alarm(): number {
    return this.#rules.share === undefined ? this.#last().ahead : Number.POSITIVE_INFINITY;
  }

  /** Adds an order at the end of the queue. */
  join({ handle, size, arrival, ahead }: Pick<OwnOrder, 'handle' | 'size' | 'arrival' | 'ahead'>): OwnOrder {
    const least = this.orders.length === 0 ? 0 : this.#last().ahead; // may exceed the total while a snapshot is being read
    const order = { handle, queue: this, arrival, size, ahead: Math.max(least, ahead), byRows: 0, byPrints: 0 };
    this.orders.push(order);
    return order;
  }

  /** Applies a row that lowers the total. The part that prints do not explain counts as cancels. */
  lowered(before: number, total: number, time: Stamp): void {
    const leftByPrints = before - (before === this.#totalAtPrints ? this.#printed : 0);
    const cancelled = Math.max(0, leftByPrints - total);
    this.#printed = 0;
    if (cancelled === 0 && total >= this.#last().ahead) return;
    this.#startStamp(time);
    this.#unexplained += cancelled;
    const { share } = this.#rules;
    let least = 0; // an order of ours is never ahead of an earlier one
    for (const order of this.orders) {
      const moved = share === undefined || cancelled === 0 ? 0 : cancelled * share(order.ahead, Math.max(0, leftByPrints - order.ahead));
      least = Math.max(least, Math.min(total, order.ahead - Math.round(moved * PARTS_PER_LOT) / PARTS_PER_LOT));
      order.byRows += order.ahead - least;
      order.ahead = least;
    }
  }

  /** Applies the reduction of a recorded order with an id. Moves our later orders up, unless a print already has. */
  leave(size: number, arrival: number, time: Stamp): void {
    this.#startStamp(time);
    for (const order of this.orders) {
      if (order.arrival < arrival) continue;
      const known = Math.min(size, order.byPrints);
      const moved = Math.min(order.ahead, size - known);
      order.byPrints -= known;
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
   * Returns the filled size.
   */
  print({ size, left, total }: { size: number; left: number; total: number }, time: Stamp): number {
    this.#startStamp(time);
    const repeated = Math.min(size, this.#unexplained);
    this.#unexplained -= repeated;
    this.#printed = size - repeated + (total === this.#totalAtPrints ? this.#printed : 0);
    this.#totalAtPrints = total;
    let filled = 0;
    let byRows = 0;
    for (const order of this.orders) {
      byRows = Math.max(byRows, order.byRows);
      const passing = left - filled;
      const known = Math.min(passing, byRows);
      const eaten = Math.min(order.ahead, passing - known);
      order.byRows = byRows - known;
      order.ahead -= eaten;
      order.byPrints += eaten;
      filled += this.#fill(order, passing - known - eaten, time);
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

  /** Starts a new stamp: rows of an earlier stamp do not repeat its prints. */
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
