// The state of our account: orders, positions, refusals, and the agreement of fills and positions.

import type { Millis } from '../../../base/clock.ts';
import { concat } from '../../../base/collections/lists.ts';
import { unreachable } from '../../../base/errors.ts';
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
import type { ClientOrderId, MarketId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Fill, Order } from '../../domain/order.ts';
import { StatedTime } from '../market/engine-time.ts';
import { Attribution } from '../orders/attribution.ts';
import { Expiry } from '../orders/expiry.ts';
import { JudgedFills, type JudgedFillsParts } from '../orders/judged-fills.ts';
import { Orders, type OrdersOptions } from '../orders/orders.ts';
import { OutsideCancels } from '../orders/outside-cancels.ts';
import type { OtherEvidence } from '../orders/presence-records.ts';
import { LAG } from '../orders/proof.ts';
import { Holdback } from '../orders/sending/holdback.ts';
import { SendTimes } from '../orders/sending/send-times.ts';
import type { RecoveredState } from '../recovered-state.ts';
import type { Revisions } from '../revisions.ts';
import type { Fault } from '../seen.ts';
import { Agreement } from './agreement.ts';
import { Holdings } from './holdings.ts';

const NO_FILLS: readonly Fill[] = [];

/** What changes the state of our account. */
type AccountChange = AccountSeen | OrderOpened | OrderRejected | OrderUnknown | CancelAnswered | TimeSeen | TimerFired | ClockJumped;

export interface AccountStateOptions
  extends Omit<OrdersOptions, 'attribution' | 'outside'>,
    Pick<JudgedFillsParts, 'prices' | 'accounting' | 'memory'> {
  /** Seconds after which a sent order can no longer execute; `DEFAULT_ORDER_LIFE` if absent. */
  readonly orderLife?: number | undefined;
  /** True if an answer about the account is checked before it is believed: `account-binding.ts`. False by default. */
  readonly bindsAccounts?: boolean | undefined;
  /** How far an account may be behind the exchange; LAG by default, and at least that. */
  readonly accountLag?: Millis | undefined;
}

/** When the order was sent; undefined if it was found on the account, and may be older. */
const sentAtOf = (order: Order | undefined): Millis | undefined => (order?.engineThen === undefined ? undefined : order.sentAt);

export class AccountState {
  readonly orders: Orders;
  readonly outside: OutsideCancels;
  readonly judged: JudgedFills;
  readonly holdings: Holdings;
  readonly agreement: Agreement;
  readonly holdback = new Holdback();
  readonly sendTimes = new SendTimes();
  readonly engineTime = new StatedTime();
  readonly #revisions: Revisions;
  readonly #orderLife: number;
  /** How far an account may lag beyond LAG, which all proofs from accounts assume. */
  readonly #moreLag: Millis;
  /** Our fills in the events of this turn. */
  #fills = NO_FILLS;
  /** Our fills since `takeFills`. */
  #newFills = NO_FILLS;
  accountFault: Fault | undefined;
  readonly #expiry: Expiry;

  constructor(markets: readonly Market[], options: AccountStateOptions) {
    const { revisions, orderLife = DEFAULT_ORDER_LIFE, bindsAccounts = false, accountLag = LAG } = options;
    this.#orderLife = orderLife;
    this.#moreLag = Math.max(0, accountLag - LAG);
    this.#expiry = new Expiry(this.engineTime, orderLife);
    this.#revisions = revisions;
    const attribution = new Attribution();
    this.outside = new OutsideCancels(options.alarms);
    this.orders = new Orders({ ...options, attribution, outside: this.outside });
    this.judged = new JudgedFills({
      ...options,
      markets: new Map(markets.map((market) => [market.id, market])),
      attribution,
      orderOf: (id) => this.orders.find(id),
      hasOtherTerms: (market) => this.orders.termsCheck.fault(market) !== undefined,
      account: () => this.holdings.account?.value,
    });
    const orderOf = (id: ClientOrderId | undefined): Order | undefined => (id === undefined ? undefined : this.orders.find(id));
    this.agreement = new Agreement(markets, { ...options, sentAt: (fill) => sentAtOf(orderOf(attribution.orderOfFill(fill))) });
    this.holdings = new Holdings({ orders: this.orders, attribution, agreement: this.agreement, markets, revisions, bindsAccounts });
  }

  fillsIn(market: MarketId | undefined): readonly Fill[] {
    const fills = this.#fills;
    return market === undefined || fills.length === 0 ? fills : fills.filter((fill) => fill.market === market);
  }

  takeFills(): readonly Fill[] {
    const fills = this.#newFills;
    this.#newFills = NO_FILLS;
    return fills;
  }

  adopt(earlier: RecoveredState): void {
    this.sendTimes.inherit(earlier.placedAt ?? []);
    this.orders.adopt(earlier);
    this.judged.adopt(earlier.booked ?? []);
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
    if (this.#fills.length > 0) this.#revisions.markChanged('fills');
    this.#fills = NO_FILLS;
  }

  apply(event: AccountChange): void {
    this.#expiry.begin(event.at);
    switch (event.kind) {
      case 'timeSeen':
        return this.#timeSeen(event);
      case 'accountSeen':
        return this.#accountSeen(event);
      case 'orderOpened':
        return this.#applyOpened(event);
      case 'orderRejected':
        return this.#applyRejected(event);
      case 'orderUnknown':
        return this.orders.unknown(event);
      case 'cancelAnswered':
        return this.orders.cancelAnswered(event);
      case 'timerFired':
        return this.orders.reopen({ now: event.at, accountAsked: this.holdings.account?.asked ?? 0 });
      case 'clockJumped':
        return this.#expiry.jumped(event);
      default:
        unreachable(event);
    }
  }

  /** Takes a round of our trades, and returns it with the fills as they are booked. */
  filled(round: FillsSeen): FillsSeen {
    const booked = this.judged.judge(round);
    this.agreement.filled(booked);
    if (booked.fills.length > 0) this.#revisions.markChanged('fills');
    const filled = this.orders.filled(booked, this.#otherEvidence());
    this.#fills = concat(this.#fills, filled);
    this.#newFills = concat(this.#newFills, filled);
    this.holdings.filled(booked);
    this.judged.judgeClaimed(round.at);
    return booked;
  }

  #otherEvidence(): OtherEvidence {
    const { deadSince, jumpedAt } = this.#expiry;
    const { agreedAsOf, disagreedAsOf } = this.agreement;
    return { deadSince, jumpedAt, agreedAsOf, disagreedAsOf };
  }

  #timeSeen(event: TimeSeen): void {
    this.engineTime.seen(event);
    const deadAfter = event.engineSeconds + this.#orderLife;
    this.orders.setExpiry(deadAfter);
    this.orders.foreign.setExpiry(deadAfter, event.at);
  }

  /** Applies an account. As evidence about orders, an account that may lag longer than usual counts as requested that much earlier. */
  #accountSeen(event: AccountSeen): void {
    const evidence = this.#moreLag === 0 ? event : { ...event, asked: event.asked - this.#moreLag };
    this.outside.accountSeen(event);
    this.holdings.accountSeen(event, evidence);
    this.agreement.accountSeen(evidence);
    const reason = this.orders.reconcile(evidence, this.#otherEvidence());
    this.orders.foreign.compared(evidence, this.#expiry.deadSince);
    this.judged.judgeClaimed(event.at);
    this.judged.accountSeen(event.at);
    this.accountFault = reason === undefined ? undefined : { reason, since: this.accountFault?.since ?? event.at };
  }

  #applyOpened(event: OrderOpened): void {
    const order = this.orders.recall(event.clientOrderId, { at: event.at, found: 'accepted' });
    if (order !== undefined) {
      this.holdings.receiptSeen(order, event);
      this.holdback.accepted(order, event.at);
    }
    this.orders.opened(event);
    this.judged.judgeClaimed(event.at);
  }

  #applyRejected(event: OrderRejected): void {
    const order = this.orders.get(event.clientOrderId);
    const isRejected = this.orders.rejected(event);
    this.judged.judgeClaimed(event.at);
    if (isRejected && order !== undefined) this.holdback.refused(order, { at: event.at, reason: event.error });
  }
}
