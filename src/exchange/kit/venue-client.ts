// The interface of an exchange's client, in domain types: `connectVenue` makes a venue of it.
import type { Account } from '../../domain/account.ts';
import type { CancelOrder, PlaceOrder } from '../../domain/action.ts';
import type { Book } from '../../domain/book.ts';
import type { LiveInfo, OrderOpened } from '../../domain/event.ts';
import type { ActionId, UpdateId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Fill, Trade } from '../../domain/order.ts';
import type { CandleRequest, PastCandles, Token, VenueRules } from '../port.ts';
import type { PushSource } from './streams/push.ts';

export interface VenueListing {
  /** All that the exchange lists. */
  readonly markets: readonly Market[];
  readonly tokens: readonly Token[];
}

/** A snapshot without `updateId`, from an exchange that does not number them; the kit then counts them. */
export type Unnumbered<T extends { readonly updateId: UpdateId }> = Omit<T, 'updateId'> & { readonly updateId?: UpdateId | undefined };

/** An order that the exchange accepted. */
export interface PlaceReceipt extends Pick<OrderOpened, 'orderId' | 'taken' | 'resting'> {
  /** The action id that the order's fills have; the client order id if the exchange has no action ids. */
  readonly actionId?: ActionId | undefined;
}

/**
 * Each call makes one attempt and rejects with a `ClientError`, whose kind shows what the failure proves. An invalid reply is a `shape` error. Pages
 * are newest first; their items must have ids.
 */
export interface VenueClient {
  /** Name for messages: `the exchange`. */
  readonly name: string;
  readonly rules: ClientRules;
  listing(): Promise<VenueListing>;
  book(market: Market): Promise<Unnumbered<Book>>;
  /** Live info, one for each of `markets`. */
  live(markets: readonly Market[]): Promise<readonly LiveInfo[]>;
  /** Public trades. `since` is exchange time; older ones may be included. */
  trades(market: Market, since: number | undefined): AsyncIterable<readonly Trade[]>;
  account(markets: readonly Market[]): Promise<Unnumbered<Account>>;
  /** Finished candles; if absent, they are made of the public trades. */
  candles?(asked: CandleRequest): Promise<PastCandles>;
  /** Our own trades in all markets. */
  fills(markets: readonly Market[], since: number | undefined): AsyncIterable<readonly Fill[]>;
  place(order: PlaceOrder, market: Market): Promise<PlaceReceipt>;
  /** `queued`: the exchange has accepted the cancel and may execute it later. */
  cancel(order: CancelOrder, market: Market): Promise<'cancelled' | 'queued'>;
  /** Returns the exchange's time in whole seconds; if absent, our clock is used. */
  readonly clock?: (() => Promise<number>) | undefined;
  /** Opens a socket that reports books and fills earlier than the polls. */
  push?(markets: readonly Market[]): PushSource;
  /** Returns what a person can do about an error during the start. */
  hintFor(this: void, error: unknown): string;
}

/** The part of a client that needs no account. */
export type PublicClient = Pick<VenueClient, 'name' | 'rules' | 'listing' | 'book' | 'live' | 'trades' | 'candles' | 'clock' | 'hintFor'>;

export interface ClientRules extends VenueRules {
  /** Timeout of the answer to an order or a cancel, in milliseconds. A later answer still counts. */
  readonly answerTimeoutMs: number;
  /** Maximum delay of a list behind execution, in milliseconds. */
  readonly listingLagMs: number;
}
