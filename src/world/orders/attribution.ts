// Which of our orders a fill belongs to: a maker fill by its order id, a taker fill by the action that placed the order.
import type { Millis } from '../../base/clock.ts';
import { Recent } from '../../base/recent.ts';
import { type ActionId, type ClientOrderId, compareIds, type OrderId, type TradeId } from '../../domain/ids.ts';
import { canRest, type Fill, type Order } from '../../domain/order.ts';
import { crosses } from '../../domain/side.ts';
import { NO_ACTION, type RecoveredFill } from '../recovered-state.ts';

/** How many of the most recent orders, and of the fills without a known order, are kept for attribution. */
const REMEMBERED = 4096;
/** How far the exchange's clock may be behind ours. */
const CLOCKS: Millis = 5_000;

interface Told {
  readonly fill: RecoveredFill;
  /** Undefined if an earlier process received it. */
  readonly at: Millis | undefined;
}

export class Attribution {
  readonly #byOrder = new Recent<OrderId, ClientOrderId>(REMEMBERED);
  readonly #byAction = new Recent<ActionId, ClientOrderId>(REMEMBERED);
  readonly #filled = new Recent<ClientOrderId, Map<TradeId, Told>>(REMEMBERED);
  /** Orders whose action is known. */
  readonly #acted = new Recent<ClientOrderId, ActionId>(REMEMBERED);
  /** Filled whole, at the exchange again, and not closed since. */
  readonly #begunAgain = new Set<ClientOrderId>();
  /** Fills received before their order was known, or another's on the same account. */
  #ownerless: Told[] = [];
  /** Those of `#ownerless` that one of our orders could have made at the last check, and those not checked yet. */
  #doubtful: Told[] = [];

  bindOrder(orderId: OrderId, clientOrderId: ClientOrderId): void {
    const before = this.#byOrder.set(orderId, clientOrderId);
    if (before !== clientOrderId) this.#claim(clientOrderId, ({ fill }) => fill.role === 'maker' && fill.orderId === orderId);
  }

  bindAction(actionId: ActionId, clientOrderId: ClientOrderId): void {
    this.#byAction.set(actionId, clientOrderId);
    this.#acted.set(clientOrderId, actionId);
    this.#claim(clientOrderId, ({ fill }) => fill.role === 'taker' && fill.actionId === actionId);
  }

  /** The order with that id turned out to be another's, and so did its fills. */
  unbindOrder(orderId: OrderId): void {
    const owner = this.#byOrder.get(orderId);
    this.#byOrder.delete(orderId);
    const fills = owner === undefined ? undefined : this.#filled.get(owner);
    for (const [tradeId, told] of fills ?? []) {
      if (told.fill.role !== 'maker' || told.fill.orderId !== orderId) continue;
      fills?.delete(tradeId);
      this.#leaveOpen(told);
    }
  }

  /** Undefined for an order that is not known to be ours. */
  ownerOf(orderId: OrderId): ClientOrderId | undefined {
    return this.#byOrder.get(orderId);
  }

  /** Takes a fill that an earlier process received. That process may not have known its order. */
  adopt(fill: RecoveredFill): void {
    const told = { fill, at: undefined };
    if (fill.clientOrderId === undefined) this.#ownerless.push(told);
    else this.#count(fill.clientOrderId, told);
  }

  attribute(fill: Fill, at: Millis): Fill {
    const clientOrderId = fill.clientOrderId ?? this.#ownerOf(fill);
    if (clientOrderId === undefined) {
      this.#leaveOpen({ fill, at });
      return fill;
    }
    this.#count(clientOrderId, { fill, at });
    return { ...fill, clientOrderId };
  }

  /**
   * Claims, for an order that is gone, the ownerless fills that it could have made, if no ids decide: its ids were never received, or the record has
   * none. An order makes under one id and takes by one action; of several candidates, those that fill it completely are the likeliest.
   */
  claimOnTerms(order: Order): void {
    const able = this.#ownerless.filter(
      (told) => !this.#idsTell(order, told.fill) && !wasToldBefore(order, told) && couldBeOf(order, told.fill),
    );
    if (able.length === 0) return;
    let left = order.size - this.filledOf(order.clientOrderId);
    const theirs = new Set<Told>();
    const roles = new Set<Fill['role']>();
    const deeds = deedsOf(able);
    for (const { role, size, all } of [...deeds.filter((deed) => deed.size === left), ...deeds.filter((deed) => deed.size < left)]) {
      if (size > left || (role !== undefined && roles.has(role))) continue;
      left -= size;
      if (role !== undefined) roles.add(role);
      for (const told of all) theirs.add(told);
    }
    this.#claim(order.clientOrderId, (told) => theirs.has(told));
  }

  /** Fills that none of these orders can have made, each returned once. The others are checked again at the next call. */
  strangers(ours: () => readonly Order[]): readonly Fill[] {
    if (this.#doubtful.length === 0) return NONE;
    const orders = ours();
    const ownerless = new Set(this.#ownerless);
    const open = this.#doubtful.filter((told) => ownerless.has(told));
    this.#doubtful = open.filter(({ fill }) => orders.some((order) => couldBeOf(order, fill)));
    return open.filter((told) => !this.#doubtful.includes(told)).map(({ fill }) => fill);
  }

  /** The order rests again after it had been filled: only fills from now on count. */
  beginAgain(clientOrderId: ClientOrderId): void {
    this.#filled.delete(clientOrderId);
    this.#begunAgain.add(clientOrderId);
  }

  /** True if the order was filled completely once, even if it rests again. */
  wasFilled(clientOrderId: ClientOrderId): boolean {
    return this.#begunAgain.has(clientOrderId);
  }

  /** The order is closed: its end says whether it was filled. */
  closed(clientOrderId: ClientOrderId): void {
    this.#begunAgain.delete(clientOrderId);
  }

  /** Lots filled by distinct trades. */
  filledOf(clientOrderId: ClientOrderId): number {
    const fills = this.#filled.get(clientOrderId);
    if (fills === undefined) return 0;
    let filled = 0;
    for (const { fill } of fills.values()) filled += fill.size;
    return filled;
  }

  #ownerOf({ role, orderId, actionId }: Fill): ClientOrderId | undefined {
    return role === 'maker' ? this.#byOrder.get(orderId) : this.#byAction.get(actionId);
  }

  #idsTell({ status, orderId, clientOrderId }: Order, fill: Fill): boolean {
    if (fill.orderId === '') return false;
    if (status === 'pending') return true; // An order that is still pending left by its receipt, which names both ids.
    return fill.role === 'maker' ? orderId !== undefined : this.#acted.has(clientOrderId);
  }

  #leaveOpen(told: Told): void {
    this.#ownerless.push(told);
    this.#doubtful.push(told);
    if (this.#ownerless.length > REMEMBERED) this.#ownerless.shift();
  }

  #claim(clientOrderId: ClientOrderId, isTheirs: (told: Told) => boolean): void {
    if (this.#ownerless.length === 0) return;
    this.#ownerless = this.#ownerless.filter((told) => {
      const theirs = isTheirs(told);
      if (theirs) this.#count(clientOrderId, told);
      return !theirs;
    });
  }

  #count(clientOrderId: ClientOrderId, told: Told): void {
    const fills = this.#filled.get(clientOrderId) ?? new Map<TradeId, Told>();
    this.#filled.set(clientOrderId, fills.set(told.fill.tradeId, told));
  }
}

/** The fills of one order as maker, or of one action as taker. A fill that names neither is a group of its own. */
interface Deed {
  readonly role: Fill['role'] | undefined;
  readonly size: number;
  readonly all: readonly Told[];
}

function deedsOf(fills: readonly Told[]): readonly Deed[] {
  const deeds = new Map<string, Deed>();
  for (const told of fills) {
    const { role, orderId, actionId, tradeId, size } = told.fill;
    const named = orderId !== '' && (role === 'maker' || actionId !== NO_ACTION);
    const key = named ? `${role} ${role === 'maker' ? orderId : actionId}` : tradeId;
    const deed = deeds.get(key) ?? { role: named ? role : undefined, size: 0, all: [] };
    deeds.set(key, { ...deed, size: deed.size + size, all: [...deed.all, told] });
  }
  return [...deeds.values()];
}

/**
 * True if the fill was made before the order was sent. Two processes share only the exchange's clock; if its time was not received, our clock may be
 * off by CLOCKS.
 */
function wasToldBefore({ clientOrderId, sentAt, engineThen }: Order, { fill, at }: Told): boolean {
  if (at !== undefined) return at < sentAt;
  if (fill.newestThen !== undefined && compareIds(clientOrderId, fill.newestThen) > 0) return true;
  return fill.time < (engineThen === undefined ? sentAt - CLOCKS : engineThen * 1_000);
}

/** True if the terms fit: a maker fill at the order's own price, a taker fill at any price that it crosses. */
function couldBeOf({ market, side, price, fillMode }: Order, fill: Fill): boolean {
  if (fill.market !== market || fill.side !== side) return false;
  return fill.role === 'maker' ? canRest(fillMode) && fill.price === price : fillMode !== 'POST_ONLY' && crosses(side, price, fill.price);
}

const NONE: readonly Fill[] = [];
