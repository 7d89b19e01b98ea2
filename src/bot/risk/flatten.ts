// Closes all positions by taking from the book (IOC), within a small distance from the best price.
import { best, opposite } from '../domain/book.ts';
import type { OrderIntent } from '../domain/intent.ts';
import { lots, type Ticks } from '../domain/numbers.ts';
import type { World } from '../world/world.ts';

/** Maximum slippage as a fraction of the best price. The rest is tried again in the next turn. */
const MAX_SLIPPAGE = 0.002;
const NOTHING: readonly OrderIntent[] = [];

/** Returns one target of 0 per position once none of our orders rests or may rest: only then an order for the whole position certainly reduces it. */
export function flattening(world: World): readonly OrderIntent[] {
  if (world.orders().length > 0) return NOTHING;
  return [...world.markets.values()].flatMap((listed): OrderIntent[] => {
    const { id: market } = listed;
    const held = world.held(market);
    const book = world.book(market)?.value;
    const side = held > 0 ? 'bid' : 'ask';
    const top = book === undefined ? undefined : best(book, side)?.price;
    if (held === 0 || top === undefined) return [];
    const worst = (side === 'bid' ? Math.ceil(top * (1 - MAX_SLIPPAGE)) : Math.floor(top * (1 + MAX_SLIPPAGE))) as Ticks;
    const limit = listed.restAt(opposite(side), listed.price(worst));
    return [{ kind: 'target', market, position: lots(0), limit }];
  });
}
