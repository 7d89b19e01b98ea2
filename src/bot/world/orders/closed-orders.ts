// Remembers our closed orders, to detect ghosts: orders that appear again after they were reported as gone.
import type { Millis } from '../../../base/clock.ts';
import { Recent } from '../../../base/collections/recent.ts';
import type { RestingOrder } from '../../domain/account.ts';
import type { AccountSeen } from '../../domain/event.ts';
import type { ClientOrderId, UpdateId } from '../../domain/ids.ts';
import { type Order, orderWith } from '../../domain/order.ts';
import type { Alarms } from '../alarms.ts';
import type { EndedOrder } from '../recovered-state.ts';
import type { DeadSince } from './expiry.ts';
import { LIFE_CYCLE } from './life-cycle.ts';
import { isPast, LAG, orderDeadSince, sameTerms } from './proof.ts';

/** Minimum number of orders remembered. At forty orders a second, the oldest of them has long been proved absent. */
const REMEMBERED = 4096;

interface End extends EndedOrder {
  /** The update number of the newest account at the end of the order; undefined if there was none. */
  readonly updateId?: UpdateId | undefined;
}

interface Revival {
  readonly at: Millis;
  readonly found: string;
  readonly wasGone?: boolean;
}

export class ClosedOrders {
  readonly #alarms: Alarms;
  readonly #ends = new Recent<ClientOrderId, End>(REMEMBERED);
  #ghosts = 0;

  constructor(alarms: Alarms) {
    this.#alarms = alarms;
  }

  /**
   * Number of orders that appeared again although their absence had been proved, plus those that appeared with an id of this run that its state does
   * not have.
   */
  get ghosts(): number {
    return this.#ghosts;
  }

  add(end: End): void {
    this.#ends.set(end.order.clientOrderId, end);
  }

  has(clientOrderId: ClientOrderId): boolean {
    return this.#ends.has(clientOrderId);
  }

  get(clientOrderId: ClientOrderId): Order | undefined {
    return this.#ends.get(clientOrderId)?.order;
  }

  wasFilled(clientOrderId: ClientOrderId): boolean {
    const end = this.#ends.get(clientOrderId);
    return end !== undefined && end.reportedAs === undefined;
  }

  /**
   * Called for a receipt or a fill. Returns the order as live again if it had been reported as never in the book, or as cancelled although it was
   * filled completely.
   */
  recalled(clientOrderId: ClientOrderId, { at, found, filled }: { at: Millis; found: string; filled: number }): Order | undefined {
    const end = this.#ends.get(clientOrderId);
    if (end?.reportedAs === undefined) return undefined;
    const wasGone = !end.neverPlaced && filled >= end.order.size;
    return end.neverPlaced || wasGone ? this.#revived(end, { at, found, wasGone }) : undefined;
  }

  /**
   * Called for an account that lists the order. Returns the order as live again, also a filled one, unless the account may be older than the order's
   * end.
   */
  listed(clientOrderId: ClientOrderId, { account, asked, at }: AccountSeen): Order | undefined {
    const end = this.#ends.get(clientOrderId);
    if (end === undefined) return undefined;
    const isAfterEnd = end.neverPlaced || (asked >= end.at + LAG && isPast(account, end.updateId));
    return isAfterEnd ? this.#revived(end, { at, found: 'listed' }) : undefined;
  }

  /** Called if an account lists an order that had been proved gone and whose end was not known yet. */
  listedAfterProof(order: Order): void {
    this.#alarm(order, { found: 'listed', reportedAs: 'gone', wasGone: false });
  }

  /**
   * Called for an order without a client order id. Returns a closed order as live again if it was reported as never in the book, has the same terms,
   * and its bytes could still execute.
   */
  byTerms(resting: RestingOrder, at: Millis, deadSince: DeadSince): Order | undefined {
    for (const end of this.#ends.values()) {
      const { orderId, deadAfter } = end.order;
      const canLive = end.neverPlaced && deadAfter !== undefined && orderDeadSince(end.order, deadSince) > at;
      // An equal order id was attributed to us before and turned out to be a foreign order.
      if (canLive && orderId !== resting.orderId && sameTerms(end.order, resting)) return this.#revived(end, { at, found: 'listed' });
    }
    return undefined;
  }

  /** Called for an order with the client order id of one of ours, which has another id. */
  copied({ orderId, clientOrderId, market }: RestingOrder, original: Order): void {
    this.#ghosts += 1;
    const reason =
      original.uncertainId === true
        ? `order ${orderId} is client order ${clientOrderId}, whose receipt named order ${original.orderId}, which is another client order's; it is cancelled`
        : `order ${orderId} is a second order of client order ${clientOrderId}: the exchange executed the same bytes twice; it is cancelled`;
    this.#alarms.raise({ name: 'ghost', market, reason });
  }

  /** Called for an order with a client order id of this run that its state does not have. */
  neverKnown({ orderId, clientOrderId, market }: RestingOrder): void {
    this.#ghosts += 1;
    const why = 'its state has no such order: the state is older than the account, or another process trades with a copy of the state';
    this.#alarms.raise({
      name: 'ghost',
      market,
      reason: `order ${orderId} has this run's own client order id ${clientOrderId}, and ${why}`,
    });
  }

  /** Makes the order live again, with an unknown status. `wasGone`: it had left the book as reported, but by a fill. */
  #revived({ order, reportedAs, neverPlaced }: End, { at, found, wasGone = false }: Revival): Order {
    const { clientOrderId, market } = order;
    this.#ends.delete(clientOrderId);
    this.#alarm({ clientOrderId, market }, { found, reportedAs: reportedAs ?? 'filled', wasGone });
    return orderWith(order, { orderId: neverPlaced ? undefined : order.orderId, status: LIFE_CYCLE.closed.turnedUp, touchedAt: at });
  }

  /**
   * Raises the alarm. Counts a ghost, which makes the bot close-only, unless no proof was wrong: after a rejection, because the exchange may have
   * rejected a network duplicate of the order, and if the order was gone, because only the list of trades was late.
   */
  #alarm(
    { clientOrderId, market }: Pick<Order, 'clientOrderId' | 'market'>,
    { found, reportedAs, wasGone }: { found: string; reportedAs: string; wasGone: boolean },
  ): void {
    if (!wasGone && !reportedAs.startsWith('rejected')) this.#ghosts += 1;
    const reason = `order ${clientOrderId} is ${found} at the exchange, but was reported as ${reportedAs}`;
    this.#alarms.raise({ name: 'ghost', market, reason });
  }
}
