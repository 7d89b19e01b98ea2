// Which of our orders already are what is wanted, which wants have none, and which orders nobody wants.
import type { Level } from '../domain/book.ts';
import type { Target } from '../domain/intent.ts';
import { type Lots, lots, type Ticks } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import type { Side } from '../domain/side.ts';
import type { Exposure } from './exposure.ts';

/** An order whose size is within a tenth of the wanted one is left where it is: its place in the queue is worth more. */
const SIZE_SLACK = 0.1;

export interface Match {
  /** In the order of the wants. `order` is what stands for it; undefined where it is missing. */
  readonly wanted: readonly { readonly level: Level; readonly order: Order | undefined }[];
  readonly surplus: readonly Order[];
}

/**
 * Pairs one side's wanted levels with our live orders of that side, each with the nearest within `slack`. An order that is on its way, unknown or
 * being cancelled stands for the level too: nothing is placed beside it until its end is known.
 */
export function match({ wanted, orders, slack }: { wanted: readonly Level[]; orders: readonly Order[]; slack: Ticks }): Match {
  const free = new Set(orders);
  const pairs = wanted.map((level) => {
    let nearest: Order | undefined;
    for (const order of free) {
      const distance = Math.abs(order.price - level.price);
      if (distance > slack || !sizeFits(order, level.size)) continue;
      if (nearest === undefined || distance < Math.abs(nearest.price - level.price)) nearest = order;
    }
    if (nearest !== undefined) free.delete(nearest);
    return { level, order: nearest };
  });
  return { wanted: pairs, surplus: [...free] };
}

const sizeFits = (order: Order, wanted: Lots): boolean => order.status !== 'open' || Math.abs(order.size - wanted) <= wanted * SIZE_SLACK;

/** What must be traded to hold the target, counting all that may have filled or is on its way as against us; undefined when nothing. */
export function shortfall(target: Target, { low, high, bids, asks }: Exposure): { side: Side; size: Lots } | undefined {
  const toBuy = target.position - (high + bids);
  if (toBuy > 0) return { side: 'bid', size: lots(toBuy) };
  const toSell = low - asks - target.position;
  return toSell > 0 ? { side: 'ask', size: lots(toSell) } : undefined;
}
