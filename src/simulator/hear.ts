// A word on the prices of a market, whoever says it.
import { type House, nextAction } from './house.ts';
import type { Pit } from './pit.ts';
import type { PriceWord } from './prices.ts';

/** An action where it is news. While an index is pinned, nobody else is heard on it. */
export function hear(house: House, { prices, pinned }: Pit, { index, conf, mark }: PriceWord): void {
  if (prices.hear(pinned === undefined ? { index, conf, mark } : { mark })) nextAction(house);
}
