// The interface between the exchange and its other traders in one step.
import type { Millis } from '../../../base/clock.ts';
import type { Rng } from '../../../base/rng.ts';
import type { Side } from '../../../bot/domain/book.ts';
import type { Market } from '../../../bot/domain/market.ts';
import type { Lots, Ticks } from '../../../bot/domain/numbers.ts';
import type { FillMode } from '../../../bot/domain/order.ts';

/** The exchange's interface to one market's flow. A trader is a number below the flow's `traderCount`, with its own account. */
export interface FlowPort {
  /** Exchange time of the step. */
  readonly now: Millis;
  readonly market: Market;
  best(side: Side): Ticks | undefined;
  /** Returns the resting order's id; undefined if nothing rests, because the order was filled, missed or refused. */
  place(order: { trader: number; side: Side; fillMode: FillMode; price?: Ticks; size: Lots }): string | undefined;
  /** Does nothing if the order is already gone. */
  cancel(order: { trader: number; orderId: string }): void;
  /** Returns the position of a trader in lots; negative for a short. */
  position(trader: number): Lots;
}

/** The other traders of one market, and the oracle they use. */
export interface MarketFlow {
  readonly traderCount: number;
  readonly index: Ticks;
  /** Half-width of the oracle's confidence interval. */
  readonly indexConf: Ticks;
  /** One step of exchange time: the index moves, then the traders act. */
  step(port: FlowPort): void;
}

/** `basePrice` is the first index price, decimal; `common` is the randomness that all markets share. Equal options give equal flows. */
export type CreateFlow = (options: { rng: Rng; common: Rng; market: Market; basePrice: number }) => MarketFlow;
