// Detects accounts that list the same orders as the previous one, so that they need not be compared again.
import type { Account, RestingOrder } from '../../domain/account.ts';
import type { Order } from '../../domain/order.ts';
import { sameOrders } from '../same.ts';

export class Repetition {
  #first: { readonly listed: readonly RestingOrder[]; readonly live: readonly Order[] } | undefined;

  /** Starts from an account that lists exactly `live`, all our orders, and changed nothing about them. */
  begin({ orders: listed }: Account, live: readonly Order[]): void {
    this.#first = live.length === listed.length ? { listed, live } : undefined;
  }

  end(): void {
    this.#first = undefined;
  }

  /** True if the account lists the same orders as that of `begin` and `live` has not changed since. */
  matches({ orders }: Account, live: readonly Order[]): boolean {
    const first = this.#first;
    return first !== undefined && first.live === live && sameOrders(first.listed, orders);
  }
}
