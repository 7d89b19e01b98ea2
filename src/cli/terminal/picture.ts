// What the live view shows at one moment: a small model, all texts and numbers ready to be drawn.
import type { Millis } from '../../base/clock.ts';
import type { Side } from '../../domain/side.ts';

export interface Picture {
  readonly title: { readonly strategy: string; readonly exchange: string; readonly run: string };
  readonly elapsedMs: Millis;
  readonly state: RunState;
  readonly markets: readonly MarketPicture[];
  /** Undefined before the account was seen. */
  readonly account: AccountPicture | undefined;
  /** Share of the session's life that is left; undefined before there is one. */
  readonly session: { readonly leftMs: Millis; readonly share: number } | undefined;
  readonly ages: readonly StreamAge[];
  /** Why a stream is unsound. */
  readonly faults: readonly string[];
  /** Newest last. */
  readonly alarms: readonly Happening[];
  /** What is held back now, with the time since when. */
  readonly findings: readonly Happening[];
  readonly fills: readonly Happening[];
  readonly changes: readonly Happening[];
}

export type RunState = { readonly kind: 'waiting' } | { readonly kind: 'trading' } | { readonly kind: 'stopping'; readonly reason: string };

export interface MarketPicture {
  readonly symbol: string;
  /** Best first. */
  readonly book: Readonly<Record<Side, readonly LevelPicture[]>>;
  /** Nearest to the market first. */
  readonly orders: Readonly<Record<Side, readonly OrderPicture[]>>;
  /** Signed decimal text; undefined when flat. */
  readonly position: { readonly size: string; readonly entry: string; readonly pnl: string } | undefined;
}

export interface LevelPicture {
  readonly price: string;
  readonly size: string;
  /** Ours within it; undefined for none. */
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

/** One requirement against what is there for it: `imf` against `omf`. */
export interface MarginPicture {
  readonly name: 'imf' | 'cmf' | 'mmf';
  readonly against: 'omf' | 'mf';
  readonly required: string;
  readonly there: string;
  /** required ÷ there; 1 and above means that it is reached. */
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
