// Our orders: sent, answered, seen at the exchange, gone. Each step needs its evidence.
import type { Millis } from '../base/clock.ts';
import type { RestingOrder } from '../domain/account.ts';
import type { PlaceOrder } from '../domain/action.ts';
import type { AccountSeen, CancelAnswered, FillsSeen, OrderOpened, OrderUnknown } from '../domain/event.ts';
import type { ClientOrderId, MarketId, OrderId, UpdateId } from '../domain/ids.ts';
import { type Lots, lots } from '../domain/numbers.ts';
import { canRest, type Fill, type Order } from '../domain/order.ts';
import type { OrderChange } from '../domain/turn.ts';
import { Attribution } from './attribution.ts';
import { Listed } from './listed.ts';
import { hasMoved, type PassedSince, provedGone, sameTerms } from './proof.ts';

/** A cancel that the exchange has queued is waited for so long; an order that is listed after that is open, and can be cancelled again. */
const QUEUED_FOR: Millis = 10_000;

export class Orders {
  readonly #live = new Listed<ClientOrderId, Order>(weighAlike);
  /** Seen gone; whether filled or cancelled is told by the next round of fills. */
  readonly #leaving = new Map<ClientOrderId, { readonly order: Order; readonly goneSince: Millis }>();
  /** Each with the `accountThen` that its order had before. */
  readonly #cancelsInFlight = new Map<ClientOrderId, UpdateId | undefined>();
  /** Those of the last cancels that the exchange took on. */
  readonly #cancelTaken = new Map<ClientOrderId, 'cancelled' | 'queued'>();
  readonly #foreign = new Listed<OrderId, RestingOrder>();
  readonly #attribution = new Attribution();
  #changes: OrderChange[] = [];

  /** Of one market where it is named. */
  live(market?: MarketId): readonly Order[] {
    return this.#live.list(market);
  }

  /** Another number whenever what can still be filled by them has changed, or how sure that is. */
  get stakes(): number {
    return this.#live.version + this.#foreign.version;
  }

  get(clientOrderId: ClientOrderId): Order | undefined {
    return this.#live.get(clientOrderId);
  }

  /** Resting at the exchange under our account, but not placed by this run or the runs it continues. */
  foreign(market: MarketId): readonly RestingOrder[] {
    return this.#foreign.list(market);
  }

  /** What changed since this was last asked. */
  takeChanges(): readonly OrderChange[] {
    const changes = this.#changes;
    this.#changes = [];
    return changes;
  }

  /** Orders of an earlier process of the same run: they may rest, may be gone, may be on their way. */
  adopt({ orders, fills }: { orders: readonly Order[]; fills: readonly Fill[] }): void {
    for (const fill of fills) this.#attribution.attribute(fill, fill.time);
    for (const order of orders) {
      this.#live.set(order.clientOrderId, { ...order, remaining: this.#remaining(order) });
      if (order.orderId !== undefined) this.#attribution.bindOrder(order.orderId, order.clientOrderId);
    }
  }

  /** Sets the end of those unknown ones whose signing time we have lost. */
  fence(deadAfter: number): void {
    for (const order of this.#live.list()) {
      if (order.status === 'unknown' && order.deadAfter === undefined) this.#live.set(order.clientOrderId, { ...order, deadAfter });
    }
  }

  get settled(): boolean {
    return this.#live.size === 0 && this.#leaving.size === 0;
  }

  sent(action: PlaceOrder, { at, account }: { at: Millis; account: UpdateId | undefined }): void {
    const { clientOrderId, market, side, price, size, fillMode } = action;
    const order: Order = {
      clientOrderId,
      market,
      side,
      price,
      size,
      remaining: size,
      fillMode,
      status: 'pending',
      sentAt: at,
      touchedAt: at,
      accountThen: account,
    };
    this.#live.set(clientOrderId, order);
    this.#changes.push({ order, status: 'placed' });
  }

  cancelSent(clientOrderId: ClientOrderId, { at, account }: { at: Millis; account: UpdateId | undefined }): void {
    const order = this.#live.get(clientOrderId);
    if (order === undefined) return;
    this.#cancelsInFlight.set(clientOrderId, order.accountThen);
    this.#cancelTaken.delete(clientOrderId);
    this.#live.set(clientOrderId, { ...order, status: 'cancelling', touchedAt: at, accountThen: account });
  }

  opened({ clientOrderId, actionId, orderId, resting, at }: OrderOpened): void {
    this.#attribution.bindAction(actionId, clientOrderId);
    const order = this.#live.get(clientOrderId);
    if (order === undefined) return;
    const gone = resting === 0 || (resting === undefined && !canRest(order.fillMode));
    const mistaken = gone || (orderId !== undefined && orderId !== order.orderId);
    if (mistaken) this.#disown(order);
    if (gone) return this.#leave(order, at);
    if (!mistaken && order.orderId !== undefined) return; // an account has already shown it, with newer sizes
    if (orderId !== undefined) this.#attribution.bindOrder(orderId, clientOrderId);
    this.#open({ ...order, orderId, remaining: this.#remaining(order, resting), touchedAt: at });
  }

  rejected({ clientOrderId, at, error }: { clientOrderId: ClientOrderId; at: Millis; error: string }): void {
    const order = this.#live.get(clientOrderId);
    if (order === undefined) return;
    this.#disown(order);
    this.#live.delete(clientOrderId);
    this.#changes.push({ order: { ...order, touchedAt: at }, status: 'rejected', reason: error });
  }

  unknown({ clientOrderId, at, reason, deadAfter }: OrderUnknown): void {
    const order = this.#live.get(clientOrderId);
    if (order === undefined || order.orderId !== undefined) return;
    const locked: Order = { ...order, status: 'unknown', touchedAt: at, deadAfter };
    this.#live.set(clientOrderId, locked);
    this.#changes.push({ order: locked, status: 'unknown', reason });
  }

  cancelAnswered({ clientOrderId, at, outcome }: CancelAnswered): void {
    const order = this.#live.get(clientOrderId);
    if (order === undefined) return;
    const taken = outcome === 'cancelled' || outcome === 'queued';
    if (taken) this.#cancelTaken.set(clientOrderId, outcome);
    // A cancel that did nothing does not move the account: it then proves what it proved before. One that finds nothing needs no move: the order is gone.
    const inVain = !taken && this.#cancelsInFlight.has(clientOrderId);
    const before = outcome === 'notFound' ? undefined : this.#cancelsInFlight.get(clientOrderId);
    const accountThen = inVain ? before : order.accountThen;
    this.#cancelsInFlight.delete(clientOrderId);
    this.#live.set(clientOrderId, { ...order, touchedAt: at, accountThen });
  }

  /** Holds an account against our orders: those that it lists are open. Returns why the account cannot be current, or undefined. */
  reconcile(seen: AccountSeen, passedSince: PassedSince): string | undefined {
    const { account, asked } = seen;
    let fault: string | undefined;
    const unbound = new Map<OrderId, RestingOrder>();
    for (const order of account.orders) unbound.set(order.orderId, order);
    for (const order of this.#live.list()) {
      if (this.#answered(order) && asked >= order.touchedAt && !hasMoved(account, order)) {
        fault = `the account stands still at update ${account.updateId} although order ${order.clientOrderId} was accepted or cancelled after it`;
      }
      const resting = this.#find(order, unbound);
      if (resting !== undefined) {
        unbound.delete(resting.orderId);
        this.#seenResting(order, resting, seen);
      } else if (provedGone(order, seen, passedSince)) this.#leave(order, seen.at);
      else this.#live.set(order.clientOrderId, { ...order, accountThen: account.updateId }); // shown again, this account would prove no more
    }
    this.#foreign.clear();
    for (const order of unbound.values()) if (!this.#attribution.isOurs(order)) this.#foreign.set(order.orderId, order);
    return fault;
  }

  /** Attributes the fills to our orders and settles what became of those that left. */
  filled({ fills, asked, at }: FillsSeen): readonly Fill[] {
    const attributed = fills.map((fill) => this.#attribution.attribute(fill, at));
    for (const { clientOrderId } of attributed) {
      const order = clientOrderId === undefined ? undefined : this.#live.get(clientOrderId);
      if (order === undefined) continue;
      const told: Order = { ...order, remaining: this.#remaining(order) };
      if (this.#attribution.filledOf(order.clientOrderId) >= order.size) this.#leave(told, asked);
      else this.#live.set(order.clientOrderId, told);
    }
    for (const { order, goneSince } of this.#leaving.values()) if (asked >= goneSince) this.#settle(order);
    return attributed;
  }

  #find(order: Order, unbound: ReadonlyMap<OrderId, RestingOrder>): RestingOrder | undefined {
    if (order.orderId !== undefined) return unbound.get(order.orderId);
    const listed = [...unbound.values()].filter((resting) => !this.#attribution.isOurs(resting));
    return (
      listed.find((resting) => resting.clientOrderId === order.clientOrderId) ??
      listed.find(
        (resting) => resting.clientOrderId === undefined && this.#foreign.get(resting.orderId) === undefined && sameTerms(order, resting),
      )
    );
  }

  /** What can still be filled, by what was told of it last and by its fills, in whichever order the two came. */
  #remaining(order: Order, told: Lots = order.remaining): Lots {
    return lots(Math.max(0, Math.min(told, order.size - this.#attribution.filledOf(order.clientOrderId))));
  }

  /** What an account listed on the same terms was another's. */
  #disown({ orderId }: Order): void {
    if (orderId !== undefined) this.#attribution.unbindOrder(orderId);
  }

  /** The exchange has told us that our last action on it was done. */
  #answered({ status, clientOrderId }: Order): boolean {
    return status === 'open' || (status === 'cancelling' && this.#cancelTaken.get(clientOrderId) === 'cancelled');
  }

  #seenResting(order: Order, resting: RestingOrder, { account, asked, at }: AccountSeen): void {
    const { orderId } = resting;
    this.#attribution.bindOrder(orderId, order.clientOrderId);
    const remaining = this.#remaining(order, resting.size);
    const known = order.orderId === orderId && order.remaining === remaining && order.accountThen === undefined;
    if (known && order.status === 'open') return; // as at most polls
    const seen: Order = { ...order, orderId, remaining };
    if (order.status === 'open') return this.#open({ ...seen, accountThen: undefined });
    const queued = this.#cancelTaken.get(order.clientOrderId) === 'queued';
    const cancelUndecided =
      order.status === 'cancelling' &&
      (this.#cancelsInFlight.has(order.clientOrderId) ||
        asked < order.touchedAt + (queued ? QUEUED_FOR : 0) ||
        (this.#answered(order) && !hasMoved(account, order)));
    if (cancelUndecided) this.#live.set(order.clientOrderId, seen);
    else this.#open({ ...seen, touchedAt: at, accountThen: undefined });
  }

  #open(order: Order): void {
    const opened: Order = { ...order, status: 'open', deadAfter: undefined };
    const before = this.#live.get(order.clientOrderId);
    this.#live.set(order.clientOrderId, opened);
    if (before?.status !== 'open' && before?.status !== 'cancelling') this.#changes.push({ order: opened, status: 'open' });
  }

  #leave(order: Order, goneSince: Millis): void {
    this.#live.delete(order.clientOrderId);
    this.#cancelsInFlight.delete(order.clientOrderId);
    this.#leaving.set(order.clientOrderId, { order, goneSince });
  }

  #settle(order: Order): void {
    this.#attribution.claimOnTerms(order);
    const filled = this.#attribution.filledOf(order.clientOrderId);
    const confirmed = this.#cancelTaken.delete(order.clientOrderId);
    this.#leaving.delete(order.clientOrderId);
    this.#attribution.forget(order.clientOrderId);
    const closed: Order = { ...order, remaining: lots(Math.max(0, order.size - filled)) };
    if (filled >= order.size) this.#changes.push({ order: closed, status: 'filled' });
    else this.#changes.push({ order: closed, status: 'cancelled', reason: closeReason(order, { confirmed, filled }) });
  }
}

/** Of the same order: an answer, or a word of its cancel, makes it no heavier and no lighter. */
const weighAlike = (one: Order, other: Order): boolean =>
  one.remaining === other.remaining && (one.status === 'unknown') === (other.status === 'unknown');

function closeReason({ status }: Order, { confirmed, filled }: { confirmed: boolean; filled: number }): string {
  if (confirmed) return 'cancelled by us';
  return status === 'unknown' && filled === 0 ? 'never reached the book' : 'gone from the book without our cancel';
}
