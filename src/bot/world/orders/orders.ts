// Tracks our orders from sending to their end. Each change of status (`live-orders.ts`) needs evidence (`presence-records.ts`, `proof.ts`, `witnesses.ts`).
// `attribution.ts`: which order a fill is of. `cancels.ts`: our cancels. `closing-orders.ts`, `closed-orders.ts`: orders that are gone.
// `match.ts`: wanted levels and the orders that stand for them. `judged-fills.ts`, `possible-fill.ts`: which fills are booked, at which price and fee.
// `foreign/`: orders of others, and the takeover of those from before a start. `sending/`: what was sent lately, and back-off after refusals.
import type { Millis } from '../../../base/clock.ts';
import type { Account, RestingOrder } from '../../domain/account.ts';
import { orderSent, type PlaceOrder } from '../../domain/action.ts';
import type { AccountSeen, CancelAnswered, FillsSeen, OrderOpened, OrderRejected, OrderUnknown } from '../../domain/event.ts';
import type { ClientOrderId, MarketId } from '../../domain/ids.ts';
import { canRest, type Fill, type Order, orderWith } from '../../domain/order.ts';
import type { OrderChange } from '../../domain/turn.ts';
import { TermsCheck } from '../market/terms-check.ts';
import type { RecoveredState } from '../recovered-state.ts';
import { sameOrders } from '../same.ts';
import type { SentAt } from '../seen.ts';
import type { Attribution } from './attribution.ts';
import { type AccountAge, Cancels } from './cancels.ts';
import { ClosedOrders } from './closed-orders.ts';
import { ClosingOrders } from './closing-orders.ts';
import { ForeignOrders, type ForeignOrdersParts, type IdentifiedOrder } from './foreign/foreign-orders.ts';
import { statusAfter } from './life-cycle.ts';
import { LiveOrders } from './live-orders.ts';
import type { OutsideCancels } from './outside-cancels.ts';
import { type OtherEvidence, PresenceRecords } from './presence-records.ts';
import { hasMoved, uncertainIdOf, withCheckedId } from './proof.ts';

export interface OrdersOptions extends Omit<ForeignOrdersParts, 'closing' | 'closed' | 'live'> {
  readonly outside: OutsideCancels;
  /** True if accounts and trades alone do not prove an order with an id of its own absent (`witnesses.ts`). */
  readonly needsWitness?: boolean | undefined;
}

export class Orders {
  readonly termsCheck: TermsCheck;
  readonly #live: LiveOrders;
  readonly #cancels = new Cancels();
  readonly #attribution: Attribution;
  readonly #presence: PresenceRecords;
  readonly #closed: ClosedOrders;
  readonly #closing: ClosingOrders;
  /** Orders that rest under our account but were not placed by this run or the runs it continues. */
  readonly foreign: ForeignOrders;
  readonly #repetition = new Repetition();

  constructor(options: OrdersOptions) {
    this.#attribution = options.attribution;
    this.#presence = new PresenceRecords(options.needsWitness === true);
    this.termsCheck = new TermsCheck(options.alarms);
    this.#closed = new ClosedOrders(options.alarms);
    this.#closing = new ClosingOrders({ ...options, cancels: this.#cancels, closed: this.#closed, live: () => this.#live.list() });
    this.#live = new LiveOrders(options.revisions, { presence: this.#presence, closing: this.#closing });
    this.foreign = new ForeignOrders({ ...options, live: (id) => this.#live.get(id), closing: this.#closing, closed: this.#closed });
  }

  /** Returns the order that a receipt or a fill names; live again if it had been reported as never in the book. */
  recall(clientOrderId: ClientOrderId, { at, found }: { readonly at: Millis; readonly found: string }): Order | undefined {
    const live = this.#live.get(clientOrderId);
    if (live !== undefined) return live;
    const ghost = this.#closed.recalled(clientOrderId, { at, found, filled: this.#attribution.filledOf(clientOrderId) });
    if (ghost !== undefined) this.#live.set(ghost);
    return ghost;
  }

  live(market?: MarketId): readonly Order[] {
    return this.#live.list(market);
  }

  /** The orders of a market that were partly filled and have left the book, until it is decided how they ended. */
  leaving(market: MarketId): readonly Order[] {
    return this.#closing.partlyFilled(market);
  }

  get(clientOrderId: ClientOrderId): Order | undefined {
    return this.#live.get(clientOrderId);
  }

  /** Returns an order, also one that has left the book lately. */
  find(clientOrderId: ClientOrderId): Order | undefined {
    return this.#live.get(clientOrderId) ?? this.#closing.get(clientOrderId) ?? this.#closed.get(clientOrderId);
  }

  /** Number of orders that reappeared after they had been reported as gone, or that have an id of this run and are not known. */
  get ghosts(): number {
    return this.#closed.ghosts;
  }

  /** The changes since the last call. */
  takeChanges(): readonly OrderChange[] {
    return this.#live.changes.splice(0);
  }

  /** Takes over the orders of an earlier process of this run; they may rest, be gone, or be in flight. */
  adopt({ orders, fills, ended = [] }: RecoveredState): void {
    for (const end of ended) this.#closed.add(end);
    for (const fill of fills) this.#attribution.adopt(fill);
    for (const order of orders) {
      this.#presence.inherited(order);
      this.#cancels.inherited(order);
      this.#live.set(orderWith(order, { remaining: this.#attribution.remainingOf(order) }));
      if (order.orderId !== undefined) this.#attribution.bindOrder(order.orderId, order.clientOrderId);
    }
    this.#attribution.adopted(this.#live.list());
  }

  /** Sets when actions signed until now expire (`deadAfter`, engine seconds), for unknown orders whose signing time is lost. */
  setExpiry(deadAfter: number): void {
    this.#closing.deadAfter = deadAfter;
    for (const order of this.#live.list())
      if (order.status === 'unknown' && order.deadAfter === undefined) this.#live.set(orderWith(order, { deadAfter }));
  }

  get settled(): boolean {
    return this.#live.size === 0 && this.#closing.size === 0 && !this.foreign.awaitsCopies;
  }

  /** True if no order of ours is, or may be, in the book, but the end of at least one (filled or cancelled) is not known yet. */
  get awaitsEnds(): boolean {
    return this.#live.size === 0 && this.#closing.size > 0;
  }

  sent(action: PlaceOrder, stamp: SentAt): void {
    const order = orderSent(action, stamp);
    this.#live.set(order);
    this.#live.report({ order, status: 'placed' });
  }

  cancelSent(clientOrderId: ClientOrderId, { at, account }: SentAt): void {
    const order = this.#live.get(clientOrderId);
    if (order === undefined) return;
    this.#cancels.sent(order);
    this.#presence.witnesses.asked(order, at);
    this.#live.move(orderWith(order, { touchedAt: at, accountThen: account, ask: undefined }), 'cancelSent', at);
  }

  opened({ clientOrderId, actionId, orderId, taken, resting, at }: OrderOpened): void {
    this.#repetition.end(); // the receipt may attribute earlier fills
    this.#presence.compareAgain(clientOrderId);
    this.#attribution.accepted(clientOrderId, { actionId, taken });
    const order = this.#live.get(clientOrderId);
    if (order === undefined) return;
    const gone = resting === 0 || (resting === undefined && !canRest(order.fillMode));
    // an account may have listed another order of the same terms: the receipt then names another id, or none
    const hadWrongId = gone || (orderId !== undefined && orderId !== order.orderId);
    if (hadWrongId) this.#attribution.unbindOrder(order.orderId);
    if (gone) return void this.#live.move(order, 'ended', at);
    if (!hadWrongId && order.orderId !== undefined) {
      if (orderId !== undefined && order.uncertainId === true) this.#live.set(orderWith(order, { uncertainId: undefined }));
      return; // an account has already shown it, with newer sizes
    }
    this.#presence.accepted(order, at);
    if (orderId !== undefined) this.#attribution.bindOrder(orderId, clientOrderId);
    const remaining = this.#attribution.remainingOf(order, resting);
    this.#live.move(orderWith(order, { orderId, uncertainId: undefined, remaining, touchedAt: at }), 'accepted', at);
  }

  /**
   * Returns false if the rejection is ignored: an account has listed the order by our id, so the rejection answers a duplicate of its bytes; or the
   * exchange has said that it never admitted an order that other evidence shows.
   */
  rejected({ clientOrderId, at, error, settled }: OrderRejected): boolean {
    const order = this.#live.get(clientOrderId);
    if (order === undefined || this.#presence.isNamed(order)) return false;
    const evidence = settled === true ? 'neverAdmitted' : 'rejected';
    if (statusAfter(order.status, evidence) !== 'closed') return false;
    this.#attribution.unbindOrder(order.orderId);
    this.#live.move(order, evidence, at);
    this.#live.report(this.#closing.rejected(order, { at, error }));
    return true;
  }

  unknown({ clientOrderId, at, reason, deadAfter, life }: OrderUnknown): void {
    const order = this.#live.get(clientOrderId);
    if (order === undefined || order.orderId !== undefined) return;
    const locked = this.#live.move(orderWith(order, { touchedAt: at, deadAfter, life }), 'unanswered', at);
    this.#live.report({ order: locked, status: 'unknown', reason });
  }

  cancelAnswered(answer: CancelAnswered): void {
    const order = this.#live.get(answer.clientOrderId);
    if (order === undefined) return;
    if (answer.outcome === 'notFound') this.#presence.notFound(order, answer.at);
    const answered = this.#cancels.answered(order, answer);
    if (answer.outcome !== 'open') return this.#live.set(answered);
    this.#presence.shownOpen(order, answer.at);
    this.#live.move(orderWith(answered, { missing: undefined, ask: undefined, accountThen: undefined }), 'listed', answer.at);
  }

  /** Marks orders whose cancel failed as open if no account has come, so that they are cancelled again, which is harmless. */
  reopen(times: AccountAge): void {
    for (const order of this.#live.list()) if (this.#cancels.hasFailed(order, times)) this.#live.move(order, 'cancelFailed', times.now);
  }

  /** Compares an account with our orders; the listed ones are open. Returns why the account cannot be current, or undefined. */
  reconcile(seen: AccountSeen, evidence: OtherEvidence): string | undefined {
    const { account, asked } = seen;
    this.#closing.newestUpdateId = account.updateId;
    const live = this.#live.list();
    this.#presence.accountSeen(seen);
    if (this.#repetition.matches(account, live)) return undefined;
    let fault: string | undefined;
    const unbound = new Map(account.orders.map((order) => [order.orderId, order]));
    for (const order of live) {
      const unchangedId = this.#presence.listedAgain(order, unbound);
      if (unchangedId !== undefined) {
        this.#attribution.bindOrder(unchangedId, order.clientOrderId); // keeps the binding among the recent ones
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
      const unlisted = withCheckedId(order, account);
      const { deadSince, jumpedAt } = evidence;
      const lacked = this.#presence.lacked(unlisted, seen, { deadSince, jumpedAt, cancel: this.#cancels.acceptedAnswer(unlisted) });
      if (lacked === undefined) this.#live.move(order, 'proved', seen.at);
      else if (lacked !== order) this.#live.move(lacked, 'lacked', seen.at);
      if (this.#presence.witnesses.isShownOpen(order))
        fault ??= `the account lacks order ${order.clientOrderId}, which the exchange shows open in a read of that order`;
    }
    if (unbound.size === 0 && live === this.#live.list()) this.#repetition.begin(account, live);
    else this.#repetition.end();
    for (const found of this.foreign.classify(unbound.values(), seen, evidence.deadSince)) this.#found(found, seen);
    return fault;
  }

  /** Attributes the fills to our orders, and decides how orders that are gone have ended. */
  filled(round: FillsSeen, evidence: OtherEvidence): readonly Fill[] {
    const attributed = round.fills.length === 0 ? round.fills : this.#attribute(round); // most polls bring no fills
    for (const order of this.#presence.absent(this.#live.list(), round, evidence)) this.#live.move(order, 'proved', round.asked);
    const due = this.#presence.witnesses.due({ live: this.#live, cancels: this.#cancels, now: round.at });
    for (const order of due) this.#live.set(orderWith(order, { ask: true }));
    for (const change of this.#closing.settle(round, evidence)) this.#live.report(change);
    for (const fill of this.#attribution.foreignFills(() => [...this.#live.list(), ...this.#closing.orders()])) this.foreign.traded(fill);
    return attributed;
  }

  #attribute({ fills, asked, at }: FillsSeen): readonly Fill[] {
    const attributed = fills.map((fill) => this.#attribution.attribute(fill, at));
    for (const clientOrderId of new Set(attributed.map((fill) => fill.clientOrderId))) {
      if (clientOrderId === undefined) continue;
      const filled = this.#attribution.filledOf(clientOrderId);
      const leaving = this.#closing.get(clientOrderId);
      if (leaving !== undefined && filled > leaving.size) this.termsCheck.overfilled(leaving, filled, at);
      const order = this.recall(clientOrderId, { at, found: 'filled' });
      if (order === undefined) continue;
      const alive = orderWith(order, { remaining: this.#attribution.remainingOf(order) });
      if (filled > order.size) this.#live.set(this.termsCheck.overfilled(order, filled, at));
      else if (filled === order.size) this.#live.move(alive, 'filled', asked);
      else this.#live.set(alive);
    }
    return attributed;
  }

  #found({ order, resting }: IdentifiedOrder, { at }: AccountSeen): void {
    const { orderId } = resting;
    this.#presence.listed(order, resting);
    this.#attribution.bindOrder(orderId, order.clientOrderId);
    const remaining = this.#attribution.remainingOf(order, resting.size);
    const found = { orderId, uncertainId: uncertainIdOf(order, resting), remaining, touchedAt: at, accountThen: undefined };
    this.#live.move(orderWith(order, found), 'listed', at);
  }

  #seenResting(order: Order, resting: RestingOrder, seen: AccountSeen): void {
    const { orderId } = resting;
    this.#presence.listed(order, resting);
    this.#attribution.bindOrder(orderId, order.clientOrderId);
    const remaining = this.#attribution.remainingOf(order, resting.size);
    const isUpToDate = order.orderId === orderId && order.remaining === remaining && order.accountThen === undefined;
    const same = isUpToDate && order.status === 'open' && order.missing !== true;
    if (same && this.#live.get(order.clientOrderId) === order) this.#presence.rememberUnchanged(order, resting);
    if (same) return; // true at most polls
    const shown = orderWith(order, { orderId, uncertainId: uncertainIdOf(order, resting), remaining, missing: undefined, ask: undefined });
    if (this.#cancels.isUndecided(order, seen)) return this.#live.set(shown);
    const touchedAt = order.status === 'open' ? order.touchedAt : seen.at;
    this.#live.move(orderWith(shown, { touchedAt, accountThen: undefined }), 'listed', seen.at);
  }
}

/** Detects accounts that list the same orders as the previous one, so that they need not be compared again. */
class Repetition {
  #first: { readonly listed: readonly RestingOrder[]; readonly live: readonly Order[] } | undefined;

  /** Starts from an account that lists exactly `live`, all our orders, and changed nothing about them. */
  begin({ orders: listed }: Account, live: readonly Order[]): void {
    this.#first = live.length === listed.length ? { listed, live } : undefined;
  }

  end(): void {
    this.#first = undefined;
  }

  /** True if the account lists the same orders as that of `begin` and `live` has not changed since. */
  matches({ orders }: Account, live: readonly Order[]): boolean {
    const first = this.#first;
    return first !== undefined && first.live === live && sameOrders(first.listed, orders);
  }
}
