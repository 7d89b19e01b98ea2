// Verifies that an exchange respects the flags of orders: a post-only order must not take, and an immediate one must not rest.
// For exchanges that may place an order without its flags. The result is a fault for `VenueClient.faults`.
import type { Millis } from '../../base/clock.ts';
import type { UserError } from '../../base/errors.ts';
import type { Account, RestingOrder } from '../../bot/domain/account.ts';
import type { PlaceOrder } from '../../bot/domain/action.ts';
import type { AccountEvent } from '../../bot/domain/event.ts';
import type { ClientOrderId } from '../../bot/domain/ids.ts';
import type { Fill, FillMode } from '../../bot/domain/order.ts';
import { type AcceptedOrdersOptions, couldHaveMade } from './accepted-orders.ts';

export interface FlagVerifierOptions extends Pick<AcceptedOrdersOptions, 'listingLagMs' | 'deadAfter'> {
  /** Returns the error for an ignored fill mode; `did` says how it was ignored: `let the order rest`. */
  readonly errorFor: (fillMode: FillMode, did: string) => UserError;
}

interface PlacedOrder {
  readonly action: PlaceOrder;
  readonly sent: Millis;
  answered?: Millis;
}

/** Finds orders whose flags the exchange ignored: it gets each order that is sent, and what `VenueClient.observe` gets. */
export class FlagVerifier {
  readonly #options: FlagVerifierOptions;
  /** The orders placed lately: an order takes liquidity when it arrives, or never. */
  readonly #placed = new Map<ClientOrderId, PlacedOrder>();
  /** Our orders that the last account snapshot listed. */
  #resting: ReadonlySet<ClientOrderId> = new Set();

  constructor(options: FlagVerifierOptions) {
    this.#options = options;
  }

  sent(action: PlaceOrder, at: Millis): void {
    this.#placed.set(action.clientOrderId, { action, sent: at });
  }

  /** Records when the exchange accepted an order. */
  answered({ clientOrderId }: PlaceOrder, at: Millis): void {
    const placed = this.#placed.get(clientOrderId);
    if (placed !== undefined) placed.answered = at;
  }

  /** Takes the polled events, and the outcomes of orders. Returns why no further order may be placed, or undefined. */
  observe(event: AccountEvent): UserError | undefined {
    if (event.kind === 'orderRejected') this.#placed.delete(event.clientOrderId); // it cannot trade
    if (event.kind === 'accountSeen') return this.#accountSeen(event.account);
    if (event.kind !== 'fillsSeen') return undefined;
    const hasTaken = event.fills.some((fill) => this.#isTakerOfPostOnly(fill));
    this.#forget(event.asked);
    return hasTaken ? this.#options.errorFor('POST_ONLY', 'let the order take') : undefined;
  }

  /** Returns the listed orders that were placed here. */
  ours({ orders }: Account): readonly RestingOrder[] {
    return orders.filter(({ clientOrderId = '' }) => this.#placed.has(clientOrderId) || this.#resting.has(clientOrderId));
  }

  #accountSeen(account: Account): UserError | undefined {
    const ids = this.ours(account).flatMap(({ clientOrderId = [] }) => clientOrderId);
    this.#resting = new Set(ids);
    const restsImmediate = ids.some((id) => this.#placed.get(id)?.action.fillMode === 'IMMEDIATE_OR_CANCEL');
    return restsImmediate ? this.#options.errorFor('IMMEDIATE_OR_CANCEL', 'let the order rest') : undefined;
  }

  /** True for a taker fill that only post-only orders could have made. */
  #isTakerOfPostOnly(fill: Fill): boolean {
    if (fill.role !== 'taker') return false;
    const { listingLagMs } = this.#options;
    const owners = [...this.#placed.values()].filter(({ action, sent }) => fill.time >= sent - listingLagMs && couldHaveMade(action, fill));
    return owners.length > 0 && owners.every(({ action }) => action.fillMode === 'POST_ONLY');
  }

  /** Forgets the orders whose taker fills must have been reported by now. */
  #forget(reportedUntil: Millis): void {
    for (const [clientOrderId, { sent, answered = this.#options.deadAfter(sent) * 1_000 }] of this.#placed)
      if (answered <= reportedUntil) this.#placed.delete(clientOrderId);
  }
}
