// Which of our orders a fill belongs to: a maker's by its order id, a taker's by the action that placed it.
import type { RestingOrder } from '../domain/account.ts';
import type { ActionId, ClientOrderId, OrderId, TradeId } from '../domain/ids.ts';
import type { Fill } from '../domain/order.ts';

/** Orders whose fills can be told, the most recently mentioned ones; older ones are forgotten. */
const REMEMBERED = 4096;

export class Attribution {
  readonly #byOrder = new Map<OrderId, ClientOrderId>();
  readonly #byAction = new Map<ActionId, ClientOrderId>();
  readonly #filled = new Map<ClientOrderId, Map<TradeId, number>>();

  bindOrder(orderId: OrderId, clientOrderId: ClientOrderId): void {
    remember(this.#byOrder, orderId, clientOrderId);
  }

  bindAction(actionId: ActionId, clientOrderId: ClientOrderId): void {
    remember(this.#byAction, actionId, clientOrderId);
  }

  isOurs({ orderId }: RestingOrder): boolean {
    return this.#byOrder.has(orderId);
  }

  attribute(fill: Fill): Fill {
    const clientOrderId = fill.clientOrderId ?? this.#ownerOf(fill);
    if (clientOrderId === undefined) return fill;
    const fills = this.#filled.get(clientOrderId) ?? new Map<TradeId, number>();
    remember(this.#filled, clientOrderId, fills.set(fill.tradeId, fill.size));
    return { ...fill, clientOrderId };
  }

  #ownerOf({ role, orderId, actionId }: Fill): ClientOrderId | undefined {
    return role === 'maker' ? this.#byOrder.get(orderId) : this.#byAction.get(actionId);
  }

  /** Lots filled by distinct trades. */
  filledOf(clientOrderId: ClientOrderId): number {
    let filled = 0;
    for (const size of this.#filled.get(clientOrderId)?.values() ?? []) filled += size;
    return filled;
  }

  forget(clientOrderId: ClientOrderId): void {
    this.#filled.delete(clientOrderId);
  }
}

function remember<K, V>(map: Map<K, V>, key: K, value: V): void {
  map.delete(key); // to the end of the order of insertion
  map.set(key, value);
  if (map.size <= REMEMBERED) return;
  for (const oldest of map.keys()) {
    map.delete(oldest);
    return;
  }
}
