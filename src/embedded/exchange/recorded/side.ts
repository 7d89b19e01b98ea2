// One side of a recorded book: the recorded totals, and the queues of our orders.
import { AssertionError } from '../../../base/errors.ts';
import { crosses, type Level, opposite, type Side, signOf } from '../../../bot/domain/book.ts';
import { type Lots, lots, type Ticks } from '../../../bot/domain/numbers.ts';
import type { Stamp } from '../../rows/rows.ts';
import type { Fills } from '../book/fills.ts';
import type { Handle } from '../book/ladder.ts';
import { Depth, NOT_WATCHED, type WatchId } from './depth.ts';
import type { DepthWindow } from './depth-window.ts';
import { type OwnOrder, Queue, type QueueRules } from './queue.ts';

/** The handle of a maker from the recording; none of our orders has it. */
export const RECORDED_MAKER: Handle = -1;

export interface SideOptions extends QueueRules {
  /** The window of the book. */
  readonly depthWindow: DepthWindow;
}

export class RecordedSide {
  readonly side: Side;
  /** Recorded totals minus the sizes that we took; watched at our orders' prices. */
  readonly depth: Depth;
  readonly #rules: QueueRules;
  #opposite: RecordedSide | undefined;
  /** Best price first; none is empty. */
  readonly #queues: Queue[] = [];
  /** By watch id. */
  readonly #queuesByWatch: (Queue | undefined)[] = [undefined];
  readonly #freeWatches: WatchId[] = [];
  /** Our orders by slot: the handle without its lowest bit, which is the side, as in `Ladder`. */
  readonly #orders: (OwnOrder | undefined)[] = [];
  readonly #freeSlots: number[] = [];
  /** Reused by `levels`. */
  readonly #merged: Level[] = [];

  constructor(side: Side, { depthWindow, share, onFill }: SideOptions) {
    this.side = side;
    this.depth = new Depth(side, depthWindow);
    this.#rules = {
      share,
      onFill: (order, size, time) => {
        onFill(order, size, time);
        if (order.size === 0) this.#release(order.handle);
      },
    };
  }

  /** Sets the opposite side, whose recorded orders can trade with ours. */
  setOpposite(side: RecordedSide): void {
    this.#opposite = side;
  }

  get best(): Ticks | undefined {
    const { best } = this.depth;
    const own = this.ownBest;
    return own === undefined || (best !== undefined && crosses(this.side, best, own)) ? best : own;
  }

  /** The best price of our orders. */
  get ownBest(): Ticks | undefined {
    return this.#queues[0]?.price;
  }

  /** Totals, best first, at most `count` levels. Levels that have not changed are the same objects. */
  levels(count: number): readonly Level[] {
    const recorded = this.depth.show(count);
    const { shown } = this.depth;
    const levels = this.#merged;
    const sign = signOf(this.side);
    let rank = 0;
    let merged = 0;
    for (const queue of this.#queues) {
      const key = queue.price * sign;
      while (rank < recorded && shown[rank]!.price * sign > key) levels[merged++] = shown[rank++]!;
      const shared = rank < recorded && shown[rank]!.price === queue.price;
      levels[merged++] = queue.level(shared ? shown[rank++]!.size : 0);
    }
    while (rank < recorded) levels[merged++] = shown[rank++]!;
    return levels.slice(0, Math.min(merged, count));
  }

  /** Writes the fills of an order of the other side into `fills`. At one price the recorded orders come first, then ours. */
  plan(fills: Fills, size: Lots, limit: Ticks | undefined): void {
    this.#walk((price, recorded, queue) => {
      if (limit !== undefined && !crosses(opposite(this.side), limit, price)) return false;
      if (recorded > 0) fills.add(RECORDED_MAKER, price, lots(Math.min(recorded, size - fills.total)));
      for (const order of queue?.orders ?? []) {
        if (fills.total < size) fills.add(order.handle, price, lots(Math.min(order.size, size - fills.total)));
      }
      return fills.total < size;
    });
  }

  /** Reduces the recorded total until its next row about this price. */
  takeRecorded(price: Ticks, size: Lots): void {
    const rest = this.depth.total(price) - size;
    this.depth.put(price, rest);
    this.#queueAt(price)?.limitAhead(rest);
  }

  add(price: Ticks, size: Lots, arrival: number): Handle {
    const slot = this.#freeSlots.pop() ?? this.#orders.length;
    const handle = (slot << 1) | (this.side === 'bid' ? 0 : 1);
    const queue = this.#openQueueAt(price);
    this.#orders[slot] = queue.join({ handle, size, arrival, ahead: this.depth.total(price) });
    this.depth.setThreshold(queue.watchId, queue.moveThreshold);
    return handle;
  }

  /** Reduces one of our orders; removes it if its size becomes 0. */
  take(handle: Handle, size: Lots): void {
    const order = this.#order(handle);
    order.size -= size;
    if (order.size <= 0) this.remove(handle);
  }

  remove(handle: Handle): void {
    const order = this.#order(handle);
    const { queue } = order;
    queue.orders.splice(queue.orders.indexOf(order), 1);
    this.#release(handle);
    if (queue.orders.length === 0) this.#close(this.#rankOf(queue.price));
  }

  /** Applies a row that lowers the total of a watched price. */
  lowerTotal(watchId: WatchId, total: number, time: Stamp): void {
    const queue = this.#queuesByWatch[watchId]!;
    queue.lowerTotal(this.depth.before, total, time);
    this.depth.setThreshold(watchId, queue.moveThreshold);
  }

  /** Applies the reduction of a recorded order with an id. */
  removeRecorded(price: Ticks, size: number, { arrival, time }: { arrival: number; time: Stamp }): void {
    this.#queueAt(price)?.removeRecorded(size, arrival, time);
  }

  /** Applies the totals of a complete snapshot, whose causes are unknown. */
  applySnapshot(time: Stamp): void {
    for (const queue of this.#queues) {
      const total = this.depth.total(queue.price);
      queue.lowerTotal(total, total, time);
    }
  }

  /** Applies an execution against this side: it reaches our better prices first, and each of its lots fills us once. */
  print(price: Ticks, size: Lots, time: Stamp): void {
    let left: number = size;
    for (const queue of this.#queues) {
      if (!crosses(this.side, queue.price, price)) break;
      const total = this.depth.total(queue.price);
      left -= queue.price === price ? queue.print({ size, left, total }, time) : queue.passThrough(left, time);
    }
    this.#closeFilled();
  }

  /** Applies orders of the other side at this price, `size` lots in total. Returns the size that trades with ours. */
  fillAgainst(price: Ticks, size: Lots, time: Stamp): Lots {
    let left: number = size;
    for (const queue of this.#queues) {
      if (!crosses(this.side, queue.price, price)) break;
      left -= queue.fillAgainst(left, time);
      if (queue.orders.length > 0) break;
    }
    this.#closeFilled();
    return lots(size - left);
  }

  /**
   * Visits each price, best first, with its recorded total and our queue, until `visit` returns false. Before each recorded price come our queues at better
   * prices; after the last one, the rest of our queues.
   */
  #walk(visit: (price: Ticks, recorded: number, queue: Queue | undefined) => boolean): void {
    let rank = 0;
    let wantsMore = true;
    this.depth.walk((price, recorded) => {
      for (; wantsMore && !crosses(this.side, price, this.#queues[rank]?.price ?? price); rank++) {
        wantsMore = visit(this.#queues[rank]!.price, 0, this.#queues[rank]);
      }
      if (!wantsMore) return false;
      const queue = this.#queues[rank]?.price === price ? this.#queues[rank++] : undefined;
      wantsMore = visit(price, recorded, queue);
      return wantsMore;
    });
    for (; wantsMore && rank < this.#queues.length; rank++) wantsMore = visit(this.#queues[rank]!.price, 0, this.#queues[rank]);
  }

  #openQueueAt(price: Ticks): Queue {
    const found = this.#queueAt(price);
    if (found !== undefined) return found;
    const watchId = this.#freeWatches.pop() ?? this.#queuesByWatch.length;
    const queue = new Queue(price, watchId, this.#rules);
    this.#queues.splice(this.#rankOf(price), 0, queue);
    this.#queuesByWatch[watchId] = queue;
    this.depth.watch(price, watchId);
    this.#opposite?.depth.setOurBest(this.ownBest);
    return queue;
  }

  #closeFilled(): void {
    while (this.#queues[0]?.orders.length === 0) this.#close(0);
  }

  #close(rank: number): void {
    const { price, watchId } = this.#queues.splice(rank, 1)[0]!;
    this.depth.watch(price, NOT_WATCHED);
    this.#queuesByWatch[watchId] = undefined;
    this.#freeWatches.push(watchId);
    this.#opposite?.depth.setOurBest(this.ownBest);
  }

  #order(handle: Handle): OwnOrder {
    const order = this.#orders[handle >> 1];
    if (order === undefined) throw new AssertionError(`no order of ours rests as ${handle}`);
    return order;
  }

  #release(handle: Handle): void {
    this.#orders[handle >> 1] = undefined;
    this.#freeSlots.push(handle >> 1);
  }

  #queueAt(price: Ticks): Queue | undefined {
    const queue = this.#queues[this.#rankOf(price)];
    return queue?.price === price ? queue : undefined;
  }

  /** Returns the rank of the queue at this price, or its insertion point. */
  #rankOf(price: Ticks): number {
    let low = 0;
    let high = this.#queues.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (crosses(this.side, price, this.#queues[middle]!.price)) high = middle;
      else low = middle + 1;
    }
    return low;
  }
}
