// Guard: limits the number of open orders per market, including those in flight and foreign ones on the account.
import { z } from 'zod';
import { amount } from '../../../base/files/amount.ts';
import { guardKind, PASS } from '../guard.ts';

const limits = z.strictObject({
  maxPerMarket: amount({ preset: 60 }),
});

export const openOrders = guardKind({
  name: 'open-orders',
  onlyNew: true,
  reads: ['orders'],
  limits,
  review:
    ({ maxPerMarket }) =>
    ({ market }, circumstances) => {
      const count = circumstances.own(market.id).length + circumstances.world.foreignOrders(market.id).length;
      if (count < maxPerMarket) return PASS;
      return { kind: 'refuse', reason: `${count} orders are open in ${market.symbol}; the limit is ${maxPerMarket}` };
    },
});
