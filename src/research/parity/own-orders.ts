// The record of a run: its orders with their arrival times at the exchange, its fills, and the durations of requests.

import type { Millis } from '../../base/clock.ts';
import type { Account } from '../../bot/domain/account.ts';
import type { PlaceOrder } from '../../bot/domain/action.ts';
import type { Level } from '../../bot/domain/book.ts';
import type { ActionId, ClientOrderId, MarketId, OrderId, TradeId } from '../../bot/domain/ids.ts';
import type { Micros, Ticks } from '../../bot/domain/numbers.ts';
import type { Fill } from '../../bot/domain/order.ts';
import type { Finding } from '../../bot/domain/turn.ts';

/** The trip of an action to the exchange and back. */
export interface ActionTrip {
  /** The time of the turn that decided it. */
  readonly sentAt: Millis;
  /** When the action reached the exchange, accurate to half a round trip. */
  arrival: Millis;
  /** When its answer arrived; undefined if none came. */
  answeredAt?: Millis | undefined;
  /** When the turn with the answer began; later than the answer if the machine was busy. */
  handledAt?: Millis | undefined;
  /** Indices of the last poll of the account before the action took effect, and of the first one after; NONE if there is none. */
  before: number;
  after: number;
  /** The exchange's error name, or why there was no answer. */
  failed?: string | undefined;
}

/** An order of the run. */
export interface RunOrder extends ActionTrip, Omit<PlaceOrder, 'kind' | 'reduceOnly'> {
  outcome: 'opened' | 'rejected' | 'unknown' | 'unanswered';
  actionId?: ActionId | undefined;
  orderId?: OrderId | undefined;
  /** `taken`: the levels executed at once; `resting`: the size that then rested. */
  taken: readonly Level[];
  resting: number;
  readonly fills: Fill[];
  /** Its cancels; the last one counts. */
  readonly cancels: ActionTrip[];
  /** The size filled at its price while it rested, before its own first fill: that size was ahead of it. */
  ahead: number;
  /** When the order left the book, filled or cancelled; Infinity if no poll showed that. */
  gone: Millis;
}

/** The record of a run. Times are by the run's clock. */
export interface OwnRecord {
  readonly orders: ReadonlyMap<ClientOrderId, RunOrder>;
  /** In the order of their times. */
  readonly fills: readonly Fill[];
  /** Our trades that appeared in the public list of trades. */
  readonly listed: ReadonlySet<TradeId>;
  /** The median time from the start of a request to its answer. */
  readonly roundTrip: Millis;
  /** To be added to the exchange's times to get those of the run's clock. */
  readonly clockOffset: Millis;
  readonly turns: number;
  /** Times of the first and the last turn. */
  readonly first: Millis;
  readonly last: Millis;
  /** When each poll of the account and each poll of our fills read the exchange; in the order of the polls. */
  readonly accountReadTimes: readonly Millis[];
  readonly fillReadTimes: readonly Millis[];
  /** The account when it was first seen. */
  readonly start: Account | undefined;
  /** The last mark of each market, or the index if there is none. */
  readonly marks: ReadonlyMap<MarketId, Ticks>;
  readonly funding: Micros;
  /** The change of the run's profit in this process. */
  readonly profit: Micros;
  readonly findings: readonly TimedFinding[];
  /** The times in which the books or the trades of a market could not be read. */
  readonly dataGaps: readonly DataGap[];
}

export interface TimedFinding extends Finding {
  readonly at: Millis;
}

export interface DataGap {
  readonly market: MarketId | undefined;
  readonly from: Millis;
  to: Millis;
}
