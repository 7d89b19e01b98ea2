// However our orders fill, all positions together stay within a multiple of what the account is worth.
import { z } from 'zod';
import { lots } from '../../domain/numbers.ts';
import { withOrder, worstPosition } from '../../world/exposure.ts';
import { amount } from '../amount.ts';
import { type Candidate, type Circumstances, guardKind, PASS } from '../guard.ts';
import { lotsFor, priceBand } from '../prices.ts';

const limits = z.strictObject({
  max: amount({ preset: 3 }),
});

export const leverage = guardKind({
  name: 'leverage',
  limits,
  review:
    ({ max }) =>
    (candidate, circumstances) => {
      const { market, price, size, reducing } = candidate;
      if (reducing || market.spec.kind !== 'perp') return PASS;
      const free = max * Math.max(0, circumstances.world.account?.value.margins.mf ?? 0) - worstNotional(candidate, circumstances);
      if (free >= 0) return PASS;
      const high = priceBand(market, circumstances.world)?.high ?? price;
      const excess = lotsFor({ market, price: high, notional: -free / 1e6 }) + 1;
      return {
        kind: 'shrink',
        size: lots(Math.max(0, size - excess)),
        reason: `all positions together could exceed ${max} times what the account is worth`,
      };
    },
});

/** Millionths of the quote token. */
function worstNotional({ market, side, size }: Candidate, { world, exposure }: Circumstances): number {
  let sum = 0;
  for (const other of world.markets.values()) {
    const band = priceBand(other, world);
    if (other.spec.kind !== 'perp' || band === undefined) continue;
    const at = other.id === market.id ? withOrder(exposure(other.id), { side, size }) : exposure(other.id);
    sum += other.notional(band.high, worstPosition(at));
  }
  return sum;
}
