// Guard: refuses orders that would trade with one of our own, or with a foreign order on the same account.
import { z } from 'zod';
import { crosses, type Side } from '../../domain/book.ts';
import type { Market } from '../../domain/market.ts';
import type { Ticks } from '../../domain/numbers.ts';
import type { Order } from '../../domain/order.ts';
import { guardKind, PASS, type ReasonText } from '../guard.ts';

const limits = z.strictObject({});

export const selfTrade = guardKind({
  name: 'self-trade',
  onlyNew: true,
  reads: ['orders'],
  limits,
  review:
    () =>
    ({ market, side, price }, circumstances) => {
      const met =
        crossedOrder(side, price, circumstances.own(market.id)) ?? crossedOrder(side, price, circumstances.world.foreignOrders(market.id));
      return met === undefined ? PASS : { kind: 'refuse', reason: wouldTrade(market, { side, price }, met) };
    },
});

type SideAndPrice = Pick<Order, 'side' | 'price'>;

function crossedOrder(side: Side, price: Ticks, orders: readonly SideAndPrice[]): SideAndPrice | undefined {
  for (const order of orders) if (order.side !== side && crosses(side, price, order.price)) return order;
  return undefined;
}

const wouldTrade =
  (market: Market, wanted: SideAndPrice, met: SideAndPrice): ReasonText =>
  () =>
    `${wanted.side} at ${market.priceText(wanted.price)} would trade with our own ${met.side} at ${market.priceText(met.price)}`;
