// Our cancels: in flight, taken on by the exchange, or failed. None of them proves that the order is gone.
// Which status an order gets by an answer stands in life-cycle.ts.
import type { Millis } from '../../base/clock.ts';
import { TransientMap } from '../../base/collections/transient-map.ts';
import type { AccountSeen, CancelAnswered } from '../../domain/event.ts';
import type { ClientOrderId, UpdateId } from '../../domain/ids.ts';
import type { Order } from '../../domain/order.ts';
import { hasMoved } from './proof.ts';

/** How long a cancel that the exchange has queued is waited for. An order that is still listed after that is open and can be cancelled again. */
const QUEUED_FOR: Millis = 10_000;

/** How long the next account is waited for before a failed cancel is sent again. */
const AGAIN_AFTER: Millis = 2_000;

/** The time now, and when the newest account was requested. */
export interface Waited {
  readonly now: Millis;
  readonly accountAsked: Millis;
}

export class Cancels {
  /** Each with the `accountThen` that its order had before the cancel. */
  readonly #inFlight = new TransientMap<ClientOrderId, UpdateId | undefined>();
  /** The last cancel of each order, if the exchange took it on. */
  readonly #taken = new TransientMap<ClientOrderId, 'cancelled' | 'queued'>();

  sent({ clientOrderId, accountThen }: Order): void {
    this.#inFlight.set(clientOrderId, accountThen);
    this.#taken.delete(clientOrderId);
  }

  /** The order updated by the answer to its cancel. */
  answered(order: Order, { clientOrderId, at, outcome }: CancelAnswered): Order {
    const taken = outcome === 'cancelled' || outcome === 'queued';
    if (taken) this.#taken.set(clientOrderId, outcome);
    // A cancel that did nothing does not move the account, so the account proves what it proved before. A cancel that finds nothing needs no move:
    // the order is gone.
    const inVain = !taken && this.#inFlight.has(clientOrderId);
    const before = outcome === 'notFound' ? undefined : this.#inFlight.get(clientOrderId);
    this.#inFlight.delete(clientOrderId);
    return { ...order, touchedAt: at, accountThen: inVain ? before : order.accountThen };
  }

  /** The exchange's answer to our last cancel of an order that is being cancelled, if it took the cancel on. */
  takenOf({ clientOrderId, status }: Order): 'cancelled' | 'queued' | undefined {
    return status === 'cancelling' ? this.#taken.get(clientOrderId) : undefined;
  }

  /** True if the exchange has reported the cancel as done. */
  isConfirmed({ clientOrderId }: Order): boolean {
    return this.#taken.get(clientOrderId) === 'cancelled';
  }

  /** True if the cancel of the order was refused or got no answer long enough ago, and no account requested since then says more. */
  hasFailed({ clientOrderId, status, touchedAt }: Order, { now, accountAsked }: Waited): boolean {
    if (status !== 'cancelling' || this.#inFlight.has(clientOrderId) || this.#taken.has(clientOrderId)) return false;
    return accountAsked < touchedAt && now >= touchedAt + AGAIN_AFTER;
  }

  /** True if the exchange has reported our last action on the order, its placement or its cancel, as done. */
  isDone(order: Order): boolean {
    return order.status === 'open' || (order.status === 'cancelling' && this.isConfirmed(order));
  }

  /** For an order that is being cancelled and still listed: true while that does not show whether the cancel succeeded. */
  isUndecided(order: Order, { account, asked }: AccountSeen): boolean {
    if (order.status !== 'cancelling') return false;
    const queued = this.#taken.get(order.clientOrderId) === 'queued';
    return (
      this.#inFlight.has(order.clientOrderId) ||
      asked < order.touchedAt + (queued ? QUEUED_FOR : 0) ||
      (this.isConfirmed(order) && !hasMoved(account, order))
    );
  }

  /** The order has left. */
  left({ clientOrderId }: Order): void {
    this.#inFlight.delete(clientOrderId);
  }

  /** The end of the order is known. Returns true if the exchange had taken on a cancel of it. */
  closed({ clientOrderId }: Order): boolean {
    return this.#taken.delete(clientOrderId);
  }
}
