// Guards of the notional of one order: its limit, and the least that the exchange takes.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { guardKind, PASS } from '../guard.ts';
import { lotsFor } from '../prices.ts';

const limits = z.strictObject({
  /** Quote money. */
  maxNotional: amount({ preset: 10_000 }),
});

/** Limits the notional of a single order. */
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

/** Refuses a new order that is worth less than the exchange takes, so that the exchange does not refuse it again and again. */
export const leastValue = guardKind({
  name: 'least-value',
  onlyNew: true, // the rest of an order that was filled in part may be worth less
  reads: ['exposure'],
  limits: z.strictObject({}),
  review:
    () =>
    ({ market, price, size, reducing }) => {
      if (market.isWorthEnough(price, size) || (reducing && market.spec.kind === 'perp')) return PASS;
      const worth = market.price(price) * market.size(size);
      const reason = () => `an order of ${worth.toFixed(2)} is below the least value that the exchange takes, ${market.spec.minNotional}`;
      return { kind: 'refuse', reason };
    },
});
