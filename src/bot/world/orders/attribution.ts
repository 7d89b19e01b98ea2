// Attributes fills to our orders: a maker fill by its order id, a taker fill by the action that placed the order.
import type { Millis } from '../../../base/clock.ts';
import { Recent } from '../../../base/collections/recent.ts';
import { crosses } from '../../domain/book.ts';
import type { OrderOpened } from '../../domain/event.ts';
import { type ActionId, type ClientOrderId, compareIds, NO_ACTION, type OrderId, type TradeId } from '../../domain/ids.ts';
import { type Lots, lots } from '../../domain/numbers.ts';
import { canRest, type Fill, type Order } from '../../domain/order.ts';
import type { RecoveredFill } from '../recovered-state.ts';

/** Number of recent orders, and of fills without a known order, that are kept for attribution. */
const REMEMBERED = 4096;
/** Maximum lag of the exchange's clock behind ours. */
const CLOCK_LAG: Millis = 5_000;

interface ReceivedFill {
  fill: RecoveredFill;
  /** Undefined if an earlier process received it. */
  readonly at: Millis | undefined;
}

export class Attribution {
  readonly #byOrder = new Recent<OrderId, ClientOrderId>(REMEMBERED);
  readonly #byAction = new Recent<ActionId, ClientOrderId>(REMEMBERED);
  readonly #filled = new Recent<ClientOrderId, Map<TradeId, ReceivedFill>>(REMEMBERED);
  /** Orders whose action is known. */
  readonly #actionOf = new Recent<ClientOrderId, ActionId>(REMEMBERED);
  /** The trades that orders made at once, as their receipts report. */
  readonly #taken = new Recent<ClientOrderId, OrderOpened['taken']>(REMEMBERED);
  /** Orders that were filled completely, rest at the exchange again, and have not closed since. */
  readonly #begunAgain = new Set<ClientOrderId>();
  /** Fills without a known order: the order may become known later, or it is a foreign one. */
  #ownerless: ReceivedFill[] = [];
  /** The fills in `#ownerless` that one of our orders could have made, and those not checked yet. */
  #undecided: ReceivedFill[] = [];
  readonly #claimed: Fill[] = [];

  bindOrder(orderId: OrderId, clientOrderId: ClientOrderId): void {
    const isKnown = this.#ownerless.length === 0 || this.#byOrder.get(orderId) === clientOrderId;
    this.#byOrder.set(orderId, clientOrderId);
    if (!isKnown) this.#claim(clientOrderId, ({ fill }) => fill.role === 'maker' && fill.orderId === orderId);
  }

  /** Called for the receipt of an order. The record of trades may list the fills that it reports later. */
  accepted(clientOrderId: ClientOrderId, { actionId, taken }: Pick<OrderOpened, 'actionId' | 'taken'>): void {
    this.#byAction.set(actionId, clientOrderId);
    this.#actionOf.set(clientOrderId, actionId);
    if (taken.some(({ size }) => size > 0)) this.#taken.set(clientOrderId, taken);
    this.#claim(clientOrderId, ({ fill }) => fill.role === 'taker' && fill.actionId === actionId);
  }

  /** Returns the filled size that the receipt of an order reports, in lots; undefined if it reports none. */
  takenBy(clientOrderId: ClientOrderId): number | undefined {
    return this.#taken.get(clientOrderId)?.reduce((sum, level) => sum + level.size, 0);
  }

  /** Returns the trades that the receipt of an order reports. */
  takenLevels(clientOrderId: ClientOrderId): OrderOpened['taken'] {
    return this.#taken.get(clientOrderId) ?? NONE;
  }

  /** Removes the fills from the order that had that id: the id turned out to be of a foreign order. */
  unbindOrder(orderId: OrderId | undefined): void {
    if (orderId === undefined) return;
    const fills = this.#filled.get(this.#byOrder.get(orderId) ?? '');
    this.#byOrder.delete(orderId);
    for (const [tradeId, received] of fills ?? []) {
      if (received.fill.role !== 'maker' || received.fill.orderId !== orderId) continue;
      fills?.delete(tradeId);
      this.#addOwnerless(received);
      this.#claimed.push({ ...received.fill, clientOrderId: undefined });
    }
  }

  /** Returns our order with that exchange id; undefined if it is not known to be ours. */
  ownerOf(orderId: OrderId): ClientOrderId | undefined {
    return this.#byOrder.get(orderId);
  }

  /** Takes over a fill that an earlier process received, possibly without knowing its order. */
  adopt(fill: RecoveredFill): void {
    const received = { fill, at: undefined };
    if (fill.clientOrderId === undefined) this.#ownerless.push(received);
    else this.#count(fill.clientOrderId, received);
  }

  /** Called after `adopt`, with the orders of the earlier process. Keeps the ownerless fills undecided that one of these orders may have made. */
  adopted(orders: readonly Order[]): void {
    this.#undecided = this.#ownerless.filter((received) => orders.some((order) => this.#mayHaveMade(order, received)));
  }

  attribute(fill: Fill, at: Millis): Fill {
    const clientOrderId = this.orderOfFill(fill);
    if (clientOrderId === undefined) {
      this.#addOwnerless({ fill, at });
      return fill;
    }
    this.#count(clientOrderId, { fill, at });
    return { ...fill, clientOrderId };
  }

  /**
   * Attributes to an order that is gone the ownerless fills that it could have made, if ids cannot decide: the order's ids were never received, or
   * the fills have none. An order is maker under one id and taker by one action, so at most one group of each role is claimed. Groups that fill it
   * completely come first. `undecided`: our orders whose fills may not all be known. A taker fill from after the order's bytes had expired is left to one
   * of them whose bytes had not.
   */
  claimByTerms(order: Order, undecided: () => readonly Order[]): void {
    const took = this.takenBy(order.clientOrderId) !== undefined;
    const isLeftToAnother = (received: ReceivedFill): boolean =>
      wasExpired(order, received.fill) &&
      undecided().some((other) => !wasExpired(other, received.fill) && this.#mayHaveMade(other, received));
    const candidates = this.#ownerless.filter(
      (received) =>
        !this.#idsDecide(order, received.fill) &&
        !wasReceivedBefore(order, received) &&
        couldHaveMade(order, received.fill, took) &&
        !isLeftToAnother(received),
    );
    if (candidates.length === 0) return;
    let left = order.size - this.filledOf(order.clientOrderId);
    const claimed = new Set<ReceivedFill>();
    const roles = new Set<Fill['role']>();
    const groups = groupsOf(candidates);
    for (const { role, size, all } of [...groups.filter((group) => group.size === left), ...groups.filter((group) => group.size < left)]) {
      if (size > left || (role !== undefined && roles.has(role))) continue;
      left -= size;
      if (role !== undefined) roles.add(role);
      for (const received of all) claimed.add(received);
    }
    this.#claim(order.clientOrderId, (received) => claimed.has(received));
  }

  /** Returns the fills that none of these orders can have made, each once. The others are checked again at the next call. */
  foreignFills(ours: () => readonly Order[]): readonly Fill[] {
    if (this.#undecided.length === 0) return NONE;
    const orders = ours();
    const ownerless = new Set(this.#ownerless);
    const open = this.#undecided.filter((received) => ownerless.has(received));
    this.#undecided = open.filter((received) => orders.some((order) => this.#mayHaveMade(order, received)));
    return open.filter((received) => !this.#undecided.includes(received)).map(({ fill }) => fill);
  }

  /** Called if the order rests again after it had been filled: only later fills count. */
  beginAgain(clientOrderId: ClientOrderId): void {
    this.#filled.delete(clientOrderId);
    this.#taken.delete(clientOrderId);
    this.#begunAgain.add(clientOrderId);
  }

  /** True if the order was filled completely once, even if it rests again. */
  wasFilled(clientOrderId: ClientOrderId): boolean {
    return this.#begunAgain.has(clientOrderId);
  }

  /** Called when the order is closed. */
  closed(clientOrderId: ClientOrderId): void {
    this.#begunAgain.delete(clientOrderId);
  }

  /** Returns the filled size in lots; each trade counts once. */
  filledOf(clientOrderId: ClientOrderId): number {
    const fills = this.#filled.get(clientOrderId);
    if (fills === undefined) return 0;
    let filled = 0;
    for (const { fill } of fills.values()) filled += fill.size;
    return filled;
  }

  /**
   * Returns the lots that these live orders have traded and that no list of trades has shown, by side. An account may show what is left of an order before
   * its trade is listed. An order that was found on the account is left out: it may have traded before this run.
   */
  unlistedIn(orders: readonly Order[]): { readonly bid: number; readonly ask: number } {
    const sums = { bid: 0, ask: 0 };
    for (const { clientOrderId, side, size, remaining, engineThen } of orders)
      if (engineThen !== undefined && remaining < size) sums[side] += Math.max(0, size - remaining - this.filledOf(clientOrderId));
    return sums;
  }

  /** Returns the size that can still fill: the smaller of the reported size and the size minus the fills, since either may be newer. */
  remainingOf({ clientOrderId, size, remaining }: Order, reported: Lots = remaining): Lots {
    return lots(Math.max(0, Math.min(reported, size - this.filledOf(clientOrderId))));
  }

  /** Returns the order of a fill, by its ids; undefined while it is not known. */
  orderOfFill({ role, orderId, actionId, clientOrderId }: Fill): ClientOrderId | undefined {
    return clientOrderId ?? (role === 'maker' ? this.#byOrder.get(orderId) : this.#byAction.get(actionId));
  }

  /** Replaces a fill without a known order by its corrected state. */
  corrected(fill: Fill): void {
    const received = this.#ownerless.find((other) => isSameFill(other.fill, fill));
    if (received !== undefined) received.fill = fill;
  }

  /** Returns the fills whose order became known since the last call, with their orders, and without one those whose order is no longer known. */
  takeClaimed(): readonly Fill[] {
    return this.#claimed.length === 0 ? NONE : this.#claimed.splice(0);
  }

  #idsDecide({ status, orderId, clientOrderId }: Order, fill: Fill): boolean {
    if (fill.orderId === '') return false;
    if (status === 'pending') return true; // A pending order closes by its receipt, which has both ids.
    return fill.role === 'maker' ? orderId !== undefined : this.#actionOf.has(clientOrderId);
  }

  /** True if the receipt of the order may still come and name the fill, or if only its terms can decide. */
  #mayHaveMade(order: Order, received: ReceivedFill): boolean {
    if (wasReceivedBefore(order, received) || !couldHaveMade(order, received.fill)) return false;
    return order.status === 'pending' || !this.#idsDecide(order, received.fill);
  }

  #addOwnerless(received: ReceivedFill): void {
    this.#ownerless.push(received);
    this.#undecided.push(received);
    if (this.#ownerless.length > REMEMBERED) this.#ownerless.shift();
  }

  #claim(clientOrderId: ClientOrderId, isOfOrder: (received: ReceivedFill) => boolean): void {
    if (this.#ownerless.length === 0) return;
    this.#ownerless = this.#ownerless.filter((received) => {
      const isClaimed = isOfOrder(received);
      if (isClaimed) this.#count(clientOrderId, received);
      if (isClaimed) this.#claimed.push({ ...received.fill, clientOrderId });
      return !isClaimed;
    });
  }

  #count(clientOrderId: ClientOrderId, received: ReceivedFill): void {
    const fills = this.#filled.get(clientOrderId) ?? new Map<TradeId, ReceivedFill>();
    this.#filled.set(clientOrderId, fills.set(received.fill.tradeId, received));
  }
}

/** The fills of one order as maker, or of one action as taker. A fill that names neither is a group of its own. */
interface FillGroup {
  readonly role: Fill['role'] | undefined;
  readonly size: number;
  readonly all: readonly ReceivedFill[];
}

function groupsOf(fills: readonly ReceivedFill[]): readonly FillGroup[] {
  const groups = new Map<string, FillGroup>();
  for (const received of fills) {
    const { role, orderId, actionId, tradeId, size } = received.fill;
    const named = orderId !== '' && (role === 'maker' || actionId !== NO_ACTION);
    const key = named ? `${role} ${role === 'maker' ? orderId : actionId}` : tradeId;
    const group = groups.get(key) ?? { role: named ? role : undefined, size: 0, all: [] };
    groups.set(key, { ...group, size: group.size + size, all: [...group.all, received] });
  }
  return [...groups.values()];
}

/**
 * True if the fill was made before the order was sent. Fills of an earlier process are compared by their place in its journal; if no order was recorded
 * before them, by the exchange's clock or, if its time was not received, by ours with a tolerance of CLOCK_LAG.
 */
function wasReceivedBefore({ clientOrderId, sentAt, engineThen }: Order, { fill, at }: ReceivedFill): boolean {
  if (at !== undefined) return at < sentAt;
  if (fill.newestThen !== undefined) return compareIds(clientOrderId, fill.newestThen) > 0;
  return fill.time < (engineThen === undefined ? sentAt - CLOCK_LAG : engineThen * 1_000);
}

/**
 * True if the terms fit: a maker fill at the order's own price, a taker fill at any price that it crosses. `took`: its receipt reports fills, so it was a
 * taker even if it is post-only, because the exchange has ignored that.
 */
function couldHaveMade({ market, side, price, fillMode }: Order, fill: Fill, took = false): boolean {
  if (fill.market !== market || fill.side !== side) return false;
  if (fill.provisional !== undefined && fill.provisional.price !== fill.price) return true; // its price is not known
  if (fill.role === 'maker') return canRest(fillMode) && fill.price === price;
  return (took || fillMode !== 'POST_ONLY') && crosses(side, price, fill.price);
}

/** True if the fill was taken after the order's bytes had expired, by the exchange's time. That may have gone back, so this alone excludes no fill. */
const wasExpired = ({ deadAfter }: Order, { role, time }: Fill): boolean =>
  role === 'taker' && deadAfter !== undefined && time > deadAfter * 1_000;

const isSameFill = (one: Fill, other: Fill): boolean =>
  one.tradeId === other.tradeId && one.side === other.side && one.orderId === other.orderId;

const NONE: readonly never[] = [];
