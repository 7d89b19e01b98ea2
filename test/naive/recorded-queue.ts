// Our orders in the queue of one recorded price, written to be obviously right: every row and every print is looked at, whether it matters or not.
import type { QueueModel } from '../../src/embedded/recorded/queue.ts';

export interface Own {
  readonly id: number;
  readonly price: number;
  readonly arrival: number;
  size: number;
  ahead: number;
  /** What rows of the newest stamp took from `ahead`. */
  byRows: number;
  /** What prints took from `ahead`, and no row of a named order has reported yet. */
  byPrints: number;
}

/** Fills an order with so much at most, in whole lots, and gives how much it was. */
export type Fill = (order: Own, most: number) => number;

export class NaiveQueue {
  orders: Own[] = [];
  readonly #model: QueueModel;
  #stamp = -1;
  /** What rows of that stamp lowered the total by, for no known reason. */
  #fallen = 0;
  /** What was printed since the total changed last. */
  #printed = 0;

  constructor(model: QueueModel) {
    this.#model = model;
  }

  get size(): number {
    return this.orders.reduce((sum, { size }) => sum + size, 0);
  }

  /** A row says another total than the one before. */
  change(before: number, after: number, time: number): void {
    this.#reach(time);
    const rested = before - this.#printed;
    this.#printed = 0;
    if (after > before) return;
    const cancelled = Math.max(0, rested - after);
    this.#fallen += cancelled;
    let least = 0;
    for (const order of this.orders) {
      const moved = cancelled * this.#share(order.ahead, Math.max(0, rested - order.ahead));
      least = Math.max(least, Math.min(after, order.ahead - Math.round(moved * 1024) / 1024));
      order.byRows += order.ahead - least;
      order.ahead = least;
    }
  }

  /** A recorded order that is named lost so much. */
  leave(size: number, arrival: number, time: number): void {
    this.#reach(time);
    for (const order of this.orders.filter((order) => order.arrival > arrival)) {
      const known = Math.min(size, order.byPrints);
      const moved = Math.min(order.ahead, size - known);
      order.byPrints -= known;
      order.ahead -= moved;
      order.byRows += moved;
    }
  }

  /** A snapshot is whole. */
  restate(total: number, time: number): void {
    this.#reach(time);
    this.#printed = 0;
    for (const order of this.orders) {
      order.byRows += Math.max(0, order.ahead - total);
      order.ahead = Math.min(order.ahead, total);
    }
  }

  /** We took, and so much is left. */
  bound(total: number): void {
    this.#printed = 0;
    for (const order of this.orders) order.ahead = Math.min(order.ahead, total);
  }

  /** A print at this price, of which `left` reached it. Gives how much of that is left. */
  print({ size, left, time, fill }: { size: number; left: number; time: number; fill: Fill }): number {
    this.#reach(time);
    const reported = Math.min(size, this.#fallen);
    this.#fallen -= reported;
    this.#printed += size - reported;
    let passing = left;
    let byRows = 0;
    for (const order of this.orders) {
      byRows = Math.max(byRows, order.byRows);
      const known = Math.min(passing, byRows);
      const eaten = Math.min(order.ahead, passing - known);
      order.byRows = byRows - known;
      order.ahead -= eaten;
      order.byPrints += eaten;
      passing -= fill(order, passing - known - eaten);
    }
    return passing;
  }

  /** A print through this price. Gives how much of it is left. */
  passThrough(left: number, fill: Fill): number {
    let passing = left;
    for (const order of this.orders) {
      Object.assign(order, { ahead: 0, byRows: 0, byPrints: 0 });
      passing -= fill(order, passing);
    }
    return passing;
  }

  /** The part of a cancelled size that was ahead. */
  #share(ahead: number, behind: number): number {
    return this.#model.kind === 'probabilistic' && ahead > 0 ? 1 / (1 + (behind / ahead) ** this.#model.power) : 0;
  }

  /** What rows of an earlier stamp reported is forgotten. */
  #reach(time: number): void {
    if (this.#stamp !== time) {
      this.#fallen = 0;
      for (const order of this.orders) order.byRows = 0;
    }
    this.#stamp = time;
  }
}
