// The data of the live view at one moment, with all texts and numbers ready to be drawn. Most of it is what the web page shows too.
import type { Millis } from '../../base/clock.ts';
import type { PageBook, PageOrder, PageStatus } from '../../monitoring/page/contract.ts';
import type { HeldText } from '../../run/state/reasons.ts';

export interface Picture {
  readonly title: { readonly strategy: string; readonly exchange: string; readonly run: string };
  /** True if it trades real money. */
  readonly live: boolean;
  /** Of the run's web page; absent if there is none. */
  readonly link?: string | undefined;
  readonly now: Millis;
  readonly elapsedMs: Millis;
  readonly status: PageStatus;
  readonly markets: readonly MarketPicture[];
  /** Profit over the whole run, oldest first. */
  readonly profits: readonly number[];
  readonly ages: readonly StreamAge[];
  /** Newest last. */
  readonly alarms: readonly Happening[];
  /** Current findings of guards, gates and inputs with their present reasons; `since` in RFC 3339. */
  readonly held: readonly (HeldText & { readonly since: string })[];
  readonly fills: readonly Happening[];
  readonly changes: readonly Happening[];
  /** What the strategy logged. */
  readonly logs: readonly Happening[];
}

export interface MarketPicture {
  readonly symbol: string;
  /** Undefined before the first book. */
  readonly book: PageBook | undefined;
  /** Undefined while a side of the book is empty. `bps` is the spread as a share of the mid price. */
  readonly top: { readonly mid: string; readonly spread: string; readonly bps: number } | undefined;
  /** All live orders of ours, nearest to the best price first on each side. */
  readonly orders: readonly PageOrder[];
  /** Mid prices of the last quarter of an hour, one a second at most, oldest first. */
  readonly prices: readonly number[];
  /** What others traded in the last minute, in base units. */
  readonly traded: string;
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
