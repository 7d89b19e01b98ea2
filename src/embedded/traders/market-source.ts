// The source of a market's prices and liquidity: other traders in this process, or a recording.
import type { Stamp } from '../../domain/rows/rows.ts';
import type { ExchangeState } from '../state/exchange-state.ts';
import type { MarketStart, MarketState } from '../state/market-state.ts';

export interface MarketSource extends MarketStart {
  /** Opens the accounts of the other traders. `marketState` has this book and these terms. */
  open(state: ExchangeState, marketState: MarketState): MarketDriver;
}

/** Drives one market. */
export interface MarketDriver {
  /** Time of the next event between two steps; Infinity if there is none. */
  readonly next: Stamp;
  /** True while steps change nothing before `next`. */
  readonly steady: boolean;
  /** True in a gap of the recording, in which the market's state is unknown. */
  readonly inGap: boolean;
  /** Executes all events up to `until`, inclusive. */
  follow(until: Stamp): void;
  /** Executes the step at `state.now`, a multiple of the exchange's step. */
  step(): void;
}
