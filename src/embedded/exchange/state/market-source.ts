// The source of a market's prices and liquidity: other traders in this process, or a recording.
import type { Ticks } from '../../../bot/domain/numbers.ts';
import type { Stamp } from '../../rows/rows.ts';
import type { ExchangeState } from './exchange-state.ts';
import type { MarketStart, MarketState } from './market-state.ts';

export interface MarketSource extends MarketStart {
  /**
   * Returns the driver of the market. Adds the accounts of its other traders to `state`; those of a recording share one. `marketState` was built from this
   * source's book and terms.
   */
  open(state: ExchangeState, marketState: MarketState): MarketDriver;
}

/** Recorded quotes: mid price and half spread in ticks, and the size of the best bid in lots. */
export interface RecordedQuotes {
  readonly price: Ticks;
  readonly halfSpread: number;
  readonly size: number;
}

export interface ShownQuotes extends RecordedQuotes {
  /** True if the mark price is set to the price of the quotes; false if the recording contains mark prices. */
  readonly setsMark: boolean;
}

/** Drives one market. */
export interface MarketDriver {
  /** Time of the next event between two steps; Infinity if there is none. */
  readonly next: Stamp;
  /** True while steps change nothing before `next`. */
  readonly isIdleUntilNext: boolean;
  /** True in a gap of the recording, in which the market's state is unknown. */
  readonly inGap: boolean;
  /** Moves the recorded quotes and the mark to a price; undefined in a market of traders. */
  readonly showAt?: ((price: Ticks, quotes: ShownQuotes) => void) | undefined;
  /** The recorded quotes; undefined while a side is empty. */
  readonly quotes?: RecordedQuotes | undefined;
  /** Executes all events up to `until`, inclusive. */
  follow(until: Stamp): void;
  /** Executes the step at `state.now`, a multiple of the exchange's step. */
  step(): void;
}
