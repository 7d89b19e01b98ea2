// Intents: the state that a strategy desires, as resting orders or a position. An order that no intent contains any more is cancelled.

import type { Level } from './book.ts';
import type { MarketId } from './ids.ts';
import type { Lots, Ticks } from './numbers.ts';
import type { FillMode } from './order.ts';

/** These orders resting in a market; at most one intent a market and turn. Made by `MarketView.quote`, in ticks and lots. */
export interface Quote {
  readonly kind: 'quote';
  readonly market: MarketId;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** A resting order within this many ticks of a desired level is left where it is. */
  readonly slack: Ticks;
  readonly fillMode: Extract<FillMode, 'LIMIT' | 'POST_ONLY'>;
}

/** This position, reached by taking from the book at `limit` or better. Made by `MarketView.target`, in ticks and lots. */
export interface Target {
  readonly kind: 'target';
  readonly market: MarketId;
  readonly position: Lots;
  readonly limit: Ticks;
}

/** What a strategy returns for a market. */
export type Intent = Quote | Target;
