// Our closed orders, kept for a while: one that appears again was never gone.
import type { Millis } from '../../base/clock.ts';
import { Recent } from '../../base/collections/recent.ts';
import type { RestingOrder } from '../../domain/account.ts';
import type { AccountSeen } from '../../domain/event.ts';
import type { ClientOrderId, UpdateId } from '../../domain/ids.ts';
import type { Order } from '../../domain/order.ts';
import type { Alarms } from '../alarms.ts';
import type { EndedOrder } from '../recovered-state.ts';
import { LIFE_CYCLE } from './life-cycle.ts';
import { isPast, LAG, type PassedSince, sameTerms } from './proof.ts';

/** How many of the newest are kept at least. A bot that sends forty orders a second is then past the proof of absence of the oldest of them. */
const REMEMBERED = 4096;

interface End extends EndedOrder {
  /** The update number of the newest account then; undefined if there was none. */
  readonly updateId?: UpdateId | undefined;
}

export class ClosedOrders {
  readonly #alarms: Alarms;
  readonly #ends = new Recent<ClientOrderId, End>(REMEMBERED);
  #ghosts = 0;

  constructor(alarms: Alarms) {
    this.#alarms = alarms;
  }

  /** How many of them appeared again although their absence had been proved, plus how many appeared with ids of this run that it does not know. */
  get ghosts(): number {
    return this.#ghosts;
  }

  add(end: End): void {
    this.#ends.set(end.order.clientOrderId, end);
  }

  has(clientOrderId: ClientOrderId): boolean {
    return this.#ends.has(clientOrderId);
  }

  wasFilled(clientOrderId: ClientOrderId): boolean {
    const end = this.#ends.get(clientOrderId);
    return end !== undefined && end.reportedAs === undefined;
  }

  /**
   * For a receipt or a fill: the order, alive again, if it had been reported as never in the book, or as cancelled and it has been filled completely.
   */
  recalled(clientOrderId: ClientOrderId, { at, found, filled }: { at: Millis; found: string; filled: number }): Order | undefined {
    const end = this.#ends.get(clientOrderId);
    if (end?.reportedAs === undefined) return undefined;
    return end.neverPlaced || filled >= end.order.size ? this.#revived(end, { at, found }) : undefined;
  }

  /** For an account that lists it: the order, alive again, even if it was filled, unless the account may only show the time before the end. */
  listed(clientOrderId: ClientOrderId, { account, asked, at }: AccountSeen): Order | undefined {
    const end = this.#ends.get(clientOrderId);
    if (end === undefined) return undefined;
    const isNews = end.neverPlaced || (asked >= end.at + LAG && isPast(account, end.updateId));
    return isNews ? this.#revived(end, { at, found: 'listed' }) : undefined;
  }

  /** An account lists an order again that had been proved gone, before it was known how it ended. */
  listedAfterProof(order: Order): void {
    this.#alarm(order, { found: 'listed', reportedAs: 'gone' });
  }

  /**
   * For an account that does not name the owner of an order: a closed order that was reported as never in the book, has the same terms, and whose
   * bytes could still execute.
   */
  onTerms(resting: RestingOrder, at: Millis, passedSince: PassedSince): Order | undefined {
    for (const end of this.#ends.values()) {
      const { orderId, deadAfter } = end.order;
      const canLive = end.neverPlaced && deadAfter !== undefined && passedSince(deadAfter) === undefined;
      // Under that id it was taken for ours before, and turned out to be another's.
      if (canLive && orderId !== resting.orderId && sameTerms(end.order, resting)) return this.#revived(end, { at, found: 'listed' });
    }
    return undefined;
  }

  /** A second order with the client order id of one of ours. */
  copied({ orderId, clientOrderId, market }: RestingOrder): void {
    this.#ghosts += 1;
    const reason = `order ${orderId} is a second order of client order ${clientOrderId}: the exchange executed the same bytes twice; it is cancelled`;
    this.#alarms.raise({ name: 'ghost', market, reason });
  }

  /** An order with this run's own client order id that its state does not know. */
  neverKnown({ orderId, clientOrderId, market }: RestingOrder): void {
    this.#ghosts += 1;
    const why = 'its state does not know it: the state is older than the account, or another process trades with a copy of it';
    this.#alarms.raise({
      name: 'ghost',
      market,
      reason: `order ${orderId} has this run's own client order id ${clientOrderId}, and ${why}`,
    });
  }

  /** Makes the order alive again, with nothing known for certain. */
  #revived({ order, reportedAs, neverPlaced }: End, { at, found }: { readonly at: Millis; readonly found: string }): Order {
    const { clientOrderId, market } = order;
    this.#ends.delete(clientOrderId);
    this.#alarm({ clientOrderId, market }, { found, reportedAs: reportedAs ?? 'filled' });
    return { ...order, orderId: neverPlaced ? undefined : order.orderId, status: LIFE_CYCLE.closed.turnedUp, touchedAt: at };
  }

  /**
   * Raises the alarm. Counted as a ghost, so that the bot goes to close-only, unless no proof was wrong: the exchange may have refused a copy of the
   * order that the network made.
   */
  #alarm(
    { clientOrderId, market }: Pick<Order, 'clientOrderId' | 'market'>,
    { found, reportedAs }: { found: string; reportedAs: string },
  ): void {
    if (!reportedAs.startsWith('rejected')) this.#ghosts += 1;
    const reason = `order ${clientOrderId} is ${found} at the exchange, but was reported as ${reportedAs}`;
    this.#alarms.raise({ name: 'ghost', market, reason });
  }
}
