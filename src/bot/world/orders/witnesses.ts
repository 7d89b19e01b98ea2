// Orders that two accounts and our trades prove absent, but for which the exchange has still to be asked by their own ids: accounts may all be wrong in
// the same way. Such an order keeps its level until the exchange has answered a cancel of it with cancelled or not found.
import type { Millis } from '../../../base/clock.ts';
import { TransientMap } from '../../../base/collections/transient-map.ts';
import type { ClientOrderId } from '../../domain/ids.ts';
import type { Order } from '../../domain/order.ts';

/** The time between two questions about one order. */
const AGAIN_AFTER: Millis = 5_000;
/** Maximum number of questions without an answer. */
const MAX_IN_FLIGHT = 8;

export interface AskingState {
  readonly live: { get(id: ClientOrderId): Order | undefined };
  readonly cancels: { isInFlight(order: Order): boolean };
  readonly now: Millis;
}

export class Witnesses {
  readonly #isNeeded: boolean;
  /** The orders to ask for. */
  readonly #awaited = new TransientMap<ClientOrderId, true>();
  /** When the exchange was last asked for each order. */
  readonly #askedAt = new TransientMap<ClientOrderId, Millis>();
  /** The orders that the exchange showed open when it was asked, and that no account has listed since. */
  readonly #shownOpen = new TransientMap<ClientOrderId, true>();

  /** `isNeeded`: false if the accounts of the exchange cannot be wrong. */
  constructor(isNeeded: boolean) {
    this.#isNeeded = isNeeded;
  }

  /**
   * Returns true if the order is absent without a further question. Otherwise adds it to the orders to ask for, and returns false. An order without an
   * id, or with an uncertain one, is never asked for: the answer could be about another order.
   */
  confirmOrAsk(order: Order, wasNotFound: boolean): boolean {
    if (!this.#isNeeded || wasNotFound || order.orderId === undefined || order.uncertainId === true) return true;
    this.#awaited.set(order.clientOrderId, true);
    return false;
  }

  /** True if the exchange shows an order open that accounts lack, or has still to answer for one. */
  get areAccountsDoubted(): boolean {
    return this.#awaited.size + this.#shownOpen.size > 0;
  }

  /** Returns the orders to ask for now. */
  due({ live, cancels, now }: AskingState): readonly Order[] {
    if (this.#awaited.size === 0) return NONE;
    const orders = [...this.#awaited.keys()].flatMap((id) => live.get(id) ?? []);
    const idle = orders.filter((order) => order.ask !== true && !cancels.isInFlight(order));
    const due = idle.filter(({ clientOrderId }) => now >= (this.#askedAt.get(clientOrderId) ?? -Infinity) + AGAIN_AFTER);
    return due.slice(0, Math.max(0, MAX_IN_FLIGHT - (orders.length - idle.length)));
  }

  asked({ clientOrderId }: Order, at: Millis): void {
    if (this.#awaited.has(clientOrderId)) this.#askedAt.set(clientOrderId, at);
  }

  /** Called if the exchange shows the order open: the accounts that lack it are wrong. */
  shownOpen({ clientOrderId }: Order): void {
    this.#shownOpen.set(clientOrderId, true);
  }

  /** True if the accounts lack the order although the exchange shows it open. */
  isShownOpen({ clientOrderId }: Order): boolean {
    return this.#shownOpen.has(clientOrderId);
  }

  /** Called if a receipt or an account shows the order. */
  found(clientOrderId: ClientOrderId): void {
    this.#awaited.delete(clientOrderId);
    this.#shownOpen.delete(clientOrderId);
  }

  /** Called when the order is gone. */
  forget(clientOrderId: ClientOrderId): void {
    this.found(clientOrderId);
    this.#askedAt.delete(clientOrderId);
  }
}

const NONE: readonly Order[] = [];
