// A reference implementation of queue positions at one recorded price: it processes every row and every print.
import type { QueueModel } from '../../src/embedded/exchange/recorded/queue.ts';

export interface OwnOrder {
  readonly id: number;
  readonly price: number;
  readonly arrival: number;
  size: number;
  ahead: number;
  /** Size that rows of the newest stamp removed from `ahead`. */
  byRows: number;
  /** Size that prints removed from `ahead` and no row of a named order has confirmed yet. */
  byPrints: number;
}

/** Fills an order up to `most`, in whole lots. Returns the filled size. */
export type Fill = (order: OwnOrder, most: number) => number;

export class NaiveQueue {
  orders: OwnOrder[] = [];
  readonly #model: QueueModel;
  #stamp = -1;
  /** Reduction of the total by rows of that stamp without a known reason. */
  #fallen = 0;
  /** Size printed since the last change of the total. */
  #printed = 0;

  constructor(model: QueueModel) {
    this.#model = model;
  }

  get size(): number {
    return this.orders.reduce((sum, { size }) => sum + size, 0);
  }

  /** Processes a row with a changed total. */
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

  /** Processes the reduction of a recorded order with an id. */
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

  /** Processes the end of a snapshot. */
  restate(total: number, time: number): void {
    this.#reach(time);
    this.#printed = 0;
    for (const order of this.orders) {
      order.byRows += Math.max(0, order.ahead - total);
      order.ahead = Math.min(order.ahead, total);
    }
  }

  /** Sets the size that is left after we took. */
  bound(total: number): void {
    this.#printed = 0;
    for (const order of this.orders) order.ahead = Math.min(order.ahead, total);
  }

  /** Processes a print at this price, of which `left` reached it. Returns the rest. */
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

  /** Processes a print beyond this price. Returns the rest. */
  passThrough(left: number, fill: Fill): number {
    let passing = left;
    for (const order of this.orders) {
      Object.assign(order, { ahead: 0, byRows: 0, byPrints: 0 });
      passing -= fill(order, passing);
    }
    return passing;
  }

  /** Returns the part of a cancelled size that was ahead. */
  #share(ahead: number, behind: number): number {
    return this.#model.kind === 'probabilistic' && ahead > 0 ? 1 / (1 + (behind / ahead) ** this.#model.power) : 0;
  }

  /** Discards the reductions of an earlier stamp. */
  #reach(time: number): void {
    if (this.#stamp !== time) {
      this.#fallen = 0;
      for (const order of this.orders) order.byRows = 0;
    }
    this.#stamp = time;
  }
}
