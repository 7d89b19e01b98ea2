// What an exchange's own client has to offer, in the nouns of the domain: `connectVenue` makes a venue of it.
import type { Account } from '../../domain/account.ts';
import type { CancelOrder, PlaceOrder } from '../../domain/action.ts';
import type { Book } from '../../domain/book.ts';
import type { LiveInfo, OrderOpened } from '../../domain/event.ts';
import type { ActionId, UpdateId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Fill, Trade } from '../../domain/order.ts';
import type { Token, VenueRules } from '../port.ts';
import type { PushSource } from './streams/push.ts';

export interface VenueListing {
  /** All that the exchange lists. */
  readonly markets: readonly Market[];
  readonly tokens: readonly Token[];
}

/** Snapshots of an exchange that does not number them have no `updateId`; they are counted here. */
export type Unnumbered<T extends { readonly updateId: UpdateId }> = Omit<T, 'updateId'> & { readonly updateId?: UpdateId | undefined };

/** An order that the exchange accepted. */
export interface PlaceReceipt extends Pick<OrderOpened, 'orderId' | 'taken' | 'resting'> {
  /** What its fills name as the action that they come from; its client order id if the exchange has no such id. */
  readonly actionId?: ActionId | undefined;
}

/**
 * Each call makes one attempt and rejects with a `ClientError`, whose kind says what is proved by it. A reply that makes no sense is a `shape` error.
 * Pages are newest first; items without ids do not fit here.
 */
export interface VenueClient {
  /** For a person: `the exchange`. */
  readonly name: string;
  readonly rules: ClientRules;
  listing(): Promise<VenueListing>;
  book(market: Market): Promise<Unnumbered<Book>>;
  /** One for each of `markets`. */
  live(markets: readonly Market[]): Promise<readonly LiveInfo[]>;
  /** Public trades. `since` is exchange time; older ones may be included. */
  trades(market: Market, since: number | undefined): AsyncIterable<readonly Trade[]>;
  account(markets: readonly Market[]): Promise<Unnumbered<Account>>;
  /** Our own trades in all markets. */
  fills(markets: readonly Market[], since: number | undefined): AsyncIterable<readonly Fill[]>;
  place(order: PlaceOrder, market: Market): Promise<PlaceReceipt>;
  /** `queued`: the exchange has accepted the cancel and may execute it later. */
  cancel(order: CancelOrder, market: Market): Promise<'cancelled' | 'queued'>;
  /** The exchange's own time in whole seconds; our own clock counts if absent. */
  readonly clock?: (() => Promise<number>) | undefined;
  /** A socket that reports books and fills sooner than the polls do. */
  push?(markets: readonly Market[]): PushSource;
  /** What a person can do about an error of a start. */
  hintFor(this: void, error: unknown): string;
}

export interface ClientRules extends VenueRules {
  /** How long an answer to an order or a cancel is waited for, in milliseconds. A later answer still counts. */
  readonly patienceMs: number;
  /** How late a list may show what was executed, in milliseconds. */
  readonly listingLagMs: number;
}
