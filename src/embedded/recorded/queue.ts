// Our orders in the queue of one recorded price: what is ahead of each, and which part of a print reaches it.
import type { Level } from '../../domain/book.ts';
import { type Lots, lots, type Ticks } from '../../domain/numbers.ts';
import type { Stamp } from '../../domain/rows/rows.ts';
import type { Handle } from '../book/ladder.ts';
import type { Watch } from './depth.ts';

/**
 * How an order of ours moves up in its level's queue when recorded orders are cancelled. Trades move it in every model, and never is more ahead of it
 * than rests at its price.
 *
 * - `conservative`: what is cancelled was behind us.
 * - `probabilistic`: of what is cancelled, the part `ahead^power / (ahead^power + behind^power)` was ahead of us.
 * - `exact`: for tapes that name orders: those that came before us are ahead, and no others.
 */
export type QueueModel =
  | { readonly kind: 'conservative' }
  | { readonly kind: 'probabilistic'; readonly power: number }
  | { readonly kind: 'exact' };

/** Returns the part of a cancelled size that was ahead; undefined if none ever is. */
export type CancelShare = ((ahead: number, behind: number) => number) | undefined;

export function cancelShare(model: QueueModel): CancelShare {
  if (model.kind !== 'probabilistic') return undefined;
  const { power } = model;
  // The same fraction, in a form that no size and no power overflows.
  return (ahead, behind) => (ahead > 0 ? 1 / (1 + (behind / ahead) ** power) : 0);
}

/** The fraction of a lot in which places in a queue are counted: a power of two, so that sums of them are exact up to 2^43 lots. */
const GRAIN = 1 << 10;

export interface OwnOrder {
  readonly handle: Handle;
  readonly queue: Queue;
  /** Its place among all arrivals, named recorded orders included. */
  readonly arrival: number;
  size: number;
  /** Recorded lots before it; fractions too, if a cancel was shared out. */
  ahead: number;
  /** What rows of the newest stamp took from `ahead`: a print of that stamp repeats it. */
  byRows: number;
  /** What prints took from `ahead`: rows about named orders repeat it. */
  byPrints: number;
}

/** What all queues of a side share. */
export interface QueueRules {
  readonly share: CancelShare;
  /** The order's size has already been reduced by this one. */
  readonly onFill: (order: OwnOrder, size: Lots, time: Stamp) => void;
}

export class Queue {
  readonly price: Ticks;
  readonly watch: Watch;
  /** In order of priority: `ahead` never decreases. */
  readonly orders: OwnOrder[] = [];
  readonly #rules: QueueRules;
  #stamp: Stamp = Number.NEGATIVE_INFINITY;
  /** By how much rows of that stamp lowered the total without a known reason: a print of that stamp is one. */
  #fallen = 0;
  /** What was printed while `#rested` rested: the next fall of the total repeats it. */
  #printed = 0;
  #rested = 0;
  #shown: Level;

  constructor(price: Ticks, watch: Watch, rules: QueueRules) {
    this.#shown = { price, size: lots(0) };
    this.price = price;
    this.watch = watch;
    this.#rules = rules;
  }

  /** Returns the level: our orders, and what is recorded here. */
  level(recorded: number): Level {
    let size = recorded;
    for (const order of this.orders) size += order.size;
    if (this.#shown.size !== size) this.#shown = { price: this.price, size: lots(size) };
    return this.#shown;
  }

  /** Totals below this move orders of ours. */
  get alarm(): number {
    return this.#rules.share === undefined ? this.#last().ahead : Number.POSITIVE_INFINITY;
  }

  /** Adds an order at the end of the queue. */
  join({ handle, size, arrival, ahead }: Pick<OwnOrder, 'handle' | 'size' | 'arrival' | 'ahead'>): OwnOrder {
    const least = this.orders.length === 0 ? 0 : this.#last().ahead; // may be more than rests while a snapshot is being read
    const order = { handle, queue: this, arrival, size, ahead: Math.max(least, ahead), byRows: 0, byPrints: 0 };
    this.orders.push(order);
    return order;
  }

  /** Applies a row that lowers the total here. What prints do not explain of it is cancels. */
  lowered(before: number, total: number, time: Stamp): void {
    const rested = before - (before === this.#rested ? this.#printed : 0);
    const cancelled = Math.max(0, rested - total);
    this.#printed = 0;
    if (cancelled === 0 && total >= this.#last().ahead) return;
    this.#reach(time);
    this.#fallen += cancelled;
    const { share } = this.#rules;
    let least = 0; // an order of ours is never ahead of an earlier one
    for (const order of this.orders) {
      const moved = share === undefined || cancelled === 0 ? 0 : cancelled * share(order.ahead, Math.max(0, rested - order.ahead));
      least = Math.max(least, Math.min(total, order.ahead - Math.round(moved * GRAIN) / GRAIN));
      order.byRows += order.ahead - least;
      order.ahead = least;
    }
  }

  /** Applies the reduction of a named recorded order. It moves our orders that came later, unless a print already has. */
  leave(size: number, arrival: number, time: Stamp): void {
    this.#reach(time);
    for (const order of this.orders) {
      if (order.arrival < arrival) continue;
      const known = Math.min(size, order.byPrints);
      const moved = Math.min(order.ahead, size - known);
      order.byPrints -= known;
      order.ahead -= moved;
      order.byRows += moved;
    }
  }

  /** Applies what we took of the recorded orders here; `total` is left. */
  bound(total: number): void {
    this.#printed = 0;
    for (const order of this.orders) order.ahead = Math.min(order.ahead, total);
  }

  /**
   * Applies a print at this price, of which `left` has not filled better orders of ours: it first consumes what is ahead. Returns what it fills here.
   */
  print({ size, left, rested }: { size: number; left: number; rested: number }, time: Stamp): number {
    this.#reach(time);
    const repeated = Math.min(size, this.#fallen);
    this.#fallen -= repeated;
    this.#printed = size - repeated + (rested === this.#rested ? this.#printed : 0);
    this.#rested = rested;
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

  /** Applies a print beyond this price: nothing recorded can have been left ahead of us. Returns what it fills here. */
  passThrough(left: number, time: Stamp): number {
    for (const order of this.orders) order.ahead = order.byRows = order.byPrints = 0;
    return this.meet(left, time);
  }

  /** Applies a recorded order of the other side at or beyond this price: it trades with our orders that have nothing recorded ahead of them. */
  meet(left: number, time: Stamp): number {
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

  /** Starts a new stamp: rows of an earlier stamp are no repetition of its prints. */
  #reach(time: Stamp): void {
    if (this.#stamp === time) return;
    this.#stamp = time;
    this.#fallen = 0;
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
