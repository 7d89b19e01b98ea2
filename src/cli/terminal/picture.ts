// The data of the live view at one moment, with all texts and numbers ready to be drawn.
import type { Millis } from '../../base/clock.ts';
import type { Side } from '../../domain/side.ts';

export interface Picture {
  readonly title: { readonly strategy: string; readonly exchange: string; readonly run: string };
  /** Of the run's web page; absent if there is none. */
  readonly link?: string | undefined;
  readonly elapsedMs: Millis;
  readonly state: RunState;
  readonly markets: readonly MarketPicture[];
  /** Undefined before the first account. */
  readonly account: AccountPicture | undefined;
  /** Time left of the session, and as a share of its life; undefined before it is open. */
  readonly session: { readonly leftMs: Millis; readonly share: number } | undefined;
  readonly ages: readonly StreamAge[];
  /** Why a stream is unhealthy. */
  readonly faults: readonly string[];
  /** Newest last. */
  readonly alarms: readonly Happening[];
  /** Current findings of guards and gates, with the time each began. */
  readonly findings: readonly Happening[];
  readonly fills: readonly Happening[];
  readonly changes: readonly Happening[];
  /** What the strategy logged. */
  readonly logs: readonly Happening[];
}

export type RunState = { readonly kind: 'waiting' } | { readonly kind: 'trading' } | { readonly kind: 'stopping'; readonly reason: string };

export interface MarketPicture {
  readonly symbol: string;
  /** Best first. */
  readonly book: Readonly<Record<Side, readonly LevelPicture[]>>;
  /** Nearest to the best price first. */
  readonly orders: Readonly<Record<Side, readonly OrderPicture[]>>;
  /** Signed decimal text; undefined when flat. */
  readonly position: { readonly size: string; readonly entry: string; readonly pnl: string } | undefined;
}

export interface LevelPicture {
  readonly price: string;
  readonly size: string;
  /** Our size in this level; undefined if none. */
  readonly own: string | undefined;
}

export interface OrderPicture {
  readonly side: Side;
  readonly price: string;
  readonly remaining: string;
  readonly status: string;
}

export interface AccountPicture {
  readonly equity: string;
  readonly pnl: string;
  readonly margins: readonly MarginPicture[];
}

/** A margin requirement and the amount that must exceed it: `imf` and `omf`. */
export interface MarginPicture {
  readonly name: 'imf' | 'cmf' | 'mmf';
  readonly against: 'omf' | 'mf';
  readonly required: string;
  readonly there: string;
  /** required ÷ there; 1 or more means that the limit is reached. */
  readonly share: number;
}

export interface StreamAge {
  readonly stream: string;
  /** Undefined before the first answer. */
  readonly ageMs: Millis | undefined;
}

export interface Happening {
  /** RFC 3339. */
  readonly at: string;
  readonly text: string;
}
