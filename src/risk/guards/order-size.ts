// No single order is larger than its limits.
import { z } from 'zod';
import { toDecimal } from '../../domain/numbers.ts';
import { amount } from '../amount.ts';
import { guardKind, PASS } from '../guard.ts';
import { lotsFor } from '../prices.ts';

const limits = z.strictObject({
  /** Quote money. */
  maxNotional: amount({ preset: 10_000 }),
});

export const orderSize = guardKind({
  name: 'order-size',
  limits,
  review:
    ({ maxNotional }) =>
    ({ market, price, size }) => {
      const notional = toDecimal(market.notional(price, size));
      if (notional <= maxNotional) return PASS;
      const reason = `an order of ${notional.toFixed(2)} is above the limit of ${maxNotional}`;
      return { kind: 'shrink', size: lotsFor({ market, price, notional: maxNotional }), reason };
    },
});
