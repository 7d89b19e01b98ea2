// Our orders that are, or may be, at the exchange; kept up to date from the turns.
import type { Event } from '../../bot/domain/event.ts';
import type { ClientOrderId, MarketId } from '../../bot/domain/ids.ts';
import { lots } from '../../bot/domain/numbers.ts';
import type { Fill, Order, OrderStatus } from '../../bot/domain/order.ts';
import type { OrderChange, Turn } from '../../bot/domain/turn.ts';
import { QueueEstimates } from './queue-estimate.ts';

/** The status of an order after a change; undefined if the order has ended. */
const LIVE: Readonly<Record<OrderChange['status'], OrderStatus | undefined>> = {
  placed: 'pending',
  open: 'open',
  unknown: 'unknown',
  filled: undefined,
  cancelled: undefined,
  rejected: undefined,
};

export class MonitoredOrders {
  readonly queues = new QueueEstimates();
  readonly #orders: Map<ClientOrderId, Order>;
  #revision = 0;

  constructor(orders: readonly Order[]) {
    this.#orders = new Map(orders.map((order) => [order.clientOrderId, order]));
  }

  /** Changes with every change of an order. */
  get revision(): number {
    return this.#revision;
  }

  all(): Iterable<Order> {
    return this.#orders.values();
  }

  of(market: MarketId): readonly Order[] {
    return [...this.#orders.values()].filter((order) => order.market === market);
  }

  with(status: OrderStatus): readonly Order[] {
    return [...this.#orders.values()].filter((order) => order.status === status);
  }

  get size(): number {
    return this.#orders.size;
  }

  add({ events, changes, fills, actions }: Pick<Turn, 'events' | 'changes' | 'fills' | 'actions'>): void {
    for (const event of events) this.#applyCancelAnswer(event);
    for (const fill of fills) this.#applyFill(fill);
    for (const change of changes) this.#applyChange(change);
    for (const action of actions) if (action.kind === 'cancel') this.#setStatus(action.clientOrderId, 'cancelling');
  }

  /** An order whose cancel was refused or not answered is open again. All other changes are in the turn's `changes`. */
  #applyCancelAnswer(event: Event): void {
    if (event.kind === 'cancelAnswered' && ['refused', 'unknown'].includes(event.outcome)) this.#setStatus(event.clientOrderId, 'open');
  }

  /** Changes the status of an order. One without a definite answer stays unknown until a change of the turn ends that. */
  #setStatus(id: ClientOrderId, status: OrderStatus): void {
    const order = this.#orders.get(id);
    if (order === undefined || order.status === status || order.status === 'unknown') return;
    this.#set({ ...order, status });
  }

  #applyChange({ order, status }: OrderChange): void {
    const live = LIVE[status];
    if (live !== undefined) return this.#set({ ...order, status: live });
    this.#revision += 1;
    this.#orders.delete(order.clientOrderId);
    this.queues.ended(order.clientOrderId);
  }

  #applyFill({ clientOrderId, size }: Fill): void {
    const order = clientOrderId === undefined ? undefined : this.#orders.get(clientOrderId);
    if (order !== undefined) this.#set({ ...order, remaining: lots(Math.max(0, order.remaining - size)) });
  }

  #set(order: Order): void {
    this.#revision += 1;
    this.#orders.set(order.clientOrderId, order);
  }
}
