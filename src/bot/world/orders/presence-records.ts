// Collects evidence from accounts and receipts on whether each of our orders is at the exchange.
import type { Millis } from '../../../base/clock.ts';
import { TransientMap } from '../../../base/collections/transient-map.ts';
import type { RestingOrder } from '../../domain/account.ts';
import type { AccountSeen, FillsSeen } from '../../domain/event.ts';
import type { ClientOrderId, MarketId, OrderId } from '../../domain/ids.ts';
import { type Order, orderWith } from '../../domain/order.ts';
import { sameOrder } from '../same.ts';
import type { DeadSince } from './expiry.ts';
import {
  type Absence,
  couldList,
  hasMoved,
  isPast,
  LAG,
  orderDeadSince,
  type Presence,
  provedAbsent,
  provedCancelled,
  withAbsence,
} from './proof.ts';
import { Witnesses } from './witnesses.ts';

/** What accounts and our fills have shown of the position in a market. */
export interface PositionEvidence {
  /** When the newest account was requested if our fills explain its position, else undefined. */
  agreedAsOf(this: void, market: MarketId): Millis | undefined;
  /** When the newest account was requested whose position our fills do not explain; undefined if there was none. */
  disagreedAsOf(this: void, market: MarketId): Millis | undefined;
}

/** Evidence from other sources than accounts and trades. */
export interface OtherEvidence extends PositionEvidence {
  readonly deadSince: DeadSince;
  /** When the clock last jumped: the times between requests before and after it are unknown. */
  readonly jumpedAt: Millis;
}

/** What receipts and accounts have shown about one order. */
interface OrderRecord {
  /** When it was at the exchange; `NEWEST` if the newest account lists it; undefined if nothing has shown it yet. */
  presence: Presence | typeof NEWEST | undefined;
  /** True if an account has listed it under our client order id. */
  isNamed: boolean;
  /** The order as the newest account lists it, if the comparison changed nothing: while both are the same, they need not be compared again. */
  order: Order | undefined;
  resting: RestingOrder | undefined;
}

const NEWEST = Symbol('newest');

export class PresenceRecords {
  readonly #records = new TransientMap<ClientOrderId, OrderRecord>();
  readonly #absences = new TransientMap<ClientOrderId, Absence>();
  /** When the exchange first answered that it cannot find an order. */
  readonly #notFound = new TransientMap<ClientOrderId, Millis>();
  readonly witnesses: Witnesses;
  /** The newest account, and the one before it. */
  #newest: Presence = { at: 0, shownFrom: 0, updateId: undefined };
  #previous = this.#newest;

  /** `needsWitness`: accounts and trades alone do not prove an order with an id of its own absent. */
  constructor(needsWitness: boolean) {
    this.witnesses = new Witnesses(needsWitness);
  }

  /** Takes over an order that rested when an earlier process last saw it: accounts requested after that time count as evidence. */
  inherited({ clientOrderId, status, touchedAt, accountThen }: Order): void {
    if (status === 'open') this.#of(clientOrderId).presence = { at: touchedAt, shownFrom: touchedAt + LAG, updateId: accountThen };
  }

  /** Called for a receipt. Accounts with a later update number than the newest one at sending may list the order; a lagging one need not. */
  accepted({ clientOrderId, accountThen }: Order, at: Presence['at']): void {
    this.#found(clientOrderId, { at, shownFrom: at + LAG, updateId: accountThen });
  }

  /** Called for each account, before all our live orders are compared with it; alone, if it lists the same orders as the last one. */
  accountSeen({ account, at }: AccountSeen): void {
    this.#previous = this.#newest;
    this.#newest = { at, shownFrom: at, updateId: account.updateId };
  }

  /** If the account lists the order exactly as the last one did, and `rememberUnchanged` was called then, takes it from the list and returns its id. */
  listedAgain(order: Order, listed: Map<OrderId, RestingOrder>): OrderId | undefined {
    const record = this.#records.get(order.clientOrderId);
    if (record?.resting === undefined || record.order !== order) return undefined;
    const { orderId } = record.resting;
    const resting = listed.get(orderId);
    if (resting === undefined || !sameOrder(resting, record.resting)) return undefined;
    listed.delete(orderId);
    return orderId;
  }

  /** Called if the comparison of a listed order with its entry in the account has changed nothing. */
  rememberUnchanged(order: Order, resting: RestingOrder): void {
    if (resting.clientOrderId !== undefined && resting.clientOrderId !== order.clientOrderId) return;
    const record = this.#of(order.clientOrderId);
    record.order = order;
    record.resting = resting;
  }

  /** Makes the next account be compared with the order even if it lists the order as the last one did. */
  compareAgain(clientOrderId: ClientOrderId): void {
    const record = this.#records.get(clientOrderId);
    if (record !== undefined) record.resting = undefined;
  }

  /** Called for each order that the account of the last `accountSeen` lists. */
  listed({ clientOrderId }: Order, resting: RestingOrder): void {
    this.#found(clientOrderId, NEWEST).isNamed ||= resting.clientOrderId === clientOrderId;
  }

  /** True if an account has listed the order by our id: it then exists, whatever its receipt says. */
  isNamed({ clientOrderId }: Order): boolean {
    return this.#records.get(clientOrderId)?.isNamed === true;
  }

  /**
   * Called if the exchange cannot find the order: an account then needs no higher update number to prove its absence. Only the first such answer
   * counts, because later ones would make each account too early.
   */
  notFound({ clientOrderId }: Order, at: Millis): void {
    this.#of(clientOrderId).presence = undefined;
    if (!this.#notFound.has(clientOrderId)) this.#notFound.set(clientOrderId, at);
  }

  /** Called if the exchange shows the order open: earlier accounts prove nothing about it, and later ones count anew. */
  shownOpen(order: Order, at: Millis): void {
    this.#found(order.clientOrderId, { at, shownFrom: at, updateId: undefined });
    this.witnesses.shownOpen(order);
  }

  /**
   * Called if an account does not list the order. Returns the updated order, or undefined if it is gone. `cancel` is the exchange's answer to our
   * last cancel of it.
   */
  lacked(
    order: Order,
    seen: AccountSeen,
    { deadSince, jumpedAt, cancel }: Omit<OtherEvidence, keyof PositionEvidence> & { cancel: 'cancelled' | 'queued' | undefined },
  ): Order | undefined {
    const { clientOrderId, status } = order;
    const presence = this.#presenceOf(clientOrderId);
    const dead = status === 'unknown' ? orderDeadSince(order, deadSince) : jumpedAt;
    if (!couldList(order, seen, { presence, dead, notFound: this.#notFound.get(clientOrderId) }))
      return this.#tooEarly(order, seen, presence);
    if (provedCancelled(this.#addAbsence(clientOrderId, seen, dead), cancel)) return undefined;
    return status === 'unknown' || order.missing === true ? order : orderWith(order, { missing: true });
  }

  /**
   * An account that is too early proves nothing, also if it is received again; so a later update number is required from then on. Exception: if the
   * exchange cannot find the order, the same account requested later can prove its absence.
   */
  #tooEarly(order: Order, { account, asked }: AccountSeen, presence: Presence | undefined): Order {
    const { updateId } = account;
    if (presence !== undefined && asked < presence.at && isPast(account, presence.updateId)) {
      this.#of(order.clientOrderId).presence = { ...presence, updateId };
    }
    const isSought = (order.status === 'open' || order.status === 'cancelling') && presence === undefined;
    return !isSought && hasMoved(account, order) ? orderWith(order, { accountThen: updateId }) : order;
  }

  /**
   * Returns the orders whose absence is proved. The exchange is asked for those that need another witness. While it has not answered, or shows such an
   * order open, the accounts may be wrong about all orders, and those that it cannot be asked for wait.
   */
  absent(orders: readonly Order[], seen: FillsSeen, other: OtherEvidence): readonly Order[] {
    if (this.#absences.size === 0) return NONE;
    const lacked = orders.filter((order) => this.#isLacked(order, seen, other));
    const confirmed = lacked.filter((order) => this.witnesses.confirmOrAsk(order, this.#wasNotFound(order, seen)));
    return this.witnesses.areAccountsDoubted ? confirmed.filter(({ orderId }) => orderId !== undefined) : confirmed;
  }

  /** True if accounts and trades prove the order absent. */
  #isLacked(order: Order, { asked }: FillsSeen, { agreedAsOf, deadSince, jumpedAt }: OtherEvidence): boolean {
    const absence = this.#absences.get(order.clientOrderId);
    if (absence === undefined) return false;
    if (absence.since < (order.status === 'unknown' ? orderDeadSince(order, deadSince) : jumpedAt)) return false;
    return provedAbsent(order, absence, { asked, agreedAsOf: agreedAsOf(order.market) });
  }

  #wasNotFound({ clientOrderId }: Order, { asked }: FillsSeen): boolean {
    return asked >= (this.#notFound.get(clientOrderId) ?? Infinity);
  }

  forget({ clientOrderId }: Order): void {
    this.#records.delete(clientOrderId);
    this.#notFound.delete(clientOrderId);
    this.#absences.delete(clientOrderId);
    this.witnesses.forget(clientOrderId);
  }

  #of(clientOrderId: ClientOrderId): OrderRecord {
    let record = this.#records.get(clientOrderId);
    if (record === undefined) {
      record = { presence: undefined, isNamed: false, order: undefined, resting: undefined };
      this.#records.set(clientOrderId, record);
    }
    return record;
  }

  #found(clientOrderId: ClientOrderId, presence: OrderRecord['presence']): OrderRecord {
    const record = this.#of(clientOrderId);
    record.presence = presence;
    record.resting = undefined;
    this.#notFound.delete(clientOrderId);
    this.#absences.delete(clientOrderId);
    this.witnesses.found(clientOrderId);
    return record;
  }

  /** Returns when an order that the newest account does not list was at the exchange. */
  #presenceOf(clientOrderId: ClientOrderId): Presence | undefined {
    const record = this.#records.get(clientOrderId);
    if (record === undefined) return undefined;
    record.resting = undefined;
    if (record.presence === NEWEST) record.presence = this.#previous;
    return record.presence;
  }

  #addAbsence(clientOrderId: ClientOrderId, seen: AccountSeen, dead: Millis): Absence {
    const absence = withAbsence(this.#absences.get(clientOrderId), seen, dead);
    this.#absences.set(clientOrderId, absence);
    return absence;
  }
}

const NONE: readonly Order[] = [];
