// A spot order is covered by what the account holds: nothing is borrowed.
import { z } from 'zod';
import type { Market } from '../../domain/market.ts';
import { type Lots, lots, type Ticks, toDecimal } from '../../domain/numbers.ts';
import type { Side } from '../../domain/side.ts';
import type { World } from '../../world/world.ts';
import { amount } from '../amount.ts';
import { guardKind, PASS } from '../guard.ts';
import { lotsFor, priceBand } from '../prices.ts';

const limits = z.strictObject({
  /** A fraction kept back for fees. */
  reserve: amount({ preset: 0.001, max: 1 }),
});

export const balance = guardKind({
  name: 'balance',
  markets: 'spot',
  reads: ['account', 'info', 'orders', 'exposure'],
  limits,
  review:
    ({ reserve }) =>
    ({ market, side, price, size, standing }, circumstances) => {
      const { world } = circumstances;
      const tokenId = side === 'bid' ? market.spec.quoteTokenId : market.spec.baseTokenId;
      const held = world.account?.value.balances.find((entry) => entry.tokenId === tokenId)?.amount ?? 0;
      const costOf = (at: Ticks, whole: Lots): number => (side === 'bid' ? toDecimal(market.notional(at, whole)) : market.size(whole));
      let pledged = costOf(priceBand(market, world)?.high ?? price, tradedSince(market, { side, world }));
      for (const order of circumstances.own(market.id))
        if (order.side === side && order !== standing) pledged += costOf(order.price, order.remaining);
      for (const order of world.foreignOrders(market.id)) if (order.side === side) pledged += costOf(order.price, order.size);
      const free = Math.max(0, held * (1 - reserve) - pledged);
      const most = side === 'bid' ? lotsFor({ market, price, notional: free }) : market.lots(free);
      if (size <= most) return PASS;
      return {
        kind: 'shrink',
        size: most,
        reason: () => `${market.sizeText(size)} is more than the free balance covers (${market.sizeText(most)})`,
      };
    },
});

/** What may not be in the balances yet. A spot market has no position: nothing else is in its bounds but orders without an answer. */
function tradedSince({ id }: Market, { side, world }: { side: Side; world: World }): Lots {
  const { low, high } = world.exposure(id);
  const unanswered = world.orders(id).filter((order) => order.side === side && order.status === 'unknown');
  return lots(unanswered.reduce((sum, { remaining }) => sum - remaining, side === 'bid' ? high : -low));
}
