// What the positions of a run, and those of the account in other markets, are worth if all orders of the worse side of each market fill.

import { requirement } from '../domain/margin.ts';
import type { Market } from '../domain/market.ts';
import { worstPosition, worstWith } from '../world/exposure.ts';
import type { World } from '../world/world.ts';
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

/**
 * The worst-case exposure of the account in markets that this run does not trade: in millionths of the quote token, with the orders of the worse side filled.
 */
interface OtherMarkets {
  readonly notional: number;
  /** The cancel margin there, or the initial margin if there is no cancel level; both are at least the maintenance margin. */
  readonly cmf: number;
}

const NOTHING: OtherMarkets = { notional: 0, cmf: 0 };

/**
 * Returns the account's sums in the markets that this run does not trade: all sums minus the parts of its own markets. The part of a market without an index
 * price is not subtracted.
 */
export function untradedMarkets(world: World): OtherMarkets {
  const account = world.account?.value;
  if (account === undefined || !world.hasOtherMarkets) return NOTHING;
  let [notional, cmf]: [number, number] = [account.margins.pon, account.margins.cmf ?? account.margins.imf];
  for (const market of world.perps) {
    const index = world.info(market.id)?.value.index;
    if (index === undefined) continue;
    const counted = market.notional(index, world.countedInMargins(market.id));
    notional -= counted;
    cmf -= requirement(counted, market.cmfPpm ?? market.imfPpm);
  }
  return { notional: Math.max(0, notional), cmf: Math.max(0, cmf) };
}
