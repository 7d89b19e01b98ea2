// Records when and at which price each of our orders rested.
import type { Millis } from '../../../../base/clock.ts';
import { signOf } from '../../../../bot/domain/book.ts';
import type { ClientOrderId } from '../../../../bot/domain/ids.ts';
import type { Order } from '../../../../bot/domain/order.ts';
import type { OrderChange } from '../../../../bot/domain/turn.ts';
import { GrowingColumn } from '../columns.ts';

export const STILL_RESTS = Infinity;

/** The orders of one market. */
export class RestingTimes {
  readonly #starts = new GrowingColumn();
  readonly #ends = new GrowingColumn();
  readonly #prices = new GrowingColumn();
  readonly #signs = new GrowingColumn();
  readonly #resting = new Map<ClientOrderId, number>();

  get count(): number {
    return this.#starts.count;
  }

  get starts(): Float64Array {
    return this.#starts.values();
  }

  /** `STILL_RESTS` if no end was observed. */
  get ends(): Float64Array {
    return this.#ends.values();
  }

  /** In ticks. */
  get prices(): Float64Array {
    return this.#prices.values();
  }

  /** +1 for a bid, -1 for an ask. */
  get signs(): Float64Array {
    return this.#signs.values();
  }

  /** Records that the order rests from now on. An order whose state becomes unknown may still rest and is not ended. */
  opened({ clientOrderId, price, side }: Order, at: Millis): void {
    if (this.#resting.has(clientOrderId)) return;
    this.#resting.set(clientOrderId, this.count);
    this.#starts.push(at);
    this.#ends.push(STILL_RESTS);
    this.#prices.push(price);
    this.#signs.push(signOf(side));
  }

  changed({ order, status }: OrderChange, at: Millis): void {
    if (status === 'open') this.opened(order, at);
    if (status !== 'filled' && status !== 'cancelled' && status !== 'rejected') return;
    const index = this.#resting.get(order.clientOrderId);
    if (index === undefined) return;
    this.#resting.delete(order.clientOrderId);
    this.#ends.set(index, at);
  }
}
