// Intents: the state that a strategy desires, as resting orders or a position. An order that no intent contains any more is cancelled.

import type { Level } from './book.ts';
import type { MarketId } from './ids.ts';
import type { Lots, Ticks } from './numbers.ts';
import type { FillMode } from './order.ts';

/** The desired resting orders in a market; at most one quote or target per market and turn. Made by `MarketView.quote`, in ticks and lots. */
export interface Quote {
  readonly kind: 'quote';
  readonly market: MarketId;
  readonly bids: readonly Level[];
  readonly asks: readonly Level[];
  /** A resting order within this many ticks of a desired level is kept. */
  readonly slack: Ticks;
  readonly fillMode: Extract<FillMode, 'LIMIT' | 'POST_ONLY'>;
  /** Set if a level was left out because its size is below one lot. */
  readonly belowLot?: true | undefined;
}

/** The desired position, reached by taking from the book at `limit` or better. Made by `MarketView.target`, in ticks and lots. */
export interface Target {
  readonly kind: 'target';
  readonly market: MarketId;
  readonly position: Lots;
  readonly limit: Ticks;
  /** Asks the exchange to limit its orders to closing the position, if it supports that. */
  readonly reduceOnly?: true | undefined;
  /** Set if the position is 0 because the wanted one is below one lot. */
  readonly belowLot?: true | undefined;
}

export type ExitName = 'stop-loss' | 'trailing-stop' | 'take-profit';

/** One condition to leave a position: at a price, or at a distance from the entry (for a trailing stop from the best price since). */
export interface ExitRule {
  readonly exit: ExitName;
  /** In quote money; need not be on the tick. */
  readonly price?: number | undefined;
  /** Basis points; used if there is no price. */
  readonly bps?: number | undefined;
}

/**
 * Conditions to leave the position held in a market; any number of them may accompany its quote or target. Made by `MarketView.stopLoss`,
 * `trailingStop`, `takeProfit` and `bracket`.
 */
export interface Exit {
  readonly kind: 'exit';
  readonly market: MarketId;
  readonly rules: readonly ExitRule[];
  /** Maximum distance beyond the best price at which a triggered stop takes, in basis points. */
  readonly maxSlippageBps: number;
}

/** The `maxSlippageBps` of an exit that names none. */
export const EXIT_SLIPPAGE_BPS = 50;

/** An intent that leads to orders. The guards review it after the exits of the market have been applied. */
export type OrderIntent = Quote | Target;

/** An intent of a strategy for a market. */
export type Intent = OrderIntent | Exit;
