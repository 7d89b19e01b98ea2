// Guard: limits the notional of a single order.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { guardKind, PASS } from '../guard.ts';
import { lotsFor } from '../prices.ts';

const limits = z.strictObject({
  /** Quote money. */
  maxNotional: amount({ preset: 10_000 }),
});

export const orderSize = guardKind({
  name: 'order-size',
  monotone: true,
  reads: [],
  limits,
  review:
    ({ maxNotional }) =>
    ({ market, price, size }) => {
      const most = lotsFor({ market, price, notional: maxNotional });
      if (size <= most) return PASS;
      const notional = market.price(price) * market.size(size); // may be too large for safe millionths
      return { kind: 'shrink', size: most, reason: () => `an order of ${notional.toFixed(2)} is above the limit of ${maxNotional}` };
    },
});
