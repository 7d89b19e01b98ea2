// Estimates the size queued before each of our orders at its price: the level's size when the order was first seen, less the volume traded since.
import { type Book, levelsOf, opposite } from '../../bot/domain/book.ts';
import type { ClientOrderId } from '../../bot/domain/ids.ts';
import { type Lots, lots } from '../../bot/domain/numbers.ts';
import type { Order, Trade } from '../../bot/domain/order.ts';

/**
 * An exchange does not report queue positions. The estimate is an upper bound: cancels before us lower it only when the level becomes smaller than
 * the estimate.
 */
export class QueueEstimates {
  readonly #ahead = new Map<ClientOrderId, Lots>();

  /** Returns the size queued before an order; undefined before a book has shown its level. */
  ahead(id: ClientOrderId): Lots | undefined {
    return this.#ahead.get(id);
  }

  /** Starts or lowers the estimate of each order whose level the book shows. */
  book(book: Book, orders: readonly Order[]): void {
    for (const order of orders) {
      if (order.status !== 'open' && order.status !== 'cancelling') continue;
      const level = levelsOf(book, order.side).find(({ price }) => price === order.price);
      if (level === undefined) continue;
      const own = orders.reduce(
        (sum, { side, price, remaining }) => sum + (side === order.side && price === order.price ? remaining : 0),
        0,
      );
      const others = Math.max(0, level.size - own);
      this.#ahead.set(order.clientOrderId, lots(Math.min(this.#ahead.get(order.clientOrderId) ?? others, others)));
    }
  }

  /** Lowers the estimate. A trade at our price fills the orders before us first; a trade beyond our price has filled all of them. */
  trade({ price, size, takerSide }: Trade, orders: readonly Order[]): void {
    for (const order of orders) {
      const before = this.#ahead.get(order.clientOrderId);
      if (before === undefined || order.side !== opposite(takerSide)) continue;
      const isBeyond = order.side === 'bid' ? price < order.price : price > order.price;
      if (isBeyond) this.#ahead.set(order.clientOrderId, lots(0));
      else if (price === order.price) this.#ahead.set(order.clientOrderId, lots(Math.max(0, before - size)));
    }
  }

  ended(id: ClientOrderId): void {
    this.#ahead.delete(id);
  }
}
