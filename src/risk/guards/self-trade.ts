// No order that would trade with one of our own, or with another's on the same account.
import { z } from 'zod';
import { crosses } from '../../domain/side.ts';
import { guardKind, PASS } from '../guard.ts';

const limits = z.strictObject({});

export const selfTrade = guardKind({
  name: 'self-trade',
  limits,
  review:
    () =>
    ({ market, side, price, standing }, circumstances) => {
      if (standing !== undefined) return PASS;
      const met = [...circumstances.own(market.id), ...circumstances.world.foreignOrders(market.id)].find(
        (order) => order.side !== side && crosses(side, price, order.price),
      );
      if (met === undefined) return PASS;
      return {
        kind: 'refuse',
        reason: () => `${side} at ${market.priceText(price)} would trade with our own ${met.side} at ${market.priceText(met.price)}`,
      };
    },
});
