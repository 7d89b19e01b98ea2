// The interface of an exchange's client, in domain types: `connectVenue` makes a venue of it.
import type { Observable } from 'rxjs';
import type { Clock, Millis } from '../../../base/clock.ts';
import type { UserError } from '../../../base/errors.ts';
import type { Rng } from '../../../base/rng.ts';
import type { SeenAnswer } from '../../../base/streams/answer.ts';
import type { Account, RestingOrder } from '../../domain/account.ts';
import type { Action, CancelOrder, PlaceOrder } from '../../domain/action.ts';
import type { Book } from '../../domain/book.ts';
import type { Candle } from '../../domain/candle.ts';
import type { AccountEvent, LiveInfo, OrderOpened } from '../../domain/event.ts';
import type { AccountRef, ActionId, MarketId, UpdateId } from '../../domain/ids.ts';
import type { Market } from '../../domain/market.ts';
import type { Fill, Trade } from '../../domain/order.ts';
import type { AdapterLog, CandleRequest, PastCandles, Token, VenueRules } from '../port.ts';
import type { SealedAction } from './sending/outgoing.ts';
import type { Retry } from './start-retries.ts';
import type { StreamTools } from './streams/market-streams.ts';
import type { OwnCount } from './streams/own-counts.ts';
import type { PollLimits } from './streams/polling.ts';

/** The markets and the tokens of an exchange. */
export interface VenueListing {
  /** All markets of the exchange. A client that was made for named markets returns only these, under the names given. */
  readonly markets: readonly Market[];
  readonly tokens: readonly Token[];
}

/** A snapshot without `updateId`, from an exchange that does not number them; the kit then counts them. */
export type Unnumbered<T extends { readonly updateId: UpdateId }> = Omit<T, 'updateId'> & { readonly updateId?: UpdateId | undefined };

/** An account, and what its reply counts; no counts if the exchange states none. */
export type ReadAccount = Unnumbered<Account> & { readonly counts?: readonly OwnCount[] | undefined };

/** The fees of an account, as fractions, and the higher of them. */
export type AccountFees = Pick<Account, 'feeRate' | 'fees' | 'feeRange'>;

/** A list of trades, read page by page, newest first. */
export interface TradePages<T> {
  /** The request, for messages: `GET /trades`. */
  readonly what: string;
  /** True if the exchange gives its trades no ids, so that the client made ids of their content. */
  readonly withoutIds?: boolean | undefined;
  /** `since` is exchange time; older trades may be included. */
  pages(since: Millis | undefined): AsyncIterable<readonly T[]>;
}

/** A list of our own trades. */
export interface FillPages extends TradePages<Fill> {
  /** True if the list can contain a fill of this role in this market; a field that is not known is left out. Absent if the list contains all our fills. */
  has?(fill: Partial<Pick<Fill, 'role' | 'market'>>): boolean;
}

/** The exchange's clock. */
export interface VenueClock {
  /** Reads the exchange's time, in whole seconds. */
  read(): Promise<number>;
  /** The newest reading, and the local time of its request. Read at least once before. */
  latest(): { readonly seconds: number; readonly asked: Millis };
  /** The Date headers of the answers, with which the readings are compared; absent if there are none. */
  readonly dates?: StreamTools['dates'];
}

/** An order that the exchange accepted. */
export interface PlaceReceipt extends Pick<OrderOpened, 'orderId' | 'taken' | 'resting'> {
  /** The action id that the order's fills have; the client order id if the exchange has no action ids. */
  readonly actionId?: ActionId | undefined;
}

/**
 * `queued`: the exchange has accepted the cancel and may execute it later. `accepted`: it has accepted the order, and the client emits in `events` what
 * became of it.
 */
export type ActionResult = PlaceReceipt | 'cancelled' | 'queued' | 'accepted';

/** An action that is ready to be sent, or the reason why it cannot be sent. */
export type PreparedAction =
  | {
      readonly kind: 'ready';
      readonly action: Action;
      /** Written ahead of sending. */
      readonly record: SealedAction;
      /** Exchange time in seconds after which the action can no longer execute. */
      readonly deadAfter: number;
      /** How long it may still be executed, by our clock. */
      readonly life: Millis;
      /** Sends it; called at most once. Rejects with a `ClientError`, whose kind shows what the failure proves. */
      send(): Promise<ActionResult>;
    }
  | { readonly kind: 'unsent'; readonly action: Action; readonly reason: string };

/** What is known when actions are prepared. */
export interface PrepareContext {
  /** The latest second that the exchange's clock may show when the actions are sent. */
  readonly latestSecond: number;
  marketOf(this: void, id: MarketId): Market;
}

/** The books of a market that a socket sends. */
export interface EarlyBooks {
  /** The books. `asked` is the request time of the last poll whose book was not newer, so a book may be younger than it says, but never older. */
  readonly pushed: Observable<SeenAnswer<Book>>;
  /** Must get every polled book. */
  readonly observe: (seen: SeenAnswer<Book>) => void;
}

/** Events from a socket, earlier than by polling. */
export interface VenueStreams {
  booksOf(market: Market): Pick<EarlyBooks, 'pushed'> & Partial<EarlyBooks>;
  /** Public trades of a market, each list oldest first. Trades that were listed before are dropped by their ids. */
  tradesOf?(market: Market): Observable<readonly Trade[]>;
  /** Live info of some of the markets. */
  readonly infos?: Observable<SeenAnswer<readonly LiveInfo[]>> | undefined;
  /** Our fills. */
  readonly fills?: Observable<Fill> | undefined;
  /** Emits after each action of the account, so that it is polled at once. */
  readonly changed?: Observable<unknown> | undefined;
}

/** What a socket is opened with. */
export interface StreamContext {
  readonly clock: Clock;
  readonly rng: Rng;
  readonly log: AdapterLog;
}

/** Something that the exchange did and that was not approved. Nothing more is placed, our orders are cancelled, and the run ends with the error. */
export interface VenueFault {
  readonly error: UserError;
  /** Returns our orders in an account. */
  ours(this: void, account: Account): readonly RestingOrder[];
}

/** Each call makes one attempt and rejects with a `ClientError`, or with another Error for a reply whose values are invalid. */
export interface PublicClient {
  /** Name for messages: `the exchange`. */
  readonly name: string;
  readonly rules: ClientRules;
  listing(): Promise<VenueListing>;
  /** Adds to a market that is traded what the listing lacks, such as its kind; absent if the listing is complete. Makes each request with `retry`. */
  completed?(market: Market, retry: Retry): Promise<Market>;
  /**
   * Returns a function that reads how the markets have changed since the start; unchanged markets are left out. If absent, `listing` is compared with
   * the markets.
   */
  changesOf?(markets: readonly Market[]): () => Promise<ReadonlyMap<MarketId, string>>;
  book(market: Market): Promise<Unnumbered<Book>>;
  /** Live info, one for each of `markets`. */
  live(markets: readonly Market[]): Promise<readonly LiveInfo[]>;
  /** Public trades of a market. */
  trades(market: Market): TradePages<Trade>;
  /** Finished candles; if absent, they are made of the public trades. */
  candles?(asked: CandleRequest): Promise<PastCandles>;
  /** The newest finished minute candles of a market, oldest first, polled; if absent, the world makes candles of mark prices. */
  minutes?(market: Market): Promise<readonly Candle[]>;
  /** Reads what other calls return and changes seldom. */
  readonly refresh?: { readonly everyMs: Millis; ask(this: void): Promise<void> };
  /** If absent, our clock is used. */
  readonly clock?: VenueClock | undefined;
  /** Returns what a person can do about an error during the start. */
  hintFor(this: void, error: unknown): string;
}

/** The client of one account. */
export interface VenueClient extends PublicClient {
  /** Returns the account; undefined if the exchange has none yet and `open` may create it. Called again after `open` in that case. */
  owner(): Promise<AccountRef | undefined>;
  /** Opens what signing needs, such as a session. Called once the account was checked, or before if there is none. */
  open?(): Promise<void>;
  account(markets: readonly Market[]): Promise<ReadAccount>;
  /** The fee rates of the account, if its snapshots have none. Read at the start and each half minute. */
  fees?(): Promise<AccountFees>;
  /** The lists of our own trades in all markets; a round reads all of them. */
  fills(markets: readonly Market[]): readonly FillPages[];
  /** Prepares approved actions; nothing is sent. */
  prepare(actions: readonly Action[], context: PrepareContext): readonly PreparedAction[];
  /** Asks for this one order, independently of the account's list. Returns true if it is shown open. Absent if the exchange has no such read. */
  isOpen?(order: CancelOrder): Promise<boolean>;
  /**
   * Asks about an order whose answer is missing. `absent`: it was not admitted, and no copy of it ever can be. `admitted`: some copy was. `unknown`, or a
   * ClientError: nothing is known yet, and it is called again. Absent if the exchange has no request that proves this.
   */
  settle?(order: PlaceOrder): Promise<'absent' | 'admitted' | 'unknown'>;
  /** Called before each polled event of the account is emitted, and after each outcome of a sent action was emitted. */
  observe?(event: AccountEvent): void;
  /** Further events of the account, such as those of a session. An error ends the run. */
  readonly events?: Observable<AccountEvent> | undefined;
  readonly faults?: Observable<VenueFault> | undefined;
  /** Opens a socket that reports books and fills earlier than the polls. */
  streams?(markets: readonly Market[], context: StreamContext): VenueStreams;
  /** Ends what `open` has started. */
  close?(): void;
}

/** The time limits of an exchange, and how its lists and numbers behave. */
export interface ClientRules extends VenueRules {
  /** Timeout of the answer to an order or a cancel, in milliseconds. A later answer still counts. */
  readonly answerTimeoutMs: Millis;
  /** Maximum delay of a list behind execution. */
  readonly listingLagMs: Millis;
  /**
   * How late our trades may be listed in bad times. If set, each round reads our trades again this far back, and new ones are taken to
   * have happened after the time of the newest of them, if that is before the last round.
   */
  readonly lateTradesMs?: Millis | undefined;
  /** How a changed book or account is recognised: by the number of its snapshot, or only by its content. */
  readonly revision: 'number' | 'content';
  /** How long number or content may stay the same although it must have changed, before the data counts as stuck. */
  readonly maxUnchangedMs: Millis;
  /** What the exchange allows to poll; the intervals of the configuration are lengthened to it. */
  readonly polling?: PollLimits | undefined;
}
