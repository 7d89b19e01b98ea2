// What a run did: its orders with the moments at which they reached the exchange, its fills, and how long requests took.

import type { Millis } from '../../base/clock.ts';
import type { Account } from '../../domain/account.ts';
import type { PlaceOrder } from '../../domain/action.ts';
import type { Level } from '../../domain/book.ts';
import type { ActionId, ClientOrderId, MarketId, OrderId, TradeId } from '../../domain/ids.ts';
import type { Micros, Ticks } from '../../domain/numbers.ts';
import type { Fill } from '../../domain/order.ts';
import type { Finding } from '../../domain/turn.ts';

/** An action on its way. */
export interface Trip {
  /** The time of the turn that decided it. */
  readonly sentAt: Millis;
  /** When it reached the exchange: known within half of a request's time. */
  arrival: Millis;
  /** When its answer arrived; undefined if none came. */
  answeredAt?: Millis | undefined;
  /** When the turn with the answer began; later than the answer if the machine was busy. */
  heardAt?: Millis | undefined;
  /** The last look at the account before it took effect, and the first one after. */
  before: number;
  after: number;
  /** The exchange's error name, or why there was no answer. */
  failed?: string | undefined;
}

/** An order of the run. */
export interface OwnOrder extends Trip, Omit<PlaceOrder, 'kind' | 'reduceOnly'> {
  outcome: 'opened' | 'rejected' | 'unknown' | 'unanswered';
  actionId?: ActionId | undefined;
  orderId?: OrderId | undefined;
  /** What it took at once, and what rested then. */
  taken: readonly Level[];
  resting: number;
  readonly fills: Fill[];
  /** Its cancels; the last one is the one that counts. */
  readonly cancels: Trip[];
  /** The size that others were filled at its price while it rested, before its own first fill: that size was ahead of it. */
  ahead: number;
  /** When it left the book, filled or cancelled; Infinity if no poll showed that. */
  gone: Millis;
}

/** What a run did. Times are of the run's clock. */
export interface OwnRecord {
  readonly orders: ReadonlyMap<ClientOrderId, OwnOrder>;
  /** In the order of their times. */
  readonly fills: readonly Fill[];
  /** The public trades that were ours, as they were seen in the list of trades. */
  readonly listed: ReadonlySet<TradeId>;
  /** The median time from the start of a request to its answer. */
  readonly roundTrip: Millis;
  /** To be added to the exchange's times to get those of the run's clock. */
  readonly clockOffset: Millis;
  readonly turns: number;
  /** Times of the first and the last turn. */
  readonly first: Millis;
  readonly last: Millis;
  /** When each poll of the account, and each round of fills, met the exchange; in the order of the polls. */
  readonly accountLooks: readonly Millis[];
  readonly fillLooks: readonly Millis[];
  /** The account when it was first seen. */
  readonly start: Account | undefined;
  /** The last mark of each market; the index where there is none. */
  readonly marks: ReadonlyMap<MarketId, Ticks>;
  readonly funding: Micros;
  readonly findings: readonly TimedFinding[];
  /** The spans in which the books or the trades of a market could not be read. */
  readonly unseen: readonly Unseen[];
}

export interface TimedFinding extends Finding {
  readonly at: Millis;
}

export interface Unseen {
  readonly market: MarketId | undefined;
  readonly from: Millis;
  to: Millis;
}
