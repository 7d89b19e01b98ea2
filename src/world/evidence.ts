// What speaks for and against each of our orders being at the exchange, as far as accounts and receipts have told.
import type { Millis } from '../base/clock.ts';
import type { Account, RestingOrder } from '../domain/account.ts';
import type { AccountSeen, FillsSeen } from '../domain/event.ts';
import type { ClientOrderId } from '../domain/ids.ts';
import type { Order } from '../domain/order.ts';
import type { AgreedAsOf } from './agreement.ts';
import { deadSince, hasMoved, isPast, LAG, type Lacking, type PassedSince, provedAbsent, provedGone, type There } from './proof.ts';

/** What is known beside accounts and trades. */
export interface Told {
  readonly agreedAsOf: AgreedAsOf;
  readonly passedSince: PassedSince;
}

export class Evidence {
  readonly #there = new Map<ClientOrderId, There>();
  readonly #lacking = new Map<ClientOrderId, Lacking>();
  /** An account has listed them under the names that they have from us. */
  readonly #named = new Set<ClientOrderId>();
  /** One for all orders that the newest account lists: those that the next one lists again are there until then. */
  #newest: There = { at: 0, shownFrom: 0, updateId: undefined };

  /** An earlier process knew it to rest: accounts of the time after its last word on it can tell. */
  inherited({ clientOrderId, status, touchedAt, accountThen }: Order): void {
    if (status === 'open') this.#there.set(clientOrderId, { at: touchedAt, shownFrom: touchedAt + LAG, updateId: accountThen });
  }

  /** Its receipt has come: accounts past the one that stood when it was sent may list it, but one that lags behind need not. */
  accepted({ clientOrderId, accountThen }: Order, at: There['at']): void {
    this.#found(clientOrderId, { at, shownFrom: at + LAG, updateId: accountThen });
  }

  /** Before the orders that an account lists are told. */
  shows({ account, at }: AccountSeen): void {
    this.#newest = { at, shownFrom: at, updateId: account.updateId };
  }

  /** By the account that was told of last. */
  listed({ clientOrderId }: Order, resting: RestingOrder): void {
    if (resting.clientOrderId === clientOrderId) this.#named.add(clientOrderId);
    this.#found(clientOrderId, this.#newest);
  }

  /** What an account has listed must be this order, whatever its answer says. */
  isNamed({ clientOrderId }: Order): boolean {
    return this.#named.has(clientOrderId);
  }

  /** Another account lists all that the last one listed. */
  listedAgain({ account, at }: AccountSeen): void {
    Object.assign(this.#newest, { at, shownFrom: at, updateId: account.updateId } satisfies There);
  }

  /** The exchange cannot find it: no number has to be passed any more. */
  notFound({ clientOrderId }: Order): void {
    this.#there.delete(clientOrderId);
  }

  /** An account that proved nothing of the order proves no more when it is shown again; but where the exchange cannot find it, it may, asked for later. */
  isSpent(order: Order, account: Account): boolean {
    const isSought = (order.status === 'open' || order.status === 'cancelling') && !this.#there.has(order.clientOrderId);
    return !isSought && hasMoved(account, order);
  }

  /** An account does not list it. True when that alone proves it gone. */
  missed(order: Order, seen: AccountSeen, passedSince: PassedSince): boolean {
    const { clientOrderId } = order;
    if (order.status === 'unknown') {
      this.#lacks(clientOrderId, seen, deadSince(order, passedSince));
      return false;
    }
    const there = this.#there.get(clientOrderId);
    if (provedGone(order, seen, there)) return true;
    // Asked for too early it proves nothing, and neither will the same account shown again.
    if (there !== undefined && seen.asked < there.at && isPast(seen.account, there.updateId)) {
      this.#there.set(clientOrderId, { ...there, updateId: seen.account.updateId });
    }
    return false;
  }

  /** Those of `orders` that are proved absent by now. */
  absent(orders: readonly Order[], round: FillsSeen, { agreedAsOf, passedSince }: Told): readonly Order[] {
    if (this.#lacking.size === 0) return NONE;
    return orders.filter((order) => {
      const lacking = this.#lacking.get(order.clientOrderId);
      if (lacking === undefined || lacking.since < deadSince(order, passedSince)) return false;
      return provedAbsent(lacking, round, agreedAsOf(order.market));
    });
  }

  forget({ clientOrderId }: Order): void {
    this.#there.delete(clientOrderId);
    this.#lacking.delete(clientOrderId);
    this.#named.delete(clientOrderId);
  }

  #found(clientOrderId: ClientOrderId, there: There): void {
    this.#there.set(clientOrderId, there);
    this.#lacking.delete(clientOrderId);
  }

  /** What an account told before the bytes were dead for good does not count: the exchange's time may go back. */
  #lacks(clientOrderId: ClientOrderId, { asked, at }: AccountSeen, dead: Millis): void {
    if (asked < dead) return;
    const lacking = this.#lacking.get(clientOrderId);
    if (lacking === undefined || lacking.since < dead) this.#lacking.set(clientOrderId, { since: asked });
    else if (lacking.again === undefined && asked >= lacking.since + LAG)
      this.#lacking.set(clientOrderId, { ...lacking, again: { asked, at } });
  }
}

const NONE: readonly Order[] = [];
