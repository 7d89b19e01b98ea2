// The data of the live view at one moment, formatted for display. Most of it is shared with the web page.
import type { Millis } from '../../base/clock.ts';
import type { HeldText } from '../../bot/run/state/reasons.ts';
import type { PageBook, PageOrder, PageStatus } from '../monitoring/page/contract.ts';

export interface ViewModel {
  readonly title: { readonly strategy: string; readonly exchange: string; readonly run: string };
  /** True if it trades real money. */
  readonly live: boolean;
  /** Link to the run's web page; absent if there is none. */
  readonly link?: string | undefined;
  readonly now: Millis;
  /** Since the start of the run. */
  readonly elapsedMs: Millis;
  readonly status: PageStatus;
  readonly markets: readonly MarketViewModel[];
  /** Profit over the whole run, oldest first. */
  readonly profits: readonly number[];
  readonly ages: readonly StreamAge[];
  /** Newest last. */
  readonly alarms: readonly EventLine[];
  /** Findings of guards, gates and inputs that hold now, with current reasons; `since` in RFC 3339. */
  readonly held: readonly (HeldText & { readonly since: string })[];
  readonly fills: readonly EventLine[];
  readonly changes: readonly EventLine[];
  /** The log of the strategy. */
  readonly logs: readonly EventLine[];
}

export interface MarketViewModel {
  readonly symbol: string;
  /** Undefined before the first book. */
  readonly book: PageBook | undefined;
  /** Undefined while a side of the book is empty. `bps` is the spread in basis points of the mid price. */
  readonly top: { readonly mid: string; readonly spread: string; readonly bps: number } | undefined;
  /** All our live orders, nearest to the best price first on each side. */
  readonly orders: readonly PageOrder[];
  /** Mid prices of the last 15 minutes, at most one per second, oldest first. */
  readonly prices: readonly number[];
  /** Volume traded by others in the last minute, in base units. */
  readonly traded: string;
}

export interface StreamAge {
  readonly stream: string;
  /** Undefined before the first answer. */
  readonly ageMs: Millis | undefined;
}

export interface EventLine {
  /** RFC 3339. */
  readonly at: string;
  readonly text: string;
}
