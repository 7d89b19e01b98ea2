// Guard: refuses a new order that is worth less than the exchange takes, so that the exchange does not refuse it again and again.
import { z } from 'zod';
import { guardKind, PASS } from '../guard.ts';

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
