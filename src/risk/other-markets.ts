// What the account holds, and may come to hold, in markets that this run does not trade: another bot or a person trades there.
import { requirement } from '../domain/margin.ts';
import type { World } from '../world/world.ts';

/** Millionths of the quote token, with every order there filled on its worse side. */
export interface OtherMarkets {
  readonly notional: number;
  /** The cancel margin there, or the initial margin if there is no cancel level; both are at least the maintenance margin. */
  readonly cmf: number;
}

const NOTHING: OtherMarkets = { notional: 0, cmf: 0 };

/** The account's own sums, less their parts for the markets of this run. If such a market has no index price, its part is not subtracted. */
export function otherMarkets(world: World): OtherMarkets {
  const account = world.account?.value;
  if (account === undefined || !world.hasOtherMarkets) return NOTHING;
  let [notional, cmf]: [number, number] = [account.margins.pon, account.margins.cmf ?? account.margins.imf];
  for (const market of world.perps) {
    const index = world.info(market.id)?.value.index;
    if (index === undefined) continue;
    const counted = market.notional(index, world.counted(market.id));
    notional -= counted;
    cmf -= requirement(counted, market.cmfPpm ?? market.imfPpm);
  }
  return { notional: Math.max(0, notional), cmf: Math.max(0, cmf) };
}
