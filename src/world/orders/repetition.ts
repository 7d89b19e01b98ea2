// Accounts that list just what is known of our orders, one after the other: all but the first tell nothing new of them.
import type { Account, RestingOrder } from '../../domain/account.ts';
import type { Order } from '../../domain/order.ts';
import { sameOrders } from './same.ts';

export class Repetition {
  #first: { readonly listed: readonly RestingOrder[]; readonly live: readonly Order[] } | undefined;

  /** `live` are all our orders, and learned nothing from the account, which lists nothing else. */
  begin({ orders: listed }: Account, live: readonly Order[]): void {
    this.#first = live.length === listed.length ? { listed, live } : undefined;
  }

  end(): void {
    this.#first = undefined;
  }

  /** Nothing is known of `live` that was not when it began. */
  is({ orders }: Account, live: readonly Order[]): boolean {
    const first = this.#first;
    return first !== undefined && first.live === live && sameOrders(first.listed, orders);
  }
}
