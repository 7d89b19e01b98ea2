// Our cancels: on their way, taken on by the exchange, or in vain. None of them proves anything of the order.
import type { Millis } from '../../base/clock.ts';
import type { AccountSeen, CancelAnswered } from '../../domain/event.ts';
import type { ClientOrderId, UpdateId } from '../../domain/ids.ts';
import type { Order } from '../../domain/order.ts';
import type { Listed } from './listed.ts';
import { hasMoved } from './proof.ts';

/** A cancel that the exchange has queued is waited for so long; an order that is listed after that is open, and can be cancelled again. */
const QUEUED_FOR: Millis = 10_000;

/** How long the next account is waited for before a cancel that came to nothing is sent again. */
const AGAIN_AFTER: Millis = 2_000;

export class Cancels {
  /** Each with the `accountThen` that its order had before. */
  readonly #inFlight = new Map<ClientOrderId, UpdateId | undefined>();
  /** Those of the last cancels that the exchange took on. */
  readonly #taken = new Map<ClientOrderId, 'cancelled' | 'queued'>();

  sent({ clientOrderId, accountThen }: Order): void {
    this.#inFlight.set(clientOrderId, accountThen);
    this.#taken.delete(clientOrderId);
  }

  /** The order with what the answer makes of it. */
  answered(order: Order, { clientOrderId, at, outcome }: CancelAnswered): Order {
    const taken = outcome === 'cancelled' || outcome === 'queued';
    if (taken) this.#taken.set(clientOrderId, outcome);
    // A cancel that did nothing does not move the account: it then proves what it proved before. One that finds nothing needs no move: the order is gone.
    const inVain = !taken && this.#inFlight.has(clientOrderId);
    const before = outcome === 'notFound' ? undefined : this.#inFlight.get(clientOrderId);
    this.#inFlight.delete(clientOrderId);
    return { ...order, touchedAt: at, accountThen: inVain ? before : order.accountThen };
  }

  /** What the exchange said of our last cancel of an order that is being cancelled, where it took that on. */
  takenOf({ clientOrderId, status }: Order): 'cancelled' | 'queued' | undefined {
    return status === 'cancelling' ? this.#taken.get(clientOrderId) : undefined;
  }

  /** The exchange has told us that it was done. */
  isConfirmed({ clientOrderId }: Order): boolean {
    return this.#taken.get(clientOrderId) === 'cancelled';
  }

  /** Makes open again what had its cancel refused, or without an answer, long enough ago, when no account that was asked for since then tells more. */
  reopen(orders: Listed<ClientOrderId, Order>, { now, accountAsked }: { readonly now: Millis; readonly accountAsked: Millis }): void {
    for (const order of orders.list()) {
      const inVain = order.status === 'cancelling' && !this.#inFlight.has(order.clientOrderId) && !this.#taken.has(order.clientOrderId);
      if (!inVain || accountAsked >= order.touchedAt || now < order.touchedAt + AGAIN_AFTER) continue;
      orders.set(order.clientOrderId, { ...order, status: 'open' }); // to cancel it twice does no harm
    }
  }

  /** The exchange has told us that our last action on the order, its placement or its cancel, was done. */
  isDone(order: Order): boolean {
    return order.status === 'open' || (order.status === 'cancelling' && this.isConfirmed(order));
  }

  /** An order that is being cancelled and still listed: true while that says nothing of the cancel. */
  isUndecided(order: Order, { account, asked }: AccountSeen): boolean {
    if (order.status !== 'cancelling') return false;
    const queued = this.#taken.get(order.clientOrderId) === 'queued';
    return (
      this.#inFlight.has(order.clientOrderId) ||
      asked < order.touchedAt + (queued ? QUEUED_FOR : 0) ||
      (this.isConfirmed(order) && !hasMoved(account, order))
    );
  }

  /** Its order has left. */
  left({ clientOrderId }: Order): void {
    this.#inFlight.delete(clientOrderId);
  }

  /** What became of its order is known. True when the exchange had taken a cancel of it on. */
  closed({ clientOrderId }: Order): boolean {
    return this.#taken.delete(clientOrderId);
  }
}
