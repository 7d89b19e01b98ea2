// The exchange as the engine knows it: a feed of what is, a gateway for what we do, and nothing that returns.
// To add an exchange, implement `VenueClient` in `kit/venue-client.ts`: `kit/connect.ts` makes such a port of it.
import type { Observable } from 'rxjs';
import type { Millis } from '../base/clock.ts';
import type { Account } from '../domain/account.ts';
import type { Action } from '../domain/action.ts';
import type { Candle } from '../domain/candle.ts';
import type { AccountEvent, MarketEvent } from '../domain/event.ts';
import type { AccountRef, TokenId } from '../domain/ids.ts';
import type { Market } from '../domain/market.ts';

export interface Token {
  readonly tokenId: TokenId;
  readonly symbol: string;
  readonly decimals: number;
  /** Collateral weight in basis points: 10000 is 100 %. */
  readonly weightBps: number;
}

/** What is found of an account before a run acts on it. */
export interface FoundAtStart {
  readonly account: AccountRef;
  /** Those to trade. */
  readonly markets: readonly Market[];
  /** As several looks in a row showed it: one alone may be incomplete. */
  readonly accounts: readonly Account[];
}

/** Called before anything is signed for the account. Throws a UserError where the run must not act on it. */
export type Admit = (found: FoundAtStart) => void;

/** How many looks a start takes. */
export const LOOKS_AT_START = 2;

/** Names tokens as they are listed; one that is not listed by its number. */
export const nameIn =
  (tokens: readonly Token[]) =>
  (id: TokenId): string =>
    tokens.find(({ tokenId }) => tokenId === id)?.symbol ?? `token ${id}`;

/** Public data: books, trades, live info, engine time. Polls only while subscribed. */
export interface Feed {
  readonly markets: readonly Market[];
  readonly tokens: readonly Token[];
  readonly events: Observable<MarketEvent>;
}

/** One account: what happens to it, and the only way to act on it. */
export interface Gateway {
  readonly account: AccountRef;
  readonly events: Observable<AccountEvent>;
  /**
   * Sends each action once: all cancels first, then, when every cancel is answered or given up, the placements. What comes of them arrives as
   * events; an action that gets no definite answer becomes `orderUnknown` or an unknown `cancelAnswered`, and is never sent again from here.
   */
  submit(actions: readonly Action[]): void;
  close(): Promise<void>;
}

/** What an exchange guarantees about time. */
export interface VenueRules {
  /** Seconds, on the clock that the feed reports as the exchange's, after which an order that was sent can never execute any more. */
  readonly orderLife: number;
}

/** Finished candles of one market from before a moment. */
export interface CandlesAsked {
  readonly market: Market;
  readonly span: Millis;
  /** How many of the newest. */
  readonly count: number;
  readonly until: Millis;
}

export interface PastCandles {
  /** The length of each: the one that was asked for, or one that divides it. */
  readonly span: Millis;
  /** Oldest first; fewer than asked for if there are no more. */
  readonly candles: readonly Candle[];
}

export interface Venue {
  readonly feed: Feed;
  readonly gateway: Gateway;
  /** `USUAL_ORDER_LIFE` if absent. */
  readonly rules?: VenueRules | undefined;
  /** Reads candles of the past, in one answer; absent if there are none. An observable may answer at an exact moment of a virtual clock. */
  readonly history?: ((asked: CandlesAsked) => Promise<PastCandles> | PastCandles | Observable<PastCandles>) | undefined;
}

/** The public data of an exchange without an account: nothing can be placed. `close` ends its events. */
export interface PublicFeed extends Feed {
  readonly history: (asked: CandlesAsked) => Promise<PastCandles>;
  close(): void;
}
