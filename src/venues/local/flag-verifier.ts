// Verifies that the process respects the flags of orders, by its answers and by what becomes of the orders.
import type { Millis } from '../../base/clock.ts';
import { UserError } from '../../base/errors.ts';
import type { Account, RestingOrder } from '../../bot/domain/account.ts';
import type { PlaceOrder } from '../../bot/domain/action.ts';
import type { AccountEvent } from '../../bot/domain/event.ts';
import type { ClientOrderId } from '../../bot/domain/ids.ts';
import type { Fill, FillMode } from '../../bot/domain/order.ts';
import { couldHaveMade } from '../shared/accepted-orders.ts';
import type { OrderEcho } from '../wire/json/local.ts';
import { deadAfter, LISTING_LAG } from './rules.ts';

type Flag = 'postOnly' | 'ioc';

/** The flag that requests a fill mode. */
export const FLAGS: Readonly<Record<FillMode, Flag | undefined>> = {
  LIMIT: undefined,
  POST_ONLY: 'postOnly',
  IMMEDIATE_OR_CANCEL: 'ioc',
  FILL_OR_KILL: undefined,
};

interface PlacedOrder {
  readonly action: PlaceOrder;
  readonly sent: Millis;
  answered?: Millis;
}

/** `answered` and `seen` return why no further order may be placed, or undefined. */
export class FlagVerifier {
  /** The orders placed lately: an order takes liquidity when it arrives, or never. */
  readonly #placed = new Map<ClientOrderId, PlacedOrder>();
  /** Our orders that the last account snapshot listed. */
  #resting: ReadonlySet<ClientOrderId> = new Set();

  sent(action: PlaceOrder, at: Millis): void {
    this.#placed.set(action.clientOrderId, { action, sent: at });
  }

  /** Forgets a refused order, because it cannot trade. */
  refused(clientOrderId: ClientOrderId): void {
    this.#placed.delete(clientOrderId);
  }

  /** Checks the answer to an order. A flag that is missing in the answer is checked by later events. */
  answered({ clientOrderId, fillMode }: PlaceOrder, echo: OrderEcho, at: Millis): UserError | undefined {
    const placed = this.#placed.get(clientOrderId);
    if (placed !== undefined) placed.answered = at;
    const flag = FLAGS[fillMode];
    return flag === undefined || echo[flag] !== false ? undefined : flagIgnored(flag, `answered ${flag}: false`);
  }

  seen(event: AccountEvent): UserError | undefined {
    if (event.kind === 'accountSeen') return this.#accountSeen(event.account);
    if (event.kind !== 'fillsSeen') return undefined;
    const fault = event.fills.some((fill) => this.#isTakerOfPostOnly(fill)) ? flagIgnored('postOnly', 'let the order take') : undefined;
    this.#forget(event.asked);
    return fault;
  }

  /** Returns the listed orders that were placed here. */
  ours({ orders }: Account): readonly RestingOrder[] {
    return orders.filter(({ clientOrderId = '' }) => this.#placed.has(clientOrderId) || this.#resting.has(clientOrderId));
  }

  #accountSeen(account: Account): UserError | undefined {
    const ids = this.ours(account).flatMap(({ clientOrderId = [] }) => clientOrderId);
    this.#resting = new Set(ids);
    const restsImmediate = ids.some((id) => this.#placed.get(id)?.action.fillMode === 'IMMEDIATE_OR_CANCEL');
    return restsImmediate ? flagIgnored('ioc', 'let the order rest') : undefined;
  }

  /** True for a taker fill that only post-only orders could have made. */
  #isTakerOfPostOnly(fill: Fill): boolean {
    if (fill.role !== 'taker') return false;
    const owners = [...this.#placed.values()].filter(({ action, sent }) => fill.time >= sent - LISTING_LAG && couldHaveMade(action, fill));
    return owners.length > 0 && owners.every(({ action }) => action.fillMode === 'POST_ONLY');
  }

  /** Forgets the orders whose taker fills must have been reported by now. */
  #forget(reportedUntil: Millis): void {
    for (const [clientOrderId, { sent, answered = deadAfter(sent) * 1_000 }] of this.#placed)
      if (answered <= reportedUntil) this.#placed.delete(clientOrderId);
  }
}

const flagIgnored = (flag: Flag, did: string): UserError =>
  new UserError({
    code: 'ignored-flag',
    message: `POST /orders: ${flag} was requested, but the process ${did}: its order is not the approved one`,
    hint: `some versions of the process ignore a JSON boolean for ${flag} and accept only the text "true": try --set local.flagsAs=text; if that is ignored too, orders that need ${flag} cannot be traded here`,
  });
