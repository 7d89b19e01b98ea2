// Intents: the state that a strategy desires, as resting orders or a position. An order that no intent contains any more is cancelled.

import type { Level } from './book.ts';
import type { MarketId } from './ids.ts';
import type { Lots, Ticks } from './numbers.ts';
import type { FillMode } from './order.ts';

/** These orders resting in a market; at most one quote or target a market and turn. Made by `MarketView.quote`, in ticks and lots. */
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
  /** Asks the exchange to limit its orders to closing the position, if it supports that. */
  readonly reduceOnly?: true | undefined;
}

export type ExitName = 'stop-loss' | 'trailing-stop' | 'take-profit';

/** One condition to leave a position: at a price, or at a distance from the entry (for a trailing stop from the best price since). */
export interface ExitRule {
  readonly exit: ExitName;
  /** In quote money; off the tick if the strategy says so. */
  readonly price?: number | undefined;
  /** Basis points; used if there is no price. */
  readonly bps?: number | undefined;
}

/**
 * Conditions to leave the position that is held in a market; any number of them stand beside its quote or target. Made by `MarketView.stopLoss`,
 * `trailingStop`, `takeProfit` and `bracket`.
 */
export interface Exit {
  readonly kind: 'exit';
  readonly market: MarketId;
  readonly rules: readonly ExitRule[];
  /** How far beyond the best price a triggered stop takes, in basis points. */
  readonly maxSlippageBps: number;
}

/** An intent that leads to orders: what the guards review, after the exits of the market have been applied to it. */
export type OrderIntent = Quote | Target;

/** What a strategy returns for a market. */
export type Intent = OrderIntent | Exit;
