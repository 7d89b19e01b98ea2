// A word on the prices of a market, whoever says it.
import { type ExchangeState, nextAction } from '../state/exchange-state.ts';
import type { MarketState } from '../state/market-state.ts';
import type { PriceWord } from '../state/prices.ts';

/** An action where it is news. While an index is pinned, nobody else is heard on it. */
export function applyOracle(state: ExchangeState, { prices, pinned }: MarketState, { index, conf, mark }: PriceWord): void {
  if (prices.applyOracle(pinned === undefined ? { index, conf, mark } : { mark })) nextAction(state);
}
