// The port of an exchange: a feed of market events, and a gateway for actions, whose outcomes are events.
// To add an exchange, implement `VenueClient` in `kit/venue-client.ts`: `kit/connect.ts` makes such a port of it.
import type { Observable } from 'rxjs';
import type { Millis } from '../../base/clock.ts';
import type { Account } from '../domain/account.ts';
import type { Action } from '../domain/action.ts';
import type { Candle } from '../domain/candle.ts';
import type { AccountEvent, MarketEvent } from '../domain/event.ts';
import type { AccountRef, TokenId } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';
import type { Fill } from '../domain/order.ts';
import type { PollPlan } from './kit/streams/polling.ts';

/** A token of the listing: what balances, base and quote are counted in. */
export interface Token {
  readonly tokenId: TokenId;
  readonly symbol: string;
  readonly decimals: number;
  /** Collateral weight in basis points: 10000 is 100 %. */
  readonly weightBps: number;
}

/** The state of an account before a run acts on it. */
export interface FoundAtStart {
  readonly account: AccountRef;
  /** The markets to trade. */
  readonly markets: readonly Market[];
  /** Several snapshots in a row, because a single one may be incomplete. */
  readonly accounts: readonly Account[];
}

/** Called before anything is signed for the account. Throws a UserError if the run must not act on it. */
export type Admit = (found: FoundAtStart) => void;

/** Number of account snapshots that a start reads. */
export const ACCOUNTS_AT_START = 2;

/** Returns a function that names a token by its symbol; an unlisted token by its id. */
export const nameIn =
  (tokens: readonly Token[]) =>
  (id: TokenId): string =>
    tokens.find(({ tokenId }) => tokenId === id)?.symbol ?? `token ${id}`;

/** Public data: books, trades, live info, the exchange's time. Polls only while subscribed. */
export interface Feed {
  readonly markets: readonly Market[];
  readonly tokens: readonly Token[];
  readonly events: Observable<MarketEvent>;
  /** What is polled, and how often; absent if nothing is. */
  readonly polls?: PollPlan | undefined;
  /** What the data is worth, as sentences, if that is not the same for every market of the exchange; absent if nothing is to be said. */
  readonly quality?: string | undefined;
}

/** One account: its events, and the only way to act on it. */
export interface Gateway {
  readonly account: AccountRef;
  readonly events: Observable<AccountEvent>;
  /**
   * Sends each action once: all cancels first, then the placements once every cancel is answered or timed out. Outcomes arrive as events. An action
   * without a definite answer becomes `orderUnknown` or an unknown `cancelAnswered`, and the gateway never sends it again.
   */
  submit(actions: readonly Action[]): void;
  close(): Promise<void>;
}

/** The time limits that an exchange guarantees. */
export interface VenueRules {
  /** Seconds after which a sent order can no longer execute, on the exchange clock that the feed reports. */
  readonly orderLife: number;
  /**
   * What proves an order with an id of its own absent. `accounts`: accounts that lack it, and our trades; for an exchange whose accounts cannot be
   * wrong. `asked`, by default: a cancel of it too, answered with cancelled or not found.
   */
  readonly absence?: 'accounts' | 'asked' | undefined;
  /** The longest time that an account may be behind the exchange; 2 s by default, which shorter times count as. */
  readonly accountLag?: Millis | undefined;
}

/** A request for the finished candles of one market before a time. */
export interface CandleRequest {
  readonly market: Market;
  readonly span: Millis;
  /** Number of newest candles. */
  readonly count: number;
  readonly until: Millis;
}

/** Finished candles of one market and one length. */
export interface PastCandles {
  /** Length of the candles: the requested one, or one that divides it. */
  readonly span: Millis;
  /** Oldest first; fewer than requested if there are no more. */
  readonly candles: readonly Candle[];
}

/** An exchange to which a run is connected: its data, and one account. */
export interface Venue {
  readonly feed: Feed;
  readonly gateway: Gateway;
  /** `DEFAULT_ORDER_LIFE` if absent. */
  readonly rules?: VenueRules | undefined;
  /** True if the exchange is in this process, so that its answers are never wrong. */
  readonly isInProcess?: boolean | undefined;
  /** The time of the clock that an exchange in this process left out because the process was too busy; absent if it cannot be. */
  readonly timeSkipped?: (() => Millis) | undefined;
  /** The exchange's time when it was last read before this object was made; absent if the exchange does not report it. */
  readonly connectedAt?: Millis | undefined;
  /**
   * Says which of our trades must be read again, as they were reported; replaces an earlier call. A trade that is listed with another price or fee is
   * reported again. `inEach`: each read includes them; otherwise only some reads include older ones. Absent if trades cannot change.
   */
  readonly readAgain?: ((trades: readonly Fill[], options: { readonly inEach: boolean }) => void) | undefined;
  /** Reads past candles in one answer; absent if the exchange has none. An observable can answer at an exact time of a virtual clock. */
  readonly history?: ((asked: CandleRequest) => Promise<PastCandles> | PastCandles | Observable<PastCandles>) | undefined;
}

/** The public data of an exchange without an account: nothing can be placed. `close` ends its events. */
export interface PublicFeed extends Feed {
  readonly history: (asked: CandleRequest) => Promise<PastCandles>;
  close(): void;
}

/** The log of an adapter; a pino logger implements it. */
export interface AdapterLog {
  info(message: string): void;
  warn(message: string): void;
}
