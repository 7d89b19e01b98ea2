// Counts how often an order with the same terms was sent lately.
import type { Millis } from '../../../../base/clock.ts';
import { TransientMap } from '../../../../base/collections/transient-map.ts';
import type { Action, PlaceOrder } from '../../../domain/action.ts';

/** How long sending times are kept. */
export const TERMS_KEPT: Millis = 600_000;

export type OrderTerms = Pick<PlaceOrder, 'market' | 'side' | 'price' | 'size'>;

export class SentTerms {
  /** Sending times by terms, oldest first. */
  readonly #times = new TransientMap<string, Millis[]>();
  #removedAt: Millis = 0;

  sent(actions: readonly Action[], at: Millis): void {
    for (const action of actions) if (action.kind === 'place') this.#add(action, at);
  }

  /** Number of orders with these terms sent after `from`, which must lie within TERMS_KEPT. */
  since(terms: OrderTerms, from: Millis): number {
    const times = this.#times.get(keyOf(terms)) ?? [];
    let first = times.length;
    while (first > 0 && times[first - 1]! > from) first--;
    return times.length - first;
  }

  #add(terms: OrderTerms, at: Millis): void {
    const key = keyOf(terms);
    const times = this.#times.get(key);
    if (times === undefined) this.#times.set(key, [at]);
    else times.push(at);
    if (at > this.#removedAt + TERMS_KEPT) this.#removeOld(at);
  }

  #removeOld(now: Millis): void {
    this.#removedAt = now;
    for (const [key, times] of this.#times) {
      const left = times.filter((at) => at > now - TERMS_KEPT);
      if (left.length > 0) this.#times.set(key, left);
      else this.#times.delete(key);
    }
  }
}

const keyOf = ({ market, side, price, size }: OrderTerms): string => `${market}/${side}/${price}/${size}`;
