// Guard: refuses a bid far above the lower of mark and index, and an ask far below the higher of them.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { guardKind, PASS } from '../guard.ts';
import { percent } from '../prices.ts';

const limits = z.strictObject({
  /** A fraction of the price. */
  maxDistance: amount({ preset: 0.02, max: 0.5 }),
});

export const priceCollar = guardKind({
  name: 'price-collar',
  monotone: true,
  reads: ['info'],
  limits,
  review:
    ({ maxDistance }) =>
    ({ market, side, price }, { world }) => {
      const info = world.info(market.id)?.value;
      const index = info?.index;
      if (index === undefined) return { kind: 'refuse', reason: `${market.symbol} has no index price to compare the order with` };
      const mark = info?.mark ?? index;
      const edge = side === 'bid' ? Math.min(mark, index) * (1 + maxDistance) : Math.max(mark, index) * (1 - maxDistance);
      if (side === 'bid' ? price <= edge : price >= edge) return PASS;
      const beyond = side === 'bid' ? 'above the lower' : 'below the higher';
      return {
        kind: 'refuse',
        reason: () => `${side} at ${market.priceText(price)} is more than ${percent(maxDistance)} ${beyond} of mark and index`,
      };
    },
});
