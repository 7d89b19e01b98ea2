// What speaks for and against each of our orders being at the exchange, as far as accounts and receipts have told.
import type { AccountSeen, FillsSeen } from '../domain/event.ts';
import type { ClientOrderId } from '../domain/ids.ts';
import type { Order } from '../domain/order.ts';
import type { AgreedAsOf } from './agreement.ts';
import { isPast, LAG, type Lacking, type PassedSince, provedAbsent, provedGone, speaksOf, type There } from './proof.ts';

export class Evidence {
  readonly #there = new Map<ClientOrderId, There>();
  readonly #lacking = new Map<ClientOrderId, Lacking>();
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
  listed({ clientOrderId }: Order): void {
    this.#found(clientOrderId, this.#newest);
  }

  /** Another account lists all that the last one listed. */
  listedAgain({ account, at }: AccountSeen): void {
    Object.assign(this.#newest, { at, shownFrom: at, updateId: account.updateId } satisfies There);
  }

  /** The exchange cannot find it: no number has to be passed any more. */
  notFound({ clientOrderId }: Order): void {
    this.#there.delete(clientOrderId);
  }

  /** An account does not list it. True when that alone proves it gone. */
  missed(order: Order, seen: AccountSeen, passedSince: PassedSince): boolean {
    const { clientOrderId } = order;
    if (order.status === 'unknown') {
      if (speaksOf(order, seen, passedSince)) this.#lacks(clientOrderId, seen);
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
  absent(orders: readonly Order[], round: FillsSeen, agreedAsOf: AgreedAsOf): readonly Order[] {
    if (this.#lacking.size === 0) return NONE;
    return orders.filter(({ clientOrderId, market }) => {
      const lacking = this.#lacking.get(clientOrderId);
      return lacking !== undefined && provedAbsent(lacking, round, agreedAsOf(market));
    });
  }

  forget({ clientOrderId }: Order): void {
    this.#there.delete(clientOrderId);
    this.#lacking.delete(clientOrderId);
  }

  #found(clientOrderId: ClientOrderId, there: There): void {
    this.#there.set(clientOrderId, there);
    this.#lacking.delete(clientOrderId);
  }

  #lacks(clientOrderId: ClientOrderId, { asked, at }: AccountSeen): void {
    const lacking = this.#lacking.get(clientOrderId);
    if (lacking === undefined) this.#lacking.set(clientOrderId, { since: asked });
    else if (lacking.again === undefined && asked >= lacking.since + LAG)
      this.#lacking.set(clientOrderId, { ...lacking, again: { asked, at } });
  }
}

const NONE: readonly Order[] = [];
