// Tracks our cancels: in flight, accepted by the exchange, or failed. None of these proves that the order is gone.
// `life-cycle.ts` has the status that follows from an answer.
import type { Millis } from '../../../base/clock.ts';
import { TransientMap } from '../../../base/collections/transient-map.ts';
import type { AccountSeen, CancelAnswered } from '../../domain/event.ts';
import type { ClientOrderId, UpdateId } from '../../domain/ids.ts';
import { type Order, orderWith } from '../../domain/order.ts';
import { hasMoved } from './proof.ts';

/** Maximum wait for a cancel that the exchange has queued. An order that is still listed then counts as open and can be cancelled again. */
const QUEUED_FOR: Millis = 10_000;

/** How long to wait for the next account before a failed cancel is sent again. */
const AGAIN_AFTER: Millis = 2_000;

/** The time now, and when the newest account was requested. */
export interface AccountAge {
  readonly now: Millis;
  readonly accountAsked: Millis;
}

interface InFlight {
  /** The `accountThen` of the order before the cancel. */
  readonly before: UpdateId | undefined;
  /** True if the cancel only asks for an order that accounts lack. */
  readonly asks: boolean;
}

export class Cancels {
  readonly #inFlight = new TransientMap<ClientOrderId, InFlight>();
  /** Number of cancels by which each order may have ended: in flight, without an answer, accepted, or sent by others for this run. */
  readonly #effective = new TransientMap<ClientOrderId, number>();
  /** The exchange's answer to the last cancel of each order, if it accepted the cancel. */
  readonly #accepted = new TransientMap<ClientOrderId, 'cancelled' | 'queued'>();

  /** An earlier process, or a `kill` after it, may have cancelled the order. */
  inherited({ clientOrderId }: Order): void {
    this.#addEffective(clientOrderId, 1);
  }

  /** True if one of our cancels may have ended the order. */
  mayHaveEnded({ clientOrderId }: Order): boolean {
    return (this.#effective.get(clientOrderId) ?? 0) > 0;
  }

  #addEffective(clientOrderId: ClientOrderId, count: number): void {
    this.#effective.set(clientOrderId, (this.#effective.get(clientOrderId) ?? 0) + count);
  }

  sent({ clientOrderId, accountThen, ask }: Order): void {
    if (ask !== true) this.#addEffective(clientOrderId, 1);
    this.#inFlight.set(clientOrderId, { before: accountThen, asks: ask === true });
    this.#accepted.delete(clientOrderId);
  }

  /** Returns the order updated by the answer to its cancel. */
  answered(order: Order, { clientOrderId, at, outcome }: CancelAnswered): Order {
    const accepted = outcome === 'cancelled' || outcome === 'queued';
    if (accepted) this.#accepted.set(clientOrderId, outcome);
    // A cancel that had no effect does not change the account's update number, so the earlier number is restored. If the order was not found, no
    // later number is needed.
    const cancel = this.#inFlight.get(clientOrderId);
    if (cancel?.asks === false && !accepted && outcome !== 'unknown') this.#addEffective(clientOrderId, -1);
    const hadNoEffect = !accepted && cancel !== undefined;
    const before = outcome === 'notFound' ? undefined : cancel?.before;
    this.#inFlight.delete(clientOrderId);
    return orderWith(order, { touchedAt: at, accountThen: hadNoEffect ? before : order.accountThen });
  }

  /** Returns the exchange's answer to the last cancel of an order that is being cancelled; undefined if it did not accept the cancel. */
  acceptedAnswer({ clientOrderId, status }: Order): 'cancelled' | 'queued' | undefined {
    return status === 'cancelling' ? this.#accepted.get(clientOrderId) : undefined;
  }

  /** True if the exchange has reported the cancel as done. */
  isConfirmed({ clientOrderId }: Order): boolean {
    return this.#accepted.get(clientOrderId) === 'cancelled';
  }

  isInFlight({ clientOrderId }: Order): boolean {
    return this.#inFlight.has(clientOrderId);
  }

  /** True if the cancel was refused or unanswered at least AGAIN_AFTER ago and no account has been requested since. */
  hasFailed({ clientOrderId, status, touchedAt }: Order, { now, accountAsked }: AccountAge): boolean {
    if (status !== 'cancelling' || this.#inFlight.has(clientOrderId) || this.#accepted.has(clientOrderId)) return false;
    return accountAsked < touchedAt && now >= touchedAt + AGAIN_AFTER;
  }

  /** True if the exchange has reported our last action on the order, its placement or its cancel, as done. */
  isDone(order: Order): boolean {
    return order.status === 'open' || (order.status === 'cancelling' && this.isConfirmed(order));
  }

  /** True if the order is being cancelled and the account that lists it is too early to show the result. */
  isUndecided(order: Order, { account, asked }: AccountSeen): boolean {
    if (order.status !== 'cancelling') return false;
    const queued = this.#accepted.get(order.clientOrderId) === 'queued';
    return (
      this.#inFlight.has(order.clientOrderId) ||
      asked < order.touchedAt + (queued ? QUEUED_FOR : 0) ||
      (this.isConfirmed(order) && !hasMoved(account, order))
    );
  }

  /** Called when the order has left the book. */
  left({ clientOrderId }: Order): void {
    this.#inFlight.delete(clientOrderId);
  }

  /** Called when the order's end is known. Returns true if the exchange had accepted a cancel of it. */
  closed({ clientOrderId }: Order): boolean {
    this.#effective.delete(clientOrderId);
    return this.#accepted.delete(clientOrderId);
  }
}
