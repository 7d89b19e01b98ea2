// Guard: keeps the notional of all positions within a multiple of the account's value, even if all orders of the worse side of each market fill.
import { z } from 'zod';
import { worstPosition, worstWith } from '../../world/position/exposure.ts';
import { amount } from '../amount.ts';
import { type Candidate, type Circumstances, guardKind, largest, PASS } from '../guard.ts';
import { otherMarkets } from '../other-markets.ts';
import { priceBand } from '../prices.ts';

const limits = z.strictObject({
  max: amount({ preset: 3 }),
});

export const leverage = guardKind({
  name: 'leverage',
  reads: ['account', 'info', 'exposure'],
  limits,
  review:
    ({ max }) =>
    (candidate, circumstances) => {
      if (candidate.reducing) return PASS;
      const most = max * Math.max(0, circumstances.world.account?.value.margins.mf ?? 0);
      if (worstNotional(candidate, circumstances) <= most) return PASS;
      const size = largest(candidate.size, (smaller) => worstNotional({ ...candidate, size: smaller }, circumstances) <= most);
      return { kind: 'shrink', size, reason: `all positions together could exceed ${max} times what the account is worth` };
    },
});

/** Returns the worst-case notional of all markets, in millionths of the quote token. */
function worstNotional({ market, side, size }: Candidate, circumstances: Circumstances): number {
  const { world } = circumstances;
  let sum = otherMarkets(world).notional;
  for (const other of world.markets.values()) {
    const band = priceBand(other, world);
    if (band === undefined) continue;
    const exposure = circumstances.exposure(other.id);
    sum += other.notional(band.high, other.id === market.id ? worstWith(exposure, { side, size }) : worstPosition(exposure));
  }
  return sum;
}
