// The state of our account: orders, positions, refusals, and the agreement of fills and positions.
import { unreachable } from '../../base/assert.ts';
import type { Millis } from '../../base/clock.ts';
import { concat } from '../../base/collections/concat.ts';
import { type Action, DEFAULT_ORDER_LIFE } from '../../domain/action.ts';
import type {
  AccountSeen,
  CancelAnswered,
  ClockJumped,
  FillsSeen,
  OrderOpened,
  OrderRejected,
  OrderUnknown,
  TimerFired,
  TimeSeen,
} from '../../domain/event.ts';
import type { MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Fill } from '../../domain/order.ts';
import { EngineTime } from '../market/engine-time.ts';
import { Orders, type OrdersOptions } from '../orders/orders.ts';
import { Holdback } from '../orders/sending/holdback.ts';
import { SendTimes } from '../orders/sending/send-times.ts';
import type { RecoveredState } from '../recovered-state.ts';
import type { Revisions } from '../revisions.ts';
import type { Fault } from '../seen.ts';
import { Agreement } from './agreement.ts';
import { Holdings } from './holdings.ts';

const NO_FILLS: readonly Fill[] = [];

/** What changes the state of our account. */
type AccountChange =
  | AccountSeen
  | FillsSeen
  | OrderOpened
  | OrderRejected
  | OrderUnknown
  | CancelAnswered
  | TimeSeen
  | TimerFired
  | ClockJumped;

export interface AccountStateOptions extends OrdersOptions {
  /** Seconds after which a sent order can no longer execute; `DEFAULT_ORDER_LIFE` if absent. */
  readonly orderLife?: number | undefined;
}

export class AccountState {
  readonly orders: Orders;
  readonly holdings: Holdings;
  readonly agreement: Agreement;
  readonly holdback = new Holdback();
  readonly sendTimes = new SendTimes();
  readonly engineTime = new EngineTime();
  readonly #revisions: Revisions;
  readonly #orderLife: number;
  /** Our fills in the events of this turn. */
  #fills = NO_FILLS;
  accountFault: Fault | undefined;
  readonly #otherEvidence = {
    jumpedAt: 0,
    agreedAsOf: (market: MarketId): Millis | undefined => this.agreement.agreedAsOf(market),
    // Only accounts requested after a clock jump count: across a jump, the times between requests are unknown.
    passedSince: (engineSeconds: number): Millis | undefined => {
      const since = this.engineTime.passedSince(engineSeconds);
      return since === undefined ? undefined : Math.max(since, this.#otherEvidence.jumpedAt);
    },
  };

  constructor(markets: readonly Market[], options: AccountStateOptions) {
    const { revisions, orderLife = DEFAULT_ORDER_LIFE } = options;
    this.#orderLife = orderLife;
    this.#revisions = revisions;
    this.orders = new Orders(options);
    this.agreement = new Agreement(markets, options);
    this.holdings = new Holdings({ orders: this.orders, agreement: this.agreement, markets, revisions });
  }

  fillsIn(market: MarketId | undefined): readonly Fill[] {
    const fills = this.#fills;
    return market === undefined || fills.length === 0 ? fills : fills.filter((fill) => fill.market === market);
  }

  adopt(earlier: RecoveredState): void {
    this.sendTimes.inherit(earlier.placedAt ?? []);
    this.orders.adopt(earlier);
    this.agreement.adopt(earlier.baselines ?? [], earlier.newestFills ?? []);
    this.holdings.inherit(earlier.baselines ?? []);
  }

  markSent(actions: readonly Action[], at: Millis): void {
    const stamp = { at, account: this.holdings.account?.value.updateId, engine: this.engineTime.newest?.value };
    for (const action of actions) {
      if (action.kind === 'cancel') this.orders.cancelSent(action.clientOrderId, stamp);
      else this.orders.sent(action, stamp);
    }
    this.sendTimes.add(actions.filter(({ kind }) => kind === 'place').length, at);
  }

  beginTurn(): void {
    if (this.#fills.length > 0) this.#revisions.moved('fills');
    this.#fills = NO_FILLS;
  }

  apply(event: AccountChange): void {
    switch (event.kind) {
      case 'timeSeen':
        return this.#timeSeen(event);
      case 'accountSeen':
        return this.#accountSeen(event);
      case 'fillsSeen':
        return this.#filled(event);
      case 'orderOpened':
        return this.#opened(event);
      case 'orderRejected':
        return this.#rejected(event);
      case 'orderUnknown':
        return this.orders.unknown(event);
      case 'cancelAnswered':
        return this.orders.cancelAnswered(event);
      case 'timerFired':
        return this.orders.reopen({ now: event.at, accountAsked: this.holdings.account?.asked ?? 0 });
      case 'clockJumped':
        this.#otherEvidence.jumpedAt = event.at;
        return;
      default:
        unreachable(event);
    }
  }

  #timeSeen(event: TimeSeen): void {
    this.engineTime.seen(event);
    const deadAfter = event.engineSeconds + this.#orderLife;
    this.orders.setExpiry(deadAfter);
    this.orders.foreign.setExpiry(deadAfter);
  }

  #accountSeen(event: AccountSeen): void {
    this.holdings.accountSeen(event);
    this.agreement.accountSeen(event);
    const { passedSince } = this.#otherEvidence;
    const reason = this.orders.reconcile(event, this.#otherEvidence);
    this.orders.foreign.compared(event, passedSince);
    this.accountFault = reason === undefined ? undefined : { reason, since: this.accountFault?.since ?? event.at };
  }

  #filled(event: FillsSeen): void {
    this.agreement.filled(event);
    if (event.fills.length > 0) this.#revisions.moved('fills');
    this.#fills = concat(this.#fills, this.orders.filled(event, this.#otherEvidence));
    this.holdings.filled(event);
  }

  #opened(event: OrderOpened): void {
    const order = this.orders.recall(event.clientOrderId, { at: event.at, found: 'accepted' });
    if (order !== undefined) {
      this.holdings.receiptSeen(order, event);
      this.holdback.accepted(order, event.at);
    }
    this.orders.opened(event);
  }

  #rejected(event: OrderRejected): void {
    const order = this.orders.get(event.clientOrderId);
    if (this.orders.rejected(event) && order !== undefined) this.holdback.refused(order, { at: event.at, reason: event.error });
  }
}
