// Collects evidence from accounts and receipts on whether each of our orders is at the exchange.
import type { Millis } from '../../base/clock.ts';
import { TransientMap } from '../../base/collections/transient-map.ts';
import type { RestingOrder } from '../../domain/account.ts';
import type { AccountSeen, FillsSeen } from '../../domain/event.ts';
import type { ClientOrderId, OrderId } from '../../domain/ids.ts';
import { type Order, orderWith } from '../../domain/order.ts';
import type { AgreedAsOf } from '../position/agreement.ts';
import {
  couldList,
  deadSince,
  hasMoved,
  isPast,
  LAG,
  type Lacking,
  type PassedSince,
  provedAbsent,
  provedCancelled,
  type There,
  withWitness,
} from './proof.ts';
import { sameOrder } from './same.ts';

/** Evidence from other sources than accounts and trades. */
export interface OtherEvidence {
  readonly agreedAsOf: AgreedAsOf;
  readonly passedSince: PassedSince;
  /** When the clock last jumped: the times between requests before and after it are unknown. */
  readonly jumpedAt: Millis;
}

/** What receipts and accounts have shown about one order. */
interface Known {
  /** When it was at the exchange; `NEWEST` if the newest account lists it; undefined if nothing has shown it yet. */
  there: There | typeof NEWEST | undefined;
  /** True if an account has listed it under our client order id. */
  isNamed: boolean;
  /** The order as the newest account lists it, if the comparison changed nothing: while both are the same, they need not be compared again. */
  order: Order | undefined;
  resting: RestingOrder | undefined;
}

const NEWEST = Symbol('newest');

export class Evidence {
  readonly #known = new TransientMap<ClientOrderId, Known>();
  readonly #lacking = new TransientMap<ClientOrderId, Lacking>();
  /** When the exchange first answered that it cannot find an order. */
  readonly #notFound = new TransientMap<ClientOrderId, Millis>();
  /** The newest account, and the one before it. */
  #newest: There = { at: 0, shownFrom: 0, updateId: undefined };
  #previous = this.#newest;

  /** Takes over an order that rested when an earlier process last saw it: accounts requested after that time count as evidence. */
  inherited({ clientOrderId, status, touchedAt, accountThen }: Order): void {
    if (status === 'open') this.#of(clientOrderId).there = { at: touchedAt, shownFrom: touchedAt + LAG, updateId: accountThen };
  }

  /** Called for a receipt. Accounts with a later update number than the newest one at sending may list the order; a lagging one need not. */
  accepted({ clientOrderId, accountThen }: Order, at: There['at']): void {
    this.#found(clientOrderId, { at, shownFrom: at + LAG, updateId: accountThen });
  }

  /** Called for each account, before all our live orders are compared with it; alone, if it lists the same orders as the last one. */
  shows({ account, at }: AccountSeen): void {
    this.#previous = this.#newest;
    this.#newest = { at, shownFrom: at, updateId: account.updateId };
  }

  /** If the account lists the order exactly as the last one did, and `isAsKnown` was called then, takes it from the list and returns its id. */
  listedAgain(order: Order, listed: Map<OrderId, RestingOrder>): OrderId | undefined {
    const known = this.#known.get(order.clientOrderId);
    if (known?.resting === undefined || known.order !== order) return undefined;
    const { orderId } = known.resting;
    const resting = listed.get(orderId);
    if (resting === undefined || !sameOrder(resting, known.resting)) return undefined;
    listed.delete(orderId);
    return orderId;
  }

  /** Called if the comparison of a listed order with its entry in the account has changed nothing. */
  isAsKnown(order: Order, resting: RestingOrder): void {
    if (resting.clientOrderId !== undefined && resting.clientOrderId !== order.clientOrderId) return;
    const known = this.#of(order.clientOrderId);
    known.order = order;
    known.resting = resting;
  }

  /** Compares the order with the next account, although it may list it as the last one did. */
  compareAgain(clientOrderId: ClientOrderId): void {
    const known = this.#known.get(clientOrderId);
    if (known !== undefined) known.resting = undefined;
  }

  /** Called for each order that the account of the last `shows` lists. */
  listed({ clientOrderId }: Order, resting: RestingOrder): void {
    this.#found(clientOrderId, NEWEST).isNamed ||= resting.clientOrderId === clientOrderId;
  }

  /** True if an account has listed the order by our id: it then exists, whatever its receipt says. */
  isNamed({ clientOrderId }: Order): boolean {
    return this.#known.get(clientOrderId)?.isNamed === true;
  }

  /**
   * Called if the exchange cannot find the order: an account then needs no higher update number to prove its absence. Only the first such answer
   * counts, because later ones would make each account too early.
   */
  notFound({ clientOrderId }: Order, at: Millis): void {
    this.#of(clientOrderId).there = undefined;
    if (!this.#notFound.has(clientOrderId)) this.#notFound.set(clientOrderId, at);
  }

  /**
   * Called if an account does not list the order. Returns the updated order, or undefined if it is gone. `cancel` is the exchange's answer to our
   * last cancel of it.
   */
  lacked(
    order: Order,
    seen: AccountSeen,
    { passedSince, jumpedAt, cancel }: Omit<OtherEvidence, 'agreedAsOf'> & { cancel: 'cancelled' | 'queued' | undefined },
  ): Order | undefined {
    const { clientOrderId, status } = order;
    const there = this.#lost(clientOrderId);
    const dead = status === 'unknown' ? deadSince(order, passedSince) : jumpedAt;
    if (!couldList(order, seen, { there, dead, notFound: this.#notFound.get(clientOrderId) })) return this.#tooEarly(order, seen, there);
    if (provedCancelled(this.#lacks(clientOrderId, seen, dead), cancel)) return undefined;
    return status === 'unknown' || order.missing === true ? order : orderWith(order, { missing: true });
  }

  /**
   * An account that is too early proves nothing, also if it is received again; so a later update number is required from then on. Exception: if the
   * exchange cannot find the order, the same account requested later can prove its absence.
   */
  #tooEarly(order: Order, { account, asked }: AccountSeen, there: There | undefined): Order {
    const { updateId } = account;
    if (there !== undefined && asked < there.at && isPast(account, there.updateId)) {
      this.#of(order.clientOrderId).there = { ...there, updateId };
    }
    const isSought = (order.status === 'open' || order.status === 'cancelling') && there === undefined;
    return !isSought && hasMoved(account, order) ? orderWith(order, { accountThen: updateId }) : order;
  }

  /** Returns the orders whose absence is proved. */
  absent(orders: readonly Order[], { asked }: FillsSeen, { agreedAsOf, passedSince, jumpedAt }: OtherEvidence): readonly Order[] {
    if (this.#lacking.size === 0) return NONE;
    return orders.filter((order) => {
      const lacking = this.#lacking.get(order.clientOrderId);
      if (lacking === undefined) return false;
      if (lacking.since < (order.status === 'unknown' ? deadSince(order, passedSince) : jumpedAt)) return false;
      return provedAbsent(order, lacking, { asked, agreedAsOf: agreedAsOf(order.market) });
    });
  }

  forget({ clientOrderId }: Order): void {
    this.#known.delete(clientOrderId);
    this.#notFound.delete(clientOrderId);
    this.#lacking.delete(clientOrderId);
  }

  #of(clientOrderId: ClientOrderId): Known {
    let known = this.#known.get(clientOrderId);
    if (known === undefined) {
      known = { there: undefined, isNamed: false, order: undefined, resting: undefined };
      this.#known.set(clientOrderId, known);
    }
    return known;
  }

  #found(clientOrderId: ClientOrderId, there: Known['there']): Known {
    const known = this.#of(clientOrderId);
    known.there = there;
    known.resting = undefined;
    this.#notFound.delete(clientOrderId);
    this.#lacking.delete(clientOrderId);
    return known;
  }

  /** Returns when an order that the newest account does not list was at the exchange. */
  #lost(clientOrderId: ClientOrderId): There | undefined {
    const known = this.#known.get(clientOrderId);
    if (known === undefined) return undefined;
    known.resting = undefined;
    if (known.there === NEWEST) known.there = this.#previous;
    return known.there;
  }

  #lacks(clientOrderId: ClientOrderId, seen: AccountSeen, dead: Millis): Lacking {
    const lacking = withWitness(this.#lacking.get(clientOrderId), seen, dead);
    this.#lacking.set(clientOrderId, lacking);
    return lacking;
  }
}

const NONE: readonly Order[] = [];
