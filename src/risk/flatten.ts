// Closes all positions: takes what the book shows within a small distance of the best price.
import { best } from '../domain/book.ts';
import type { OrderIntent } from '../domain/intent.ts';
import { lots, type Ticks } from '../domain/numbers.ts';
import type { World } from '../world/world.ts';

/** The largest fraction of the best price that is given up; the rest is tried again in the next turn. */
const GIVEN_UP = 0.002;
const NOTHING: readonly OrderIntent[] = [];

/** One target of 0 for each position, once no order of ours rests or may rest: only then is an order for the whole position certain to reduce it. */
export function flattening(world: World): readonly OrderIntent[] {
  if (world.orders().length > 0) return NOTHING;
  return [...world.markets.values()].flatMap(({ id: market }): OrderIntent[] => {
    const held = world.held(market);
    const book = world.book(market)?.value;
    const side = held > 0 ? 'bid' : 'ask';
    const top = book === undefined ? undefined : best(book, side)?.price;
    if (held === 0 || top === undefined) return [];
    const limit = (side === 'bid' ? Math.ceil(top * (1 - GIVEN_UP)) : Math.floor(top * (1 + GIVEN_UP))) as Ticks;
    return [{ kind: 'target', market, position: lots(0), limit }];
  });
}
