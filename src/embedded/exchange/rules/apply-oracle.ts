// Applies an update of a market's prices, recorded or simulated.
import { type ExchangeState, nextAction } from '../state/exchange-state.ts';
import type { MarketState } from '../state/market-state.ts';
import type { PriceUpdate } from '../state/prices.ts';

/** Consumes an action id if something changed. While an index is pinned, other updates of the index are ignored. */
export function applyOracle(state: ExchangeState, { prices, pinned }: MarketState, update: PriceUpdate): void {
  if (prices.applyOracle(pinned === undefined ? update : { mark: update.mark })) nextAction(state);
}
