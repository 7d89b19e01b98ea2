// Tracks our orders from sending to their end. Each change of status needs evidence (`evidence.ts`, `proof.ts`). `attribution.ts`: whose fill.
// `cancels.ts`: our cancels. `closing-orders.ts`, `closed-orders.ts`: orders that are gone. `match.ts`: wanted levels and our orders.
// `foreign/`: orders of others, and the takeover of those from before a start. `sending/`: what was sent lately, and back-off after refusals.
import type { Millis } from '../../base/clock.ts';
import type { RestingOrder } from '../../domain/account.ts';
import { orderSent, type PlaceOrder } from '../../domain/action.ts';
import type { AccountSeen, CancelAnswered, FillsSeen, OrderOpened, OrderUnknown } from '../../domain/event.ts';
import type { ClientOrderId, MarketId } from '../../domain/ids.ts';
import { canRest, type Fill, haveSameExposure, type Order, orderWith } from '../../domain/order.ts';
import type { OrderChange } from '../../domain/turn.ts';
import { TermsCheck } from '../market/terms-check.ts';
import type { RecoveredState } from '../recovered-state.ts';
import type { SentAt } from '../seen.ts';
import { Attribution } from './attribution.ts';
import { type AccountAge, Cancels } from './cancels.ts';
import { ClosedOrders } from './closed-orders.ts';
import { ClosingOrders } from './closing-orders.ts';
import { Evidence, type OtherEvidence } from './evidence.ts';
import { ForeignOrders, type ForeignOrdersParts, type Found } from './foreign/foreign-orders.ts';
import { after, type OrderEvidence } from './life-cycle.ts';
import { MapWithLists } from './map-with-lists.ts';
import { hasMoved } from './proof.ts';
import { Repetition } from './repetition.ts';

export type OrdersOptions = Omit<ForeignOrdersParts, 'attribution' | 'closing' | 'closed' | 'live'>;

export class Orders {
  readonly termsCheck: TermsCheck;
  readonly #live: MapWithLists<ClientOrderId, Order>;
  readonly #cancels = new Cancels();
  readonly #attribution = new Attribution();
  readonly #evidence = new Evidence();
  readonly #closed: ClosedOrders;
  readonly #closing: ClosingOrders;
  /** Orders that rest under our account but were not placed by this run or the runs it continues. */
  readonly foreign: ForeignOrders;
  readonly #changes: OrderChange[] = [];
  readonly #repetition = new Repetition();

  constructor(options: OrdersOptions) {
    this.#live = new MapWithLists(options.revisions, haveSameExposure);
    const [attribution, cancels] = [this.#attribution, this.#cancels];
    this.termsCheck = new TermsCheck(options.alarms);
    this.#closed = new ClosedOrders(options.alarms);
    this.#closing = new ClosingOrders({ attribution, cancels, closed: this.#closed });
    this.foreign = new ForeignOrders({
      ...options,
      live: (id) => this.#live.get(id),
      attribution,
      closing: this.#closing,
      closed: this.#closed,
    });
  }

  /** Returns the order that a receipt or a fill names; live again if it had been reported as never in the book. */
  recall(clientOrderId: ClientOrderId, { at, found }: { readonly at: Millis; readonly found: string }): Order | undefined {
    const live = this.#live.get(clientOrderId);
    if (live !== undefined) return live;
    const ghost = this.#closed.recalled(clientOrderId, { at, found, filled: this.#attribution.filledOf(clientOrderId) });
    if (ghost !== undefined) this.#live.set(clientOrderId, ghost);
    return ghost;
  }

  live(market?: MarketId): readonly Order[] {
    return this.#live.list(market);
  }

  get(clientOrderId: ClientOrderId): Order | undefined {
    return this.#live.get(clientOrderId);
  }

  /** Number of orders that reappeared after they had been reported as gone, or that have an id of this run and are not known. */
  get ghosts(): number {
    return this.#closed.ghosts;
  }

  /** The changes since the last call. */
  takeChanges(): readonly OrderChange[] {
    return this.#changes.splice(0);
  }

  /** Takes over the orders of an earlier process of this run; they may rest, be gone, or be in flight. */
  adopt({ orders, fills, ended = [] }: RecoveredState): void {
    for (const end of ended) this.#closed.add(end);
    for (const fill of fills) this.#attribution.adopt(fill);
    for (const order of orders) {
      this.#evidence.inherited(order);
      this.#live.set(order.clientOrderId, orderWith(order, { remaining: this.#attribution.remainingOf(order) }));
      if (order.orderId !== undefined) this.#attribution.bindOrder(order.orderId, order.clientOrderId);
    }
    this.#attribution.adopted(this.#live.list());
  }

  /** Sets when actions signed until now expire (`deadAfter`, engine seconds), for unknown orders whose signing time is lost. */
  setExpiry(deadAfter: number): void {
    this.#closing.deadAfter = deadAfter;
    for (const order of this.#live.list())
      if (order.status === 'unknown' && order.deadAfter === undefined) this.#live.set(order.clientOrderId, orderWith(order, { deadAfter }));
  }

  get settled(): boolean {
    return this.#live.size === 0 && this.#closing.size === 0 && !this.foreign.awaitsCopies;
  }

  sent(action: PlaceOrder, stamp: SentAt): void {
    const order = orderSent(action, stamp);
    this.#live.set(action.clientOrderId, order);
    this.#changes.push({ order, status: 'placed' });
  }

  cancelSent(clientOrderId: ClientOrderId, { at, account }: SentAt): void {
    const order = this.#live.get(clientOrderId);
    if (order === undefined) return;
    this.#cancels.sent(order);
    this.#move(orderWith(order, { touchedAt: at, accountThen: account }), 'cancelSent', at);
  }

  opened({ clientOrderId, actionId, orderId, taken, resting, at }: OrderOpened): void {
    this.#repetition.end(); // the receipt may attribute earlier fills
    this.#evidence.compareAgain(clientOrderId);
    this.#attribution.accepted(clientOrderId, { actionId, taken });
    const order = this.#live.get(clientOrderId);
    if (order === undefined) return;
    const gone = resting === 0 || (resting === undefined && !canRest(order.fillMode));
    const mistaken = gone || (orderId !== undefined && orderId !== order.orderId);
    if (mistaken) this.#attribution.unbindOrder(order.orderId);
    if (gone) return void this.#move(order, 'ended', at);
    if (!mistaken && order.orderId !== undefined) return; // an account has already shown it, with newer sizes
    this.#evidence.accepted(order, at);
    if (orderId !== undefined) this.#attribution.bindOrder(orderId, clientOrderId);
    this.#move(orderWith(order, { orderId, remaining: this.#attribution.remainingOf(order, resting), touchedAt: at }), 'accepted', at);
  }

  /** Returns false if the rejection is ignored: an account has listed the order by our id, so the rejection answers a duplicate of its bytes. */
  rejected({ clientOrderId, at, error }: { clientOrderId: ClientOrderId; at: Millis; error: string }): boolean {
    const order = this.#live.get(clientOrderId);
    if (order === undefined || this.#evidence.isNamed(order)) return false;
    this.#attribution.unbindOrder(order.orderId);
    this.#move(order, 'rejected', at);
    this.#changes.push(this.#closing.rejected(order, { at, error }));
    return true;
  }

  unknown({ clientOrderId, at, reason, deadAfter }: OrderUnknown): void {
    const order = this.#live.get(clientOrderId);
    if (order === undefined || order.orderId !== undefined) return;
    const locked = this.#move(orderWith(order, { touchedAt: at, deadAfter }), 'unanswered', at);
    this.#changes.push({ order: locked, status: 'unknown', reason });
  }

  cancelAnswered(answer: CancelAnswered): void {
    const order = this.#live.get(answer.clientOrderId);
    if (order === undefined) return;
    if (answer.outcome === 'notFound') this.#evidence.notFound(order, answer.at);
    this.#live.set(order.clientOrderId, this.#cancels.answered(order, answer));
  }

  /** Marks orders whose cancel failed as open if no account has come, so that they are cancelled again, which is harmless. */
  reopen(times: AccountAge): void {
    for (const order of this.#live.list()) if (this.#cancels.hasFailed(order, times)) this.#move(order, 'cancelFailed', times.now);
  }

  /** Compares an account with our orders; the listed ones are open. Returns why the account cannot be current, or undefined. */
  reconcile(seen: AccountSeen, evidence: OtherEvidence): string | undefined {
    const { account, asked } = seen;
    this.#closing.account = account.updateId;
    const live = this.#live.list();
    this.#evidence.accountSeen(seen);
    if (this.#repetition.matches(account, live)) return undefined;
    let fault: string | undefined;
    const unbound = new Map(account.orders.map((order) => [order.orderId, order]));
    for (const order of live) {
      const again = this.#evidence.listedAgain(order, unbound);
      if (again !== undefined) {
        this.#attribution.bindOrder(again, order.clientOrderId); // keeps it among the recent ones
        continue;
      }
      if (this.#cancels.isDone(order) && asked >= order.touchedAt && !hasMoved(account, order))
        fault = `the account is stuck at update ${account.updateId} although order ${order.clientOrderId} was accepted or cancelled after it`;
      const resting = this.foreign.entryOf(order, unbound);
      if (resting !== undefined) {
        unbound.delete(resting.orderId);
        this.#seenResting(this.termsCheck.listed(order, resting, seen.at), resting, seen);
        continue;
      }
      const lacked = this.#evidence.lacked(order, seen, { ...evidence, cancel: this.#cancels.acceptedAnswer(order) });
      if (lacked === undefined) this.#move(order, 'proved', seen.at);
      else if (lacked !== order) this.#move(lacked, 'lacked', seen.at);
    }
    if (unbound.size === 0 && live === this.#live.list()) this.#repetition.begin(account, live);
    else this.#repetition.end();
    for (const found of this.foreign.classify(unbound.values(), seen, evidence.passedSince)) this.#found(found, seen);
    return fault;
  }

  /** Attributes the fills to our orders, and decides how orders that are gone have ended. */
  filled(round: FillsSeen, evidence: OtherEvidence): readonly Fill[] {
    const attributed = round.fills.length === 0 ? round.fills : this.#attribute(round); // as at most polls
    for (const order of this.#evidence.absent(this.#live.list(), round, evidence)) this.#move(order, 'proved', round.asked);
    for (const change of this.#closing.settle(round, evidence)) this.#changes.push(change);
    for (const fill of this.#attribution.foreignFills(() => [...this.#live.list(), ...this.#closing.orders()])) this.foreign.traded(fill);
    return attributed;
  }

  #attribute({ fills, asked, at }: FillsSeen): readonly Fill[] {
    const attributed = fills.map((fill) => this.#attribution.attribute(fill, at));
    for (const clientOrderId of new Set(attributed.map((fill) => fill.clientOrderId))) {
      const order = clientOrderId === undefined ? undefined : this.recall(clientOrderId, { at, found: 'filled' });
      if (order === undefined) continue;
      const alive = orderWith(order, { remaining: this.#attribution.remainingOf(order) });
      const filled = this.#attribution.filledOf(order.clientOrderId);
      if (filled > order.size) this.#live.set(order.clientOrderId, this.termsCheck.overfilled(order, filled, at));
      else if (filled === order.size) this.#move(alive, 'filled', asked);
      else this.#live.set(order.clientOrderId, alive);
    }
    return attributed;
  }

  #found({ order, resting }: Found, { at }: AccountSeen): void {
    const { orderId } = resting;
    this.#evidence.listed(order, resting);
    this.#attribution.bindOrder(orderId, order.clientOrderId);
    const remaining = this.#attribution.remainingOf(order, resting.size);
    this.#move(orderWith(order, { orderId, remaining, touchedAt: at, accountThen: undefined }), 'listed', at);
  }

  #seenResting(order: Order, resting: RestingOrder, seen: AccountSeen): void {
    const { orderId } = resting;
    this.#evidence.listed(order, resting);
    this.#attribution.bindOrder(orderId, order.clientOrderId);
    const remaining = this.#attribution.remainingOf(order, resting.size);
    const known = order.orderId === orderId && order.remaining === remaining && order.accountThen === undefined;
    const same = known && order.status === 'open' && order.missing !== true;
    if (same && this.#live.get(order.clientOrderId) === order) this.#evidence.rememberUnchanged(order, resting);
    if (same) return; // as at most polls
    const shown = orderWith(order, { orderId, remaining, missing: undefined });
    if (this.#cancels.isUndecided(order, seen)) return this.#live.set(order.clientOrderId, shown);
    const touchedAt = order.status === 'open' ? order.touchedAt : seen.at;
    this.#move(orderWith(shown, { touchedAt, accountThen: undefined }), 'listed', seen.at);
  }

  /** Changes the status of a live order, and is the only method that does. Returns the updated order. `at` is used if it leaves the book. */
  #move(order: Order, evidence: OrderEvidence, at: Millis): Order {
    const { clientOrderId } = order;
    const status = after(order.status, evidence);
    if (status === 'closing' || status === 'closed') {
      this.#live.delete(clientOrderId);
      this.#evidence.forget(order);
      if (status === 'closing') this.#closing.begin(order, at, evidence);
      return order;
    }
    const moved = orderWith(order, status === 'open' ? { status, deadAfter: undefined } : { status });
    const before = this.#live.get(clientOrderId);
    this.#live.set(clientOrderId, moved);
    const isKnown = (before?.status === 'open' || before?.status === 'cancelling') && before.orderId === moved.orderId;
    if (status === 'open' && !isKnown) this.#changes.push({ order: moved, status }); // reported again if it has a new order id
    return moved;
  }
}
