// A spot order is covered by what the account holds: nothing is borrowed.
import { z } from 'zod';
import { lots, toDecimal } from '../../domain/numbers.ts';
import { amount } from '../amount.ts';
import { guardKind, PASS } from '../guard.ts';
import { lotsFor } from '../prices.ts';

const limits = z.strictObject({
  /** A fraction kept back for fees. */
  reserve: amount({ preset: 0.001, max: 1 }),
});

export const balance = guardKind({
  name: 'balance',
  limits,
  review:
    ({ reserve }) =>
    ({ market, side, price, size, standing }, { world, own }) => {
      if (market.spec.kind !== 'spot') return PASS;
      const tokenId = side === 'bid' ? market.spec.quoteTokenId : market.spec.baseTokenId;
      const held = world.account?.value.balances.find((entry) => entry.tokenId === tokenId)?.amount ?? 0;
      const before = [...own(market.id)].filter((order) => order.side === side && order !== standing);
      const pledged = before.reduce(
        (sum, order) => sum + (side === 'bid' ? toDecimal(market.notional(order.price, order.remaining)) : market.size(order.remaining)),
        0,
      );
      const free = Math.max(0, held * (1 - reserve) - pledged);
      const most = side === 'bid' ? lotsFor({ market, price, notional: free }) : market.lots(free);
      if (size <= most) return PASS;
      return {
        kind: 'shrink',
        size: lots(most),
        reason: `${market.sizeText(size)} is more than the free balance covers (${market.sizeText(most)})`,
      };
    },
});
