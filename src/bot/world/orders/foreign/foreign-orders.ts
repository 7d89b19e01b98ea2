// Sorts the orders that an account lists besides our live ones: outdated entries of ours, ghosts, and foreign orders, which are taken over or only
// counted.
import type { Millis } from '../../../../base/clock.ts';
import type { RestingOrder } from '../../../domain/account.ts';
import type { AccountSeen } from '../../../domain/event.ts';
import type { ClientOrderId, MarketId, OrderId } from '../../../domain/ids.ts';
import { type Fill, type Order, orderOf } from '../../../domain/order.ts';
import type { Alarms } from '../../alarms.ts';
import type { Revisions } from '../../revisions.ts';
import type { Attribution } from '../attribution.ts';
import type { ClosedOrders } from '../closed-orders.ts';
import type { ClosingOrders } from '../closing-orders.ts';
import type { DeadSince } from '../expiry.ts';
import { MapWithLists } from '../map-with-lists.ts';
import { sameTerms } from '../proof.ts';
import { Takeover } from './takeover.ts';

const OTHER_USER = 'another bot or a person uses this account';

export interface ForeignOrdersParts {
  readonly alarms: Alarms;
  readonly attribution: Attribution;
  readonly closing: ClosingOrders;
  readonly closed: ClosedOrders;
  readonly revisions: Revisions;
  /** Makes client order ids for the foreign orders that are listed during the takeover, which then become ours. If absent, they stay foreign. */
  readonly adoptForeign?: (() => ClientOrderId) | undefined;
  /** Orders that are taken over are cancelled, whatever the strategy returns. */
  readonly cancelForeign?: boolean | undefined;
  /** Foreign orders are accepted: orders with this run's own ids that are first listed after the start are only counted, like the others. */
  readonly ignoreForeign?: boolean | undefined;
  /** Makes client order ids for duplicates of our orders, which then become ours. If absent, duplicates stay foreign. */
  readonly idForCopy?: (() => ClientOrderId) | undefined;
  /** Returns the order of that client order id if it is, or may be, at the exchange. */
  readonly live: (id: ClientOrderId) => Order | undefined;
  /** True for a client order id that only this run makes. */
  readonly isOfThisRun?: ((id: ClientOrderId) => boolean) | undefined;
}

/** A listed order that turned out to be ours. */
export interface IdentifiedOrder {
  readonly order: Order;
  readonly resting: RestingOrder;
}

export class ForeignOrders {
  readonly #parts: ForeignOrdersParts;
  readonly #orders: MapWithLists<OrderId, RestingOrder>;
  /** True after the first account, whose orders were there before this run. */
  #begun = false;
  readonly #takeover: Takeover;
  readonly #copies = new Takeover(false);
  /** True if accounts list our orders with our client order ids: an order without one is then not ours, whatever its terms. */
  #showsClientIds = false;

  constructor(parts: ForeignOrdersParts) {
    this.#parts = parts;
    this.#orders = new MapWithLists(parts.revisions);
    this.#takeover = new Takeover(parts.adoptForeign !== undefined || parts.ignoreForeign === true);
  }

  /** True while orders from before the start may still appear; they then become ours. */
  get isTakingOver(): boolean {
    return this.#parts.adoptForeign !== undefined && this.#takeover.isOpen;
  }

  /** True while the exchange may execute more of our actions twice, after it has executed one twice. */
  get awaitsCopies(): boolean {
    return this.#copies.isOpen;
  }

  /** Sets when actions signed until `at` expire, in engine seconds. */
  setExpiry(deadAfter: number, at: Millis): void {
    this.#takeover.setExpiry(deadAfter, at);
    this.#copies.setExpiry(deadAfter, at);
  }

  /** Called after an account has been compared with all our orders. */
  compared(seen: AccountSeen, deadSince: DeadSince): void {
    this.#copies.accountCompared(seen, deadSince);
    if (this.#takeover.accountCompared(seen, deadSince)) this.#parts.revisions.markChanged('orders');
  }

  orders(market: MarketId): readonly RestingOrder[] {
    return this.#orders.list(market);
  }

  /** True if a listed order is one of ours, live or ended, by its order id or client order id. */
  isOurs({ orderId, clientOrderId: name }: RestingOrder): boolean {
    const { attribution, closing, closed, live, isOfThisRun } = this.#parts;
    if (attribution.ownerOf(orderId) !== undefined) return true;
    return name !== undefined && (live(name) !== undefined || closing.has(name) || closed.has(name) || isOfThisRun?.(name) === true);
  }

  /** True if the order already counts as foreign. */
  isKnown({ orderId }: RestingOrder): boolean {
    return this.#orders.get(orderId) !== undefined;
  }

  /**
   * Returns the entry of `listed` that is our order: by its order id, unless that id now belongs to another order, because an exchange that was
   * rolled back assigns ids again. If the order id is unknown, by our client order id or, if accounts show none, by its terms.
   */
  entryOf(order: Order, listed: ReadonlyMap<OrderId, RestingOrder>): RestingOrder | undefined {
    const { orderId, clientOrderId } = order;
    if (orderId !== undefined) {
      const found = listed.get(orderId);
      const name = found?.clientOrderId;
      if (name === clientOrderId) this.#showsClientIds = true;
      const named = name === undefined || name === clientOrderId ? undefined : this.#parts.live(name);
      // found under the id of another order: not ours if that order may have this id, else a duplicate of our bytes
      return named !== undefined && (named.orderId ?? orderId) === orderId ? undefined : found;
    }
    const all = [...listed.values()];
    const named = all.find((resting) => resting.clientOrderId === clientOrderId);
    this.#learnWhetherIdsAreShown(all);
    if (named !== undefined || this.#showsClientIds) return named;
    return all.find((resting) => this.#isWithoutClientId(resting) && sameTerms(order, resting));
  }

  /** Returns those of the account's other orders that turned out to be ours. The rest count as foreign from now on. */
  classify(listed: Iterable<RestingOrder>, seen: AccountSeen, deadSince: DeadSince): readonly IdentifiedOrder[] {
    const others = [...listed];
    this.#learnWhetherIdsAreShown(others);
    const found: IdentifiedOrder[] = [];
    const foreign: RestingOrder[] = [];
    for (const resting of others) {
      const whose = this.#classifyOne(resting, seen, deadSince);
      if (whose === 'foreign') foreign.push(resting);
      else if (whose !== 'ours') found.push(whose);
    }
    for (const order of foreign) if (this.#begun && !this.isKnown(order)) this.#handleNewOrder(order);
    this.#begun = true;
    if (foreign.length === 0 && this.#orders.size === 0) return found;
    this.#orders.clear();
    for (const order of foreign) this.#orders.set(order.orderId, order);
    return found;
  }

  /** Called for a trade that none of our orders can have made. */
  traded({ market, tradeId }: Fill): void {
    const reason = `trade ${tradeId} was made by no order of ours: ${OTHER_USER}, or the exchange liquidated a position`;
    this.#parts.alarms.raiseOnce({ name: 'company', market, reason });
  }

  #classifyOne(resting: RestingOrder, seen: AccountSeen, deadSince: DeadSince): IdentifiedOrder | 'ours' | 'foreign' {
    const { attribution, closing, closed, adoptForeign, cancelForeign } = this.#parts;
    const bound = attribution.ownerOf(resting.orderId);
    const owner = bound ?? resting.clientOrderId;
    if (owner !== undefined && closing.has(owner)) {
      const order = closing.listed(resting.clientOrderId ?? owner, seen);
      return order === undefined ? 'ours' : { order, resting };
    }
    const wasFilled = owner !== undefined && closed.wasFilled(owner);
    const ghost = this.#isWithoutClientId(resting)
      ? this.#showsClientIds
        ? undefined
        : closed.byTerms(resting, seen.at, deadSince)
      : owner === undefined
        ? undefined
        : closed.listed(owner, seen);
    if (ghost !== undefined && wasFilled) attribution.beginAgain(ghost.clientOrderId);
    if (ghost !== undefined) return { order: ghost, resting };
    if (bound !== undefined || (owner !== undefined && closed.has(owner))) return 'ours';
    const copy = this.#copyOf(resting, seen);
    if (copy !== undefined) return { order: copy, resting };
    if (adoptForeign === undefined || !this.isTakingOver) return 'foreign';
    return { order: takenOver(resting, { clientOrderId: adoptForeign(), at: seen.at, unwanted: cancelForeign === true }), resting };
  }

  /** Returns a duplicate of one of our orders as an order of ours that is to be cancelled; undefined if it is none. */
  #copyOf(resting: RestingOrder, { at }: AccountSeen): Order | undefined {
    const { idForCopy, live, closed } = this.#parts;
    const { clientOrderId: name } = resting;
    const original = name === undefined ? undefined : live(name);
    if (idForCopy === undefined || original === undefined) return undefined;
    closed.copied(resting, original);
    this.#copies.open();
    return takenOver(resting, { clientOrderId: idForCopy(), at, unwanted: true });
  }

  /** An order that is listed with the client order id of one of ours, live or closed, proves that accounts show these ids. */
  #learnWhetherIdsAreShown(listed: readonly RestingOrder[]): void {
    const { live, closed } = this.#parts;
    this.#showsClientIds ||= listed.some(({ clientOrderId: name }) => name !== undefined && (live(name) !== undefined || closed.has(name)));
  }

  /** True if the account shows no client order id for the order, and it is neither bound to an order of ours nor foreign already. */
  #isWithoutClientId(resting: RestingOrder): boolean {
    return (resting.clientOrderId ?? this.#parts.attribution.ownerOf(resting.orderId)) === undefined && !this.isKnown(resting);
  }

  #handleNewOrder(order: RestingOrder): void {
    const { alarms, closed, isOfThisRun } = this.#parts;
    const { orderId, market, clientOrderId } = order;
    if (clientOrderId !== undefined && isOfThisRun?.(clientOrderId) === true) {
      if (!this.#takeover.isOpen) closed.neverKnown(order);
      return;
    }
    alarms.raiseOnce({ name: 'company', market, reason: `order ${orderId} is not ours: ${OTHER_USER}` });
  }
}

/** Uses the original size: trades from before the takeover may be read later and must not count as fills of the remaining size. */
const takenOver = (
  { orderId, market, side, price, size, originalSize }: RestingOrder,
  { clientOrderId, at, unwanted }: { clientOrderId: ClientOrderId; at: number; unwanted: boolean },
): Order =>
  orderOf({
    clientOrderId,
    orderId,
    market,
    side,
    price,
    size: originalSize,
    remaining: size,
    fillMode: 'LIMIT',
    status: 'unknown',
    sentAt: at,
    touchedAt: at,
    ...(unwanted && { unwanted }),
  });
