// Orders that are gone from the book, until the next poll of our fills shows how they ended.
import type { Millis } from '../../../base/clock.ts';
import { TransientMap } from '../../../base/collections/transient-map.ts';
import type { AccountSeen, FillsSeen } from '../../domain/event.ts';
import type { ClientOrderId, MarketId, UpdateId } from '../../domain/ids.ts';
import { lots } from '../../domain/numbers.ts';
import { type Order, orderWith } from '../../domain/order.ts';
import type { OrderChange } from '../../domain/turn.ts';
import type { EndedOrder } from '../recovered-state.ts';
import type { Attribution } from './attribution.ts';
import type { Cancels } from './cancels.ts';
import type { ClosedOrders } from './closed-orders.ts';
import type { OrderEvidence } from './life-cycle.ts';
import type { OutsideCancels } from './outside-cancels.ts';
import type { OtherEvidence } from './presence-records.ts';
import { ACCEPTED_AFTER, isPast, LAG } from './proof.ts';

export interface ClosingOrdersParts {
  readonly attribution: Attribution;
  readonly cancels: Cancels;
  readonly closed: ClosedOrders;
  readonly outside: OutsideCancels;
  /** Our orders that have not left the book. */
  readonly live: () => readonly Order[];
}

interface Leaving {
  readonly order: Order;
  readonly goneSince: Millis;
  /** True if accounts and trades proved it gone and none of our cancels can have ended it. */
  readonly isUncancelled: boolean;
  /**
   * Set if a receipt ended the order and reported no fills: accounts requested from this time on show whether there were any. If accounts have
   * proved the end, they have been compared with our fills already.
   */
  readonly shownFrom: Millis | undefined;
  /** The update number of the newest account at that time. */
  readonly updateId: UpdateId | undefined;
}

/** A trade that is not listed within this time counts as missing from the record of trades. */
const LISTED_WITHIN: Millis = 60_000;
/** Longest time from when an order leaves the book until it is proved gone. */
const PROVED_WITHIN: Millis = 30_000;

export class ClosingOrders {
  readonly #parts: ClosingOrdersParts;
  readonly #leaving = new TransientMap<ClientOrderId, Leaving>();
  /** The update number of the newest account. */
  newestUpdateId: UpdateId | undefined;
  /** When actions signed now expire, in engine seconds. */
  deadAfter: number | undefined;

  constructor(parts: ClosingOrdersParts) {
    this.#parts = parts;
  }

  get size(): number {
    return this.#leaving.size;
  }

  has(clientOrderId: ClientOrderId): boolean {
    return this.#leaving.has(clientOrderId);
  }

  get(clientOrderId: ClientOrderId): Order | undefined {
    return this.#leaving.get(clientOrderId)?.order;
  }

  /** The orders of a market that an account has shown smaller than they were sent: their trades may not be listed yet. */
  partlyFilled(market: MarketId): readonly Order[] {
    if (this.#leaving.size === 0) return NONE;
    let partly: Order[] | undefined;
    for (const { order } of this.#leaving.values())
      if (order.market === market && order.remaining < order.size) (partly ??= []).push(order);
    return partly ?? NONE;
  }

  orders(): readonly Order[] {
    return [...this.#leaving.values()].map(({ order }) => order);
  }

  begin(order: Order, goneSince: Millis, evidence: OrderEvidence): void {
    const { attribution, cancels } = this.#parts;
    const isUncancelled = evidence === 'proved' && order.status !== 'unknown' && !cancels.mayHaveEnded(order);
    cancels.left(order);
    const lacksFills = evidence === 'ended' && attribution.takenBy(order.clientOrderId) === undefined;
    this.#leaving.set(order.clientOrderId, {
      order,
      goneSince,
      isUncancelled,
      shownFrom: lacksFills ? goneSince : undefined,
      updateId: this.newestUpdateId,
    });
  }

  /**
   * Called for an account that lists the order. Returns the order and raises an alarm, unless the account is too old: the accounts that proved its
   * absence were wrong, or the exchange was rolled back to before its end.
   */
  listed(clientOrderId: ClientOrderId, { account, asked }: AccountSeen): Order | undefined {
    const leaving = this.#leaving.get(clientOrderId);
    if (leaving === undefined || asked < leaving.goneSince + LAG || !isPast(account, leaving.updateId)) return undefined;
    const { order } = leaving;
    if (this.#parts.attribution.filledOf(clientOrderId) >= order.size) return undefined; // the fill must be reported first
    this.#leaving.delete(clientOrderId);
    this.#parts.cancels.closed(order);
    this.#parts.closed.listedAfterProof(order);
    return order;
  }

  /**
   * Returns how the orders ended that were gone before the poll was requested. The record of trades may lag: an order that is not filled completely
   * waits, up to LISTED_WITHIN, until the record contains the fills of its receipt and explains the position after its end. If the record lacked trades
   * when the order left, a later account may agree only because two missing trades cancel each other out: the order then waits up to ACCEPTED_AFTER.
   */
  settle({ asked, at }: FillsSeen, evidence: OtherEvidence): readonly OrderChange[] {
    if (this.#leaving.size === 0) return NONE;
    const changes: OrderChange[] = [];
    for (const leaving of this.#leaving.values()) if (this.#isDecided(leaving, asked, evidence)) changes.push(this.#settled(leaving, at));
    return changes;
  }

  #isDecided({ order, goneSince, shownFrom = 0 }: Leaving, asked: Millis, evidence: OtherEvidence): boolean {
    const { attribution, cancels } = this.#parts;
    if (asked < goneSince) return false;
    if (attribution.filledOf(order.clientOrderId) >= order.size) return true;
    const { agreedAsOf, disagreedAsOf, jumpedAt } = evidence;
    const lackedTrades =
      !cancels.isConfirmed(order) && (disagreedAsOf(order.market) ?? Number.NEGATIVE_INFINITY) >= goneSince - PROVED_WITHIN;
    if (asked >= Math.max(goneSince, jumpedAt) + (lackedTrades ? ACCEPTED_AFTER : LISTED_WITHIN)) return true;
    const agreed = agreedAsOf(order.market);
    if (lackedTrades || agreed === undefined || agreed < shownFrom) return false;
    const taken = attribution.takenBy(order.clientOrderId);
    if (taken === undefined) return true;
    this.#claim(order);
    return attribution.filledOf(order.clientOrderId) >= taken;
  }

  #claim(order: Order): void {
    const { attribution, live } = this.#parts;
    attribution.claimByTerms(order, () => [...live(), ...this.orders()]);
  }

  rejected(order: Order, { at, error }: { at: Millis; error: string }): OrderChange {
    const { attribution, cancels } = this.#parts;
    cancels.left(order);
    cancels.closed(order);
    attribution.closed(order.clientOrderId);
    this.#remember(order, { reportedAs: `rejected: ${error}`, neverPlaced: true, at });
    return { order: orderWith(order, { touchedAt: at }), status: 'rejected', reason: error };
  }

  #settled({ order, isUncancelled }: Leaving, at: Millis): OrderChange {
    const { attribution, cancels } = this.#parts;
    this.#claim(order);
    const filled = attribution.wasFilled(order.clientOrderId) ? order.size : attribution.filledOf(order.clientOrderId);
    const confirmed = cancels.closed(order);
    attribution.closed(order.clientOrderId);
    this.#leaving.delete(order.clientOrderId);
    const closed = orderWith(order, { remaining: lots(Math.max(0, order.size - filled)) });
    if (filled >= order.size) {
      this.#remember(order, { reportedAs: undefined, neverPlaced: false, at });
      return { order: closed, status: 'filled' };
    }
    if (isUncancelled && !confirmed) this.#parts.outside.ended(order, at);
    const reason = closeReason(order, { confirmed, filled });
    this.#remember(order, { reportedAs: `cancelled: ${reason}`, neverPlaced: reason === NEVER_THERE, at });
    return { order: closed, status: 'cancelled', reason };
  }

  #remember(order: Order, { reportedAs, neverPlaced, at }: Pick<EndedOrder, 'reportedAs' | 'neverPlaced' | 'at'>): void {
    const { deadAfter = this.deadAfter } = order;
    this.#parts.closed.add({ order: orderWith(order, { deadAfter }), reportedAs, neverPlaced, at, updateId: this.newestUpdateId });
  }
}

const NONE: readonly never[] = [];
const NEVER_THERE = 'never reached the book';

function closeReason({ status }: Order, { confirmed, filled }: { confirmed: boolean; filled: number }): string {
  if (confirmed) return 'cancelled by us';
  return status === 'unknown' && filled === 0 ? NEVER_THERE : 'gone from the book without our cancel';
}
