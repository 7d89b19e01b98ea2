// Where the prices and the liquidity of a market come from: other traders in this process, or a recording.
import type { Stamp } from '../../domain/rows.ts';
import type { MarketBook } from '../book/market-book.ts';
import type { FundingTerms } from '../rules/funding.ts';
import type { ExchangeState } from '../state/exchange-state.ts';
import type { MarketState } from '../state/market-state.ts';

export interface Source {
  readonly book: MarketBook;
  readonly terms: FundingTerms;
  /** Half-width of the oracle's confidence interval at the start, as a fraction of the index; undefined where there is no oracle. */
  readonly doubt?: number | undefined;
  /** Opens the accounts that stand behind the others' orders. The pit is the one with this book and these terms. */
  open(state: ExchangeState, marketState: MarketState): Drive;
}

/** What moves one market. */
export interface Drive {
  /** When something may happen by itself between two steps; Infinity where nothing ever does. */
  readonly next: Stamp;
  /** True while steps change nothing before `next`. */
  readonly steady: boolean;
  /** True while what happens in the market is not known. */
  readonly dark: boolean;
  /** Everything that happens by itself until then, inclusive. */
  follow(until: Stamp): void;
  /** What is due at `house.now`, a multiple of the exchange's step. */
  step(): void;
}
