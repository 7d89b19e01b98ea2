// Which of our orders a fill belongs to: a maker's by its order id, a taker's by the action that placed it.
import type { Millis } from '../base/clock.ts';
import { Recent } from '../base/recent.ts';
import type { RestingOrder } from '../domain/account.ts';
import type { ActionId, ClientOrderId, OrderId, TradeId } from '../domain/ids.ts';
import type { Fill, Order } from '../domain/order.ts';
import { crosses } from '../domain/side.ts';

/** Orders whose fills can be told, the most recently mentioned ones, and fills that could not be told; older ones are forgotten. */
const REMEMBERED = 4096;

interface Told {
  readonly fill: Fill;
  readonly at: Millis;
}

export class Attribution {
  readonly #byOrder = new Recent<OrderId, ClientOrderId>(REMEMBERED);
  readonly #byAction = new Recent<ActionId, ClientOrderId>(REMEMBERED);
  readonly #filled = new Recent<ClientOrderId, Map<TradeId, Told>>(REMEMBERED);
  /** Told before we knew whose they are, or another's on the same account. */
  #ownerless: Told[] = [];

  bindOrder(orderId: OrderId, clientOrderId: ClientOrderId): void {
    const known = this.#byOrder.get(orderId) === clientOrderId;
    this.#byOrder.set(orderId, clientOrderId);
    if (!known) this.#claim(clientOrderId, ({ fill }) => fill.role === 'maker' && fill.orderId === orderId);
  }

  bindAction(actionId: ActionId, clientOrderId: ClientOrderId): void {
    this.#byAction.set(actionId, clientOrderId);
    this.#claim(clientOrderId, ({ fill }) => fill.role === 'taker' && fill.actionId === actionId);
  }

  /** The order of that id turned out to be another's, and so did its fills. */
  unbindOrder(orderId: OrderId): void {
    const owner = this.#byOrder.get(orderId);
    this.#byOrder.delete(orderId);
    const fills = owner === undefined ? undefined : this.#filled.get(owner);
    for (const [tradeId, told] of fills ?? []) {
      if (told.fill.role !== 'maker' || told.fill.orderId !== orderId) continue;
      fills?.delete(tradeId);
      this.#ownerless.push(told);
    }
  }

  isOurs({ orderId }: RestingOrder): boolean {
    return this.#byOrder.has(orderId);
  }

  attribute(fill: Fill, at: Millis): Fill {
    const clientOrderId = fill.clientOrderId ?? this.#ownerOf(fill);
    if (clientOrderId === undefined) {
      this.#ownerless.push({ fill, at });
      if (this.#ownerless.length > REMEMBERED) this.#ownerless.shift();
      return fill;
    }
    this.#count(clientOrderId, { fill, at });
    return { ...fill, clientOrderId };
  }

  /** For an order that is gone: the ownerless fills that it could have had, where no ids tell: its own were never learned, or the record names none. */
  claimOnTerms(order: Order): void {
    const idsTell = order.orderId !== undefined || order.status === 'pending';
    let left = order.size - this.filledOf(order.clientOrderId);
    this.#claim(order.clientOrderId, ({ fill, at }) => {
      const fits = (!idsTell || fill.orderId === '') && at >= order.sentAt && fill.size <= left && couldBeOf(order, fill);
      if (fits) left -= fill.size;
      return fits;
    });
  }

  /** Lots filled by distinct trades. */
  filledOf(clientOrderId: ClientOrderId): number {
    let filled = 0;
    for (const { fill } of this.#filled.get(clientOrderId)?.values() ?? []) filled += fill.size;
    return filled;
  }

  forget(clientOrderId: ClientOrderId): void {
    this.#filled.delete(clientOrderId);
  }

  #ownerOf({ role, orderId, actionId }: Fill): ClientOrderId | undefined {
    return role === 'maker' ? this.#byOrder.get(orderId) : this.#byAction.get(actionId);
  }

  #claim(clientOrderId: ClientOrderId, isTheirs: (told: Told) => boolean): void {
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

/** What rests is filled at its own price, what takes at any that it crosses. */
const couldBeOf = ({ market, side, price }: Order, fill: Fill): boolean =>
  fill.market === market && fill.side === side && (fill.role === 'maker' ? fill.price === price : crosses(side, price, fill.price));
