// A plain order book, for comparison: an object per order, a map of queues by price, and a sorted array of prices.
import { crosses, opposite, type Side } from '../src/bot/domain/book.ts';

interface Order {
  readonly id: number;
  readonly side: Side;
  readonly price: number;
  size: number;
}

interface Fill {
  readonly maker: number;
  readonly price: number;
  readonly size: number;
}

export class PlainBook {
  readonly #queues = { bid: new Map<number, Order[]>(), ask: new Map<number, Order[]>() };
  /** Sorted, best price last. */
  readonly #prices: Record<Side, number[]> = { bid: [], ask: [] };

  place(order: Order, { rests }: { rests: boolean }): readonly Fill[] {
    const fills: Fill[] = [];
    const [queues, prices] = [this.#queues[opposite(order.side)], this.#prices[opposite(order.side)]];
    for (let best = prices.at(-1); best !== undefined && order.size > 0 && crosses(order.side, order.price, best); best = prices.at(-1)) {
      const queue = queues.get(best) ?? [];
      for (let maker = queue[0]; maker !== undefined && order.size > 0; maker = queue[0]) {
        const size = Math.min(order.size, maker.size);
        fills.push({ maker: maker.id, price: best, size });
        order.size -= size;
        maker.size -= size;
        if (maker.size === 0) queue.shift();
      }
      if (queue.length > 0) break;
      queues.delete(best);
      prices.pop();
    }
    if (rests && order.size > 0) this.#rest(order);
    return fills;
  }

  #rest(order: Order): void {
    const queue = this.#queues[order.side].get(order.price);
    if (queue !== undefined) {
      queue.push(order);
      return;
    }
    this.#queues[order.side].set(order.price, [order]);
    const prices = this.#prices[order.side];
    const before = prices.findLastIndex((price) => !crosses(order.side, price, order.price));
    prices.splice(before + 1, 0, order.price);
  }
}
