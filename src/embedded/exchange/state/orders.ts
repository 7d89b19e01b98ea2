// An order from its placement to its end, and an account's order history.
import type { Millis } from '../../../base/clock.ts';
import type { RestingOrder } from '../../../bot/domain/account.ts';
import type { Side } from '../../../bot/domain/book.ts';
import type { AccountId, ActionId, ClientOrderId, MarketId, OrderId, TradeId } from '../../../bot/domain/ids.ts';
import { type Lots, lots, type Micros, type Ticks } from '../../../bot/domain/numbers.ts';
import type { FillMode } from '../../../bot/domain/order.ts';
import type { Handle } from '../book/ladder.ts';
import { pageOf, type RowPage } from '../history/paging.ts';

export interface OrderRecord {
  readonly orderId: OrderId;
  readonly account: AccountId;
  readonly market: MarketId;
  readonly side: Side;
  readonly fillMode: FillMode;
  /** Absent in a market order. */
  readonly price?: Ticks | undefined;
  readonly size: Lots;
  readonly filled: Lots;
  /** The value of its executions, without fees. */
  readonly notional: Micros;
  readonly clientOrderId?: ClientOrderId | undefined;
  /** True if the order may only close a position; it is reduced if it could open one. */
  readonly reduceOnly: boolean;
  readonly origin: 'user' | 'liquidation';
  readonly addedAt: Millis;
  readonly updatedAt: Millis;
  /** The last action that changed it. */
  readonly updateActionId: ActionId;
  /** Its newest execution. */
  readonly lastTradeId?: TradeId | undefined;
  /** Absent while the order rests. The unfilled part of an order that may not rest counts as cancelled. */
  readonly finalized?: 'filled' | 'canceled' | undefined;
}

/** The exchange's mutable copy of an order. */
export interface LiveOrder extends OrderRecord {
  size: Lots;
  filled: Lots;
  notional: Micros;
  updatedAt: Millis;
  updateActionId: ActionId;
  lastTradeId?: TradeId | undefined;
  finalized?: 'filled' | 'canceled' | undefined;
  /** The order's handle in the book. */
  handle?: Handle | undefined;
  /** The object last shown to its account. */
  shown?: RestingOrder | undefined;
}

/** Returns the size that is not filled. */
export const remaining = (order: OrderRecord): Lots => lots(order.size - order.filled);

/** A copy that does not change, without the exchange's own fields. */
export const copyOf = (order: LiveOrder): OrderRecord => {
  const copy: LiveOrder = { ...order, handle: undefined, shown: undefined };
  return copy;
};

const KEPT = 1_000;

/** The orders of one account, resting or not: the newest thousand, or a few more; older ones are dropped. */
export class OrderHistory {
  /** Oldest first. */
  #orders: LiveOrder[] = [];

  add(order: LiveOrder): void {
    if (this.#orders.length === 2 * KEPT) this.#orders = this.#orders.slice(KEPT);
    this.#orders.push(order);
  }

  find(id: OrderId): OrderRecord | undefined {
    const order = this.#orders.find(({ orderId }) => orderId === id);
    return order && copyOf(order);
  }

  /** All that are kept, newest first. */
  all(): readonly OrderRecord[] {
    return this.#orders.map(copyOf).reverse();
  }

  /** Returns a page of the orders, newest first. */
  page({ startInclusive, pageSize }: { startInclusive?: OrderId | undefined; pageSize?: number | undefined }): RowPage<OrderRecord> {
    const start = startInclusive === undefined ? undefined : Number(startInclusive);
    const rows = this.#orders.filter(({ orderId }) => start === undefined || Number(orderId) <= start).reverse();
    const page = pageOf(rows, { size: pageSize, idOf: ({ orderId }) => orderId });
    return { ...page, items: page.items.map(copyOf) };
  }
}
