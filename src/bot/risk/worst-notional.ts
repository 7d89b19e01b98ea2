// What the positions of a run are worth if all orders of the worse side of each market fill.
import type { Market } from '../domain/market.ts';
import { worstPosition, worstWith } from '../world/exposure.ts';
import type { Candidate, Circumstances } from './guard.ts';
import { priceBand } from './prices.ts';

/**
 * Returns the sum over the markets, with one more order if it is given, in millionths of the quote token. A market without an index price is left
 * out.
 */
export function worstNotional(
  circumstances: Pick<Circumstances, 'world' | 'exposure'>,
  markets: Iterable<Market>,
  order?: Pick<Candidate, 'market' | 'side' | 'size'>,
): number {
  let sum = 0;
  for (const market of markets) {
    const band = priceBand(market, circumstances.world);
    if (band === undefined) continue;
    const before = circumstances.exposure(market.id);
    sum += market.notional(band.high, order?.market.id === market.id ? worstWith(before, order) : worstPosition(before));
  }
  return sum;
}
