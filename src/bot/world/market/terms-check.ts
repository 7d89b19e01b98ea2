// Checks that our orders rest with the price and size with which they were sent, and fill at most that size. A difference means that the exchange
// uses other decimals than we do.
import type { Millis } from '../../../base/clock.ts';
import type { RestingOrder } from '../../domain/account.ts';
import type { MarketId } from '../../domain/ids.ts';
import { lots } from '../../domain/numbers.ts';
import { type Order, orderWith } from '../../domain/order.ts';
import type { Alarms } from '../alarms.ts';
import type { Fault } from '../seen.ts';

export class TermsCheck {
  readonly #alarms: Alarms;
  readonly #faults = new Map<MarketId, Fault>();

  constructor(alarms: Alarms) {
    this.#alarms = alarms;
  }

  /**
   * The reason not to trust the prices and sizes that the exchange reports for our orders in that market; undefined if there is none. It stays until the
   * bot is started again.
   */
  fault(market: MarketId): Fault | undefined {
    return this.#faults.get(market);
  }

  /**
   * Returns the order with the terms that an account lists under our client order id, if its price differs or its size is larger. A smaller size is
   * no evidence of other decimals, because a server may list the size that was left when the order came to rest; the order then can fill less than
   * intended, never more.
   */
  listed(order: Order, { clientOrderId, price, size, originalSize }: RestingOrder, at: Millis): Order {
    const shown = Math.max(size, originalSize);
    const isSame = price === order.price && shown <= order.size;
    if (isSame || clientOrderId !== order.clientOrderId) return order;
    this.#reportChange(
      order.market,
      `order ${clientOrderId} was sent as ${order.size} lots at ${order.price} ticks and rests as ${shown} at ${price}`,
      at,
    );
    return orderWith(order, { price, size: lots(Math.max(shown, order.size)) });
  }

  /** Returns the order after fills of more than its size: it is larger than it was sent, so a part of it may still rest. */
  overfilled(order: Order, filled: number, at: Millis): Order {
    this.#reportChange(order.market, `order ${order.clientOrderId} was sent as ${order.size} lots and ${filled} are filled`, at);
    return orderWith(order, { size: lots(filled), remaining: lots(0) });
  }

  #reportChange(market: MarketId, what: string, at: Millis): void {
    if (this.#faults.has(market)) return;
    const reason = `${what}: the exchange uses other decimals than when the run started; start the bot again to use the new ones`;
    this.#faults.set(market, { reason, since: at });
    this.#alarms.raise({ name: 'terms', market, reason });
  }
}
