// Collects evidence from accounts and receipts on whether each of our orders is at the exchange.
import type { Millis } from '../../base/clock.ts';
import { TransientMap } from '../../base/collections/transient-map.ts';
import type { RestingOrder } from '../../domain/account.ts';
import type { AccountSeen, FillsSeen } from '../../domain/event.ts';
import type { ClientOrderId } from '../../domain/ids.ts';
import type { Order } from '../../domain/order.ts';
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

/** Evidence from other sources than accounts and trades. */
export interface OtherEvidence {
  readonly agreedAsOf: AgreedAsOf;
  readonly passedSince: PassedSince;
}

export class Evidence {
  readonly #there = new TransientMap<ClientOrderId, There>();
  readonly #lacking = new TransientMap<ClientOrderId, Lacking>();
  /** When the exchange first answered that it cannot find an order. */
  readonly #notFound = new TransientMap<ClientOrderId, Millis>();
  /** Orders that an account has listed under our client order ids. */
  readonly #named = new TransientMap<ClientOrderId, true>();
  /** Shared by all orders that the newest account lists, so that one update serves all of them if the next account lists the same orders. */
  #newest: There = { at: 0, shownFrom: 0, updateId: undefined };

  /** Takes over an order that rested when an earlier process last saw it: accounts requested after that time count as evidence. */
  inherited({ clientOrderId, status, touchedAt, accountThen }: Order): void {
    if (status === 'open') this.#there.set(clientOrderId, { at: touchedAt, shownFrom: touchedAt + LAG, updateId: accountThen });
  }

  /** Called for a receipt. Accounts with a later update number than the newest one at sending may list the order; a lagging one need not. */
  accepted({ clientOrderId, accountThen }: Order, at: There['at']): void {
    this.#found(clientOrderId, { at, shownFrom: at + LAG, updateId: accountThen });
  }

  /** Called before `listed` is called for the orders of an account. */
  shows({ account, at }: AccountSeen): void {
    this.#newest = { at, shownFrom: at, updateId: account.updateId };
  }

  /** Called for each order that the account of the last `shows` lists. */
  listed({ clientOrderId }: Order, resting: RestingOrder): void {
    if (resting.clientOrderId === clientOrderId) this.#named.set(clientOrderId, true);
    this.#found(clientOrderId, this.#newest);
  }

  /** True if an account has listed the order by our id: it then exists, whatever its receipt says. */
  isNamed({ clientOrderId }: Order): boolean {
    return this.#named.has(clientOrderId);
  }

  /** Called if another account lists the same orders as the last one. */
  listedAgain({ account, at }: AccountSeen): void {
    Object.assign(this.#newest, { at, shownFrom: at, updateId: account.updateId } satisfies There);
  }

  /**
   * Called if the exchange cannot find the order: an account then needs no higher update number to prove its absence. Only the first such answer
   * counts, because later ones would make each account too early.
   */
  notFound({ clientOrderId }: Order, at: Millis): void {
    this.#there.delete(clientOrderId);
    if (!this.#notFound.has(clientOrderId)) this.#notFound.set(clientOrderId, at);
  }

  /**
   * Called if an account does not list the order. Returns the updated order, or undefined if it is gone. `cancel` is the exchange's answer to our
   * last cancel of it.
   */
  lacked(
    order: Order,
    seen: AccountSeen,
    { passedSince, cancel }: { passedSince: PassedSince; cancel: 'cancelled' | 'queued' | undefined },
  ): Order | undefined {
    const { clientOrderId, status } = order;
    const there = this.#there.get(clientOrderId);
    const dead = status === 'unknown' ? deadSince(order, passedSince) : Number.NEGATIVE_INFINITY;
    if (!couldList(order, seen, { there, dead, notFound: this.#notFound.get(clientOrderId) })) return this.#tooEarly(order, seen, there);
    if (provedCancelled(this.#lacks(clientOrderId, seen, dead), cancel)) return undefined;
    return status === 'unknown' || order.missing === true ? order : { ...order, missing: true };
  }

  /**
   * An account that is too early proves nothing, also if it is received again; so a later update number is required from then on. Exception: if the
   * exchange cannot find the order, the same account requested later can prove its absence.
   */
  #tooEarly(order: Order, { account, asked }: AccountSeen, there: There | undefined): Order {
    const { updateId } = account;
    if (there !== undefined && asked < there.at && isPast(account, there.updateId)) {
      this.#there.set(order.clientOrderId, { ...there, updateId });
    }
    const isSought = (order.status === 'open' || order.status === 'cancelling') && there === undefined;
    return !isSought && hasMoved(account, order) ? { ...order, accountThen: updateId } : order;
  }

  /** Returns the orders whose absence is proved. */
  absent(orders: readonly Order[], { asked }: FillsSeen, { agreedAsOf, passedSince }: OtherEvidence): readonly Order[] {
    if (this.#lacking.size === 0) return NONE;
    return orders.filter((order) => {
      const lacking = this.#lacking.get(order.clientOrderId);
      if (lacking === undefined) return false;
      if (order.status === 'unknown' && lacking.since < deadSince(order, passedSince)) return false;
      return provedAbsent(order, lacking, { asked, agreedAsOf: agreedAsOf(order.market) });
    });
  }

  forget({ clientOrderId }: Order): void {
    this.#notFound.delete(clientOrderId);
    this.#there.delete(clientOrderId);
    this.#lacking.delete(clientOrderId);
    this.#named.delete(clientOrderId);
  }

  #found(clientOrderId: ClientOrderId, there: There): void {
    this.#there.set(clientOrderId, there);
    this.#notFound.delete(clientOrderId);
    this.#lacking.delete(clientOrderId);
  }

  #lacks(clientOrderId: ClientOrderId, seen: AccountSeen, dead: Millis): Lacking {
    const lacking = withWitness(this.#lacking.get(clientOrderId), seen, dead);
    this.#lacking.set(clientOrderId, lacking);
    return lacking;
  }
}

const NONE: readonly Order[] = [];
