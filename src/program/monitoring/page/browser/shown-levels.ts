// The rows of the order book on the page: at most so many of each side that nothing below it moves when orders come and go.
import type { PageBook, PageOrder } from '../contract.ts';

type Level = PageBook['bids'][number];

export interface ShownLevel {
  readonly price: string;
  /** Undefined at a price that the book does not show. */
  readonly size: string | undefined;
  readonly own: readonly PageOrder[];
  /** True if levels are omitted between this row and the next one towards the mid price. */
  readonly isApart: boolean;
}

/** Maximum number of rows of a side. */
export const ROWS = 12;
/** Number of the best levels that are shown however many own orders rest farther away. */
const NEAREST = 4;

/** Returns the rows of one side, best first. Prices farther away at which we have orders, nearest first, take the place of the last levels. */
export function shownLevels(side: PageOrder['side'], levels: readonly Level[], orders: readonly PageOrder[]): readonly ShownLevel[] {
  const sign = side === 'ask' ? 1 : -1;
  const byDistance = (a: string, b: string): number => sign * (Number(a) - Number(b));
  const own = orders.filter((order) => order.side === side);
  const prices = [...new Set(own.map(({ price }) => price))].sort(byDistance);
  const farther = (near: readonly Level[]): readonly string[] => prices.filter((price) => near.every(([at]) => at !== price));
  let near = levels.slice(0, ROWS);
  while (near.length > NEAREST && near.length + farther(near).length > ROWS) near = near.slice(0, -1);
  const far = farther(near).slice(0, ROWS - near.length);
  const sizes = new Map(levels.map(([price, size]) => [price, size]));
  const shown = [...near.map(([price]) => price), ...far].sort(byDistance);
  return shown.map((price, rank) => ({
    price,
    size: sizes.get(price),
    own: own.filter((order) => order.price === price),
    isApart: rank > 0 && shown[rank - 1] === near.at(-1)?.[0] && far.includes(price),
  }));
}
