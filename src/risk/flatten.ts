// The way out: every position reduced to nothing, by taking what the book shows and not much beyond.
import { best } from '../domain/book.ts';
import type { Intent } from '../domain/intent.ts';
import { lots, type Ticks } from '../domain/numbers.ts';
import type { World } from '../world/world.ts';

/** A fraction of the best price that is given up at most; what that does not take is asked for again in the next turn. */
const GIVEN_UP = 0.002;
const NOTHING: readonly Intent[] = [];

/** One target of 0 for each position, once no order of ours rests or may rest: only then does an order for all of it surely reduce. */
export function flattening(world: World): readonly Intent[] {
  if (world.orders().length > 0) return NOTHING;
  return [...world.markets.values()].flatMap(({ id: market }): Intent[] => {
    const held = world.held(market);
    const book = world.book(market)?.value;
    const side = held > 0 ? 'bid' : 'ask';
    const top = book === undefined ? undefined : best(book, side)?.price;
    if (held === 0 || top === undefined) return [];
    const limit = (side === 'bid' ? Math.ceil(top * (1 - GIVEN_UP)) : Math.floor(top * (1 + GIVEN_UP))) as Ticks;
    return [{ kind: 'target', market, position: lots(0), limit }];
  });
}
