// Reduce-only orders at the exchange: limited to the position when they are placed, and reduced as it shrinks.
// Which orders the bot marks reduce-only: `placeOf` in `bot/execution/reconcile.ts`.
import { type Lots, lots } from '../../../bot/domain/numbers.ts';
import { canRest } from '../../../bot/domain/order.ts';
import { type Side, signOf } from '../../../bot/domain/side.ts';
import type { PlaceRequest } from '../commands.ts';
import { type Account, holdingIn } from '../state/account.ts';
import type { ExchangeState } from '../state/exchange-state.ts';
import type { MarketState } from '../state/market-state.ts';
import { remaining } from '../state/orders.ts';
import { shrink } from './execution.ts';

/**
 * Returns the order reduced to a size that can only close the position. For an order that may rest, minus the resting orders of its side, so that
 * together they cannot open a position in any order of fills. Undefined if the size becomes 0.
 */
export function reducing<Order extends Pick<PlaceRequest, 'side' | 'fillMode' | 'size'>>(
  account: Account,
  marketState: MarketState,
  order: Order,
): Order | undefined {
  const { position, open } = holdingIn(account, marketState);
  const room = closable(position.size, order.side) - (canRest(order.fillMode) ? open[order.side] : 0);
  return room <= 0 ? undefined : { ...order, size: lots(Math.min(order.size, room)) };
}

/** Reduces resting reduce-only orders, newest first, until their side can only close again. For an account that has just placed or taken. */
export function trimReduceOnly(state: ExchangeState, account: Account, marketState: MarketState): void {
  const holding = holdingIn(account, marketState);
  for (const order of [...account.orders.values()].reverse()) {
    if (!order.reduceOnly || order.market !== marketState.market.id) continue;
    const excess = holding.open[order.side] - closable(holding.position.size, order.side);
    if (excess > 0) shrink(state, order, lots(Math.min(excess, remaining(order))));
  }
}

/** Returns the size of a position that orders of a side can close. */
const closable = (position: Lots, side: Side): number => Math.max(0, -signOf(side) * position);
