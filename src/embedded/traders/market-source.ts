// The source of a market's prices and liquidity: other traders in this process, or a recording.
import type { Stamp } from '../../domain/rows/rows.ts';
import type { MarketBook } from '../book/market-book.ts';
import type { FundingTerms } from '../rules/funding/funding.ts';
import type { ExchangeState } from '../state/exchange-state.ts';
import type { MarketState } from '../state/market-state.ts';

export interface Source {
  readonly book: MarketBook;
  readonly terms: FundingTerms;
  /** Half-width of the oracle's confidence interval at the start, as a fraction of the index; undefined if there is no oracle. */
  readonly confidence?: number | undefined;
  /** Opens the accounts of the others' orders. `marketState` is the one with this book and these terms. */
  open(state: ExchangeState, marketState: MarketState): Drive;
}

/** What moves one market. */
export interface Drive {
  /** When something may happen by itself between two steps; Infinity if nothing ever does. */
  readonly next: Stamp;
  /** True while steps change nothing before `next`. */
  readonly steady: boolean;
  /** True while the state of the market is not known. */
  readonly inGap: boolean;
  /** Executes everything that happens by itself until then, inclusive. */
  follow(until: Stamp): void;
  /** Executes what is due at `state.now`, a multiple of the exchange's step. */
  step(): void;
}
